import { expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import { collectionReport } from '../../../server/reports/data-coverage/report.ts';
import { storedRuns } from '../../../server/reports/history/runs.ts';
import { trends } from '../../../server/reports/history/trends.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});
const owner = 'lumen-harbor';

const inDays = { owner, days: 90, compare: 'off', quarters: 6 } as const;

async function readDays(repo?: string) {
  const answer = await trends({ ...inDays, repo, type: repo ? 'daily' : 'org' }, openDemo(visit.service), emptyReply());
  if (answer.type === 'quarterly') throw new Error('Days were requested.');
  return answer;
}

test('the trend of a repository of the demo counts its runs, and that of the organization all of them', async () => {
  const [one, all] = [await readDays('beacon-api'), await readDays()];
  const context = openDemo(visit.service);
  const codehost = await context.codehost();
  const runs = codehost.runs;
  const { items } = await codehost.repositories.mine();
  const sum = (answer: typeof one) => answer.data.reduce((total, day) => total + (day.total ?? 0), 0);
  const { repository } = { repository: items.find(({ repo }) => repo === 'beacon-api') };
  if (!repository) throw new Error('The demo has a beacon-api.');
  const { count } = await runs.countSince(repository, context.services.clock.now() - 89 * 86_400_000);
  expect(Math.abs(sum(one) - count)).toBeLessThan(20);
  expect(sum(all)).toBeGreaterThan(2 * sum(one));
  expect(all.coverage).toMatchObject({ partial: false, reposIncluded: items.length });
  for (const day of all.data) {
    const parts = [day.success, day.failure, day.cancelled, day.other].map(Number);
    expect(parts.reduce((total, part) => total + part, 0)).toBe(day.total);
    if (day.p90DurationMs !== null) expect(day.medianDurationMs).toBeLessThanOrEqual(day.p90DurationMs);
  }
});

test('stored runs of the demo come by pages, newest first, and by result', async () => {
  const page = (offset: number, conclusion?: 'failure') =>
    storedRuns({ owner, repo: 'beacon-api', limit: 50, offset, conclusion }, openDemo(visit.service), emptyReply());
  const [first, second, failed] = [await page(0), await page(50), await page(0, 'failure')];
  const times = [...first.runs, ...second.runs].map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(new Set([...first.runs, ...second.runs].map(({ id }) => id)).size).toBe(100);
  expect(failed.total).toBeLessThan(first.total);
  expect(failed.runs.every(({ conclusion }) => conclusion === 'failure')).toBe(true);
  expect(first.runs.every(({ htmlUrl }) => htmlUrl === '#')).toBe(true);
});

test('everything of the demo is stored, but jobs, which are never complete', async () => {
  const { readings, reposKnown, reposVisible } = await collectionReport(
    { owner, limit: 50, offset: 0 },
    openDemo(visit.service),
    emptyReply(),
  );
  expect(reposKnown).toBe(reposVisible);
  for (const { resource, state } of readings)
    if (resource !== 'workflow_jobs') expect([resource, state]).toEqual([resource, 'complete']);
});
