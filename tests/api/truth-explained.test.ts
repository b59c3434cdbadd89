import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../server/api/operation.ts';
import { operations } from '../../server/api/registry.ts';
import { toWire } from '../../server/api/wire.ts';
import { parsedValues } from '../../server/http/texts.ts';
import { reductionExplanation } from '../../server/reports/advisor-results/evidence.ts';
import { ciExplanations } from '../../server/reports/ci/evidence.ts';
import { explanations } from '../../server/reports/kernel/explanations.ts';
import { overviewExplanations } from '../../server/reports/overview/evidence.ts';
import { scopeDeploymentExplanations } from '../../server/reports/scope-deployments/evidence.ts';
import { scopePullRequestExplanations } from '../../server/reports/scope-pull-requests/evidence.ts';
import { spendExplanations } from '../../server/reports/spend/evidence.ts';
import { openDemo } from '../support/demo-context.ts';
import { type Service, startService } from '../support/service.ts';
import { expectFields, expectProblem } from './endpoints.ts';
import { expectTrue } from './explained-number.ts';
import { bearer } from './moving-world.ts';
import { type Answer, shownOf } from './shown-numbers.ts';

const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
let service: Service;
beforeAll(async () => {
  service = await startService(env);
});
afterAll(() => service.close());

const ask = (path: string, as = 'token-ann') => service.ask('GET', path, bearer(as));

/** Answers of the sample organization, as its pages have them. */
async function demo(path: string): Promise<{ status: number; body: Answer }> {
  const url = new URL(path, 'http://localhost:3000');
  const context = openDemo(service, path);
  const operation = operations.find((one) => one.path === url.pathname && one.method === 'GET') as Operation;
  const reply = { status: 200, headers: new Headers() };
  const input = operation.input.parse(parsedValues(operation.input, Object.fromEntries(url.searchParams)));
  return {
    status: 200,
    body: operation.output.parse(toWire(operation.output, await operation.run(input, context, reply))),
  };
}

const explain = (metric: string, query: string) => ask(`/api/explain?metric=${metric}&${query}`);

/** One of them is shown, depending on whether there are releases. */
const shownOtherwise = ['deployment_frequency', 'merge_frequency'];

/** What is made of stored runs, which a service without a database has none of. */
const stored = new Set(
  [
    ...ciExplanations,
    ...spendExplanations,
    ...overviewExplanations,
    ...scopeDeploymentExplanations,
    ...scopePullRequestExplanations,
    reductionExplanation,
  ].map(({ key }) => key),
);

const readBy = ({ sample, left_out }: Answer) =>
  left_out.reduce((sum: number, { count }: Answer) => sum + count, sample);

describe('every opened number', () => {
  test('is among those that are held against an answer', () => {
    const held = new Set([...shownOf('web').map(([key]) => key), ...shownOtherwise, ...stored]);
    expect([...explanations.keys()].filter((key) => !held.has(key))).toEqual([]);
  });

  test.each(['web', 'api', 'fork', 'empty'])(
    'of octo/%s is the one in its answer, and what its items make',
    async (repo) => {
      for (const [metric, shown] of shownOf(repo)) {
        if (metric === 'composite_score' && /fork|empty/.test(repo)) continue;
        await expectTrue(metric, shown, ask);
      }
    },
  );

  test.each(['tidewater-web', 'beacon-api', 'harbor-gateway', 'pilot-mobile', 'new-pier'])(
    'of the sample organization’s %s likewise',
    async (repo) => {
      const { body } = await demo(`/api/codehost/repo-contributors?owner=lumen-harbor&repo=${repo}`);
      const people = body.contributors.slice(0, 2).map(({ login }: Answer) => login);
      for (const [metric, shown] of shownOf(repo, 'lumen-harbor', people)) await expectTrue(metric, shown, demo);
    },
  );

  test('numbers of one reading are made of the same facts, each counted once or excluded once', async () => {
    for (const metrics of [
      ['merge_frequency', 'lead_time', 'change_failure_rate', 'fix_cycle_time'],
      ['abandon_rate', 'time_to_first_review_p50_hours', 'time_approval_to_merge_p90_hours'],
      ['median_days_to_close', 'p90_days_to_close', 'stale_count', 'unlabelled_count'],
      ['deploys_per_day', 'change_failure_rate_pct'],
    ]) {
      const read = await Promise.all(
        metrics.map(async (metric) => readBy((await explain(metric, 'owner=octo&repo=api')).body)),
      );
      expect([metrics[0], new Set(read).size]).toEqual([metrics[0], 1]);
    }
  });
});

describe('an explanation', () => {
  const needs: Record<string, string> = {
    owner: 'owner=octo',
    repo: 'repo=web',
    org: 'org=octo',
    login: 'login=ana',
    workflow_id: 'workflow_id=7001',
    job: 'job=build',
  };
  const all = [...explanations.values()].filter(({ key }) => !stored.has(key));
  const queryOf = (keys: readonly string[]) => keys.map((key) => needs[key]).join('&');

  test.each(all.map((one) => [one.key, one] as const))(
    '%s names what it needs, and is refused to who may not see it',
    async (key, one) => {
      for (const missing of one.needs)
        expectFields(await explain(key, queryOf(one.needs.filter((each) => each !== missing))), [missing, 'missing']);
      expectProblem(
        await service.ask('GET', `/api/explain?metric=${key}&${queryOf(one.needs)}`),
        401,
        'unauthenticated',
      );
      const elsewhere = queryOf(one.needs)
        .replace('repo=web', 'repo=secret')
        .replace('org=octo', 'org=nobody')
        .replace('login=ana', 'login=nobody-at-all');
      expectProblem(await ask(`/api/explain?metric=${key}&${elsewhere}`, 'token-bo'), 404, 'not_found');
      const table = await service.ask('GET', `/api/explain?metric=${key}&${queryOf(one.needs)}`, {
        as: 'token-ann',
        headers: { accept: 'text/csv' },
      });
      expect([table.status, table.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      if (table.text.trim() !== '')
        expect(table.text.split('\r\n')[0]?.replace('\uFEFF', '')).toBe('label,url,at,value,note');
    },
  );

  test('names a deleted account in words', async () => {
    const { body } = await explain('prs_merged_total', 'owner=octo&repo=web&days=30');
    const notes = body.counted.map(({ label, note }: Answer) => [label.split(' ')[0], note]);
    expect(notes).toContainEqual(['#4', 'deleted account']);
  });

  test('of what is no metric is rejected', async () => {
    expectFields(await explain('beauty', 'owner=octo&repo=web'), ['metric', 'invalid']);
    expectFields(await ask('/api/explain?owner=octo&repo=web'), ['metric', 'missing']);
    expectFields(await explain('failure_rate', 'owner=octo'), ['repo', 'missing']);
    expectFields(await explain('monthly_cost', 'repo=web&org=octo'), ['owner', 'missing']);
    expectFields(await explain('lead_time', 'owner=octo&repo=web&days=45'), ['days', 'invalid']);
  });
});
