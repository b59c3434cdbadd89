import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lossFoundAt } from '../../../server/advisor/verdict/gain.ts';
import { toWire } from '../../../server/api/wire.ts';
import type { Situation } from '../../../server/demo/situations.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import { getRecommendations } from '../../../server/reports/advisor/operations.ts';
import { getResults, getVerdict } from '../../../server/reports/advisor-results/operations.ts';
import { openDemo } from '../../support/demo-context.ts';
import { type Service, startService } from '../../support/service.ts';

const owner = 'lumen-harbor';
const repo = 'pilot-mobile';
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const contextOf = (situation: Situation) => openDemo(service, `/demo?situation=${situation}`);

async function readResults(situation: Situation = 'mixed', scope: object = { org: owner }) {
  const answer = await getResults.run(getResults.input.parse(scope), contextOf(situation), emptyReply());
  return getResults.output.parse(toWire(getResults.output, answer));
}

async function readVerdict(id: string) {
  const answer = await getVerdict.run({ owner, repo, id }, contextOf('mixed'), emptyReply());
  return getVerdict.output.parse(toWire(getVerdict.output, answer));
}

describe('the sample organization', () => {
  test('shows one merged change of every outcome, each with what was promised', async () => {
    const { rows, summary } = await readResults();
    expect(rows.map(({ state }) => state).sort()).toEqual(['cannot_tell', 'kept', 'lost', 'no_effect', 'waiting']);
    for (const { promise } of rows) expect(promise?.low).toBeGreaterThanOrEqual(3);
    expect(summary).toMatchObject({ merged: 5, kept: 1, no_effect: 1, cannot_tell: 1, waiting: 1, lost: 1 });
    expect(summary.minutes_saved_measured?.mid).toBeGreaterThan(100);
    const merges = rows.map(({ merged_at: at }) => Date.parse(at));
    expect(merges).toEqual(merges.toSorted((one, other) => other - one));
    expect(await readResults('mixed', { owner, repo })).toMatchObject({ rows, summary });
    expect((await readResults('mixed', { owner, repo: 'beacon-api' })).rows).toEqual([]);
  });

  test('names pull requests of the sample, with the time at which these were merged', async () => {
    const codehost = await contextOf('mixed').codehost();
    const { pull_requests: pulls } = await codehost.changes(
      { owner, repo },
      { pull_requests: { since: 0, head: null } },
    );
    for (const { pull_request: pullRequest, merged_at: at } of (await readResults()).rows) {
      const found = pulls?.items.find(({ number }) => number === pullRequest?.number);
      expect(found?.mergedAt).toBe(Date.parse(at));
    }
  });

  test('judges what was kept by runs that can be looked up', async () => {
    const kept = (await readResults()).rows.find(({ state }) => state === 'kept');
    const { verdict, runs } = await readVerdict(kept?.id ?? '');
    expect(verdict.sentence).toContain('Kept');
    expect(verdict.before?.value).toBeGreaterThan(1.5 * (verdict.after?.value ?? 0));
    const codehost = await contextOf('mixed').codehost();
    for (const side of ['before', 'after'] as const) {
      const [run] = runs.filter((one) => one.side === side);
      const found = await codehost.runs.get({ owner, repo }, run?.run_id ?? 0);
      expect(found?.workflowPath).toBe(kept?.workflow_path);
    }
  });

  test('tells what was left of a gain in the weeks in which it was lost', async () => {
    const lost = (await readResults()).rows.find(({ state }) => state === 'lost');
    const { weeks, lost_since: since, looks } = (await readVerdict(lost?.id ?? '')).verdict;
    const ofLoss = weeks.filter(({ at }) => Date.parse(at) >= lossFoundAt(Date.parse(since ?? '')));
    const kept = looks.find(({ outcome }) => outcome === 'kept')?.delta_pct ?? 0;
    expect(ofLoss.length).toBeGreaterThan(0);
    for (const { delta_pct: left } of ofLoss) expect(left).toBeLessThan(kept / 2);
  });

  test('does not recommend again what was merged', async () => {
    const input = getRecommendations.input.parse({ owner, repo });
    const answer = await getRecommendations.run(input, contextOf('mixed'), emptyReply());
    const { recommendations } = getRecommendations.output.parse(toWire(getRecommendations.output, answer));
    const offered = recommendations.map(({ id }) => id);
    for (const { id } of (await readResults()).rows) expect(offered).not.toContain(id);
  });

  test.each(['healthy', 'flaky', 'queue', 'advisory'] as const)(
    'has results in the situation %s',
    async (situation) => {
      const { rows } = await readResults(situation);
      expect(rows.length).toBeGreaterThanOrEqual(4);
      const decided = rows.filter(({ state }) => state !== 'waiting' && state !== 'cannot_tell');
      expect(decided.length).toBeGreaterThanOrEqual(2);
    },
  );
});
