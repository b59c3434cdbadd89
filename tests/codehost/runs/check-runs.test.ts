import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };
const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);
/** A completed run that was last heard of at 10:05. */
const run = (id: number) => ({ id, workflowName: 'CI', updatedAt: at('10:05:00'), checkSuiteId: `CS_${id}` });

const step = { number: 1, name: 'Set up job', status: 'COMPLETED', conclusion: 'SUCCESS' };
const times = { startedAt: '2026-03-10T10:00:09Z', completedAt: '2026-03-10T10:01:00Z' };
const last = { hasNextPage: false };

const check = (runId: number, over: Record<string, unknown> = {}) => ({
  name: 'build',
  status: 'COMPLETED',
  conclusion: 'TIMED_OUT',
  ...times,
  detailsUrl: `https://codehost.test/octo/web/actions/runs/${runId}/job/51234567890`,
  steps: { pageInfo: last, nodes: [{ ...step, ...times }] },
  ...over,
});
const suite = (checks: unknown[], pageInfo = last) => ({ checkRuns: { pageInfo, nodes: checks } });

/** Answers every question with these suites, by the order in which they are requested. */
function answer(suiteFor: (id: string) => unknown) {
  platform.handler = (seen, reply) => {
    const { suites } = (JSON.parse(seen.body) as { variables: { suites: string[] } }).variables;
    reply.json(200, { data: { rateLimit: null, nodes: suites.map(suiteFor) } });
  };
}
const idOf = (name: string) => Number(name.replace('CS_', ''));
const ask = (...ids: number[]) => clientOf(platform.url).codehost.jobs.ofSuites(web, ids.map(run));
const read = async (...ids: number[]) => new Map((await ask(...ids)).jobs);

describe('jobs of check suites', () => {
  it('are facts with their steps, without what checks do not tell', async () => {
    answer((id) => suite([check(idOf(id))]));
    expect([...(await read(7))]).toEqual([
      [
        7,
        [
          {
            id: 51_234_567_890,
            runId: 7,
            attempt: 1,
            name: 'build',
            workflowName: 'CI',
            status: 'completed',
            conclusion: 'timed_out',
            createdAt: null,
            startedAt: at('10:00:09'),
            completedAt: at('10:01:00'),
            runnerName: null,
            runnerGroup: null,
            labels: [],
            htmlUrl: 'https://codehost.test/octo/web/actions/runs/7/job/51234567890',
            steps: [
              {
                number: 1,
                name: 'Set up job',
                status: 'completed',
                conclusion: 'success',
                startedAt: at('10:00:09'),
                completedAt: at('10:01:00'),
              },
            ],
          },
        ],
      ],
    ]);
  });

  it('come ten in a request', async () => {
    answer((id) => suite([check(idOf(id))]));
    const ids = Array.from({ length: 23 }, (_, n) => n + 1);
    expect([...(await read(...ids)).keys()]).toEqual(ids);
    const sent = platform.requests.map(({ body }) => JSON.parse(body).variables.suites.length);
    expect(sent.sort()).toEqual([10, 10, 3].sort());
    expect((await read()).size).toBe(0);
  });

  it('leave out checks that others reported into the suite', async () => {
    const foreign = [
      check(7, { name: 'coverage', detailsUrl: 'https://other.test/report/9' }),
      check(7, { name: 'of another run', detailsUrl: 'https://codehost.test/octo/web/actions/runs/8/job/9' }),
      check(7, { name: 'without an address', detailsUrl: null }),
    ];
    answer((id) => suite([...foreign, check(idOf(id))]));
    expect((await read(7)).get(7)?.map(({ name }) => name)).toEqual(['build']);
  });

  it.each([
    ['the suite is not there', null],
    ['its checks are not told', { checkRuns: null }],
    ['it has more jobs than were asked for', suite([check(7)], { hasNextPage: true })],
    ['it has none', suite([])],
    ['it has only checks of others', suite([check(7, { detailsUrl: 'https://other.test/9' })])],
    ['one of its checks is missing', suite([check(7), null])],
    ['one is under way', suite([check(7), check(7, { status: 'IN_PROGRESS', conclusion: null })])],
    ['one began after the run had ended', suite([check(7), check(7, { startedAt: '2026-03-10T10:05:01Z' })])],
    [
      'one has more steps than were asked for',
      suite([check(7, { steps: { pageInfo: { hasNextPage: true }, nodes: [] } })]),
    ],
    ['one does not tell its steps', suite([check(7, { steps: null })])],
  ])('are not given when %s', async (_, found) => {
    answer((id) => (id === 'CS_7' ? found : suite([check(idOf(id))])));
    expect([...(await read(7, 8)).keys()]).toEqual([8]);
  });

  it('are not given of a suite in which a field could not be read', async () => {
    const message = 'This field fails.';
    platform.handler = (seen, reply) => {
      const { suites } = (JSON.parse(seen.body) as { variables: { suites: string[] } }).variables;
      const nodes = suites.map((id) => suite([check(idOf(id), id === 'CS_8' ? { conclusion: null } : {})]));
      const path = ['nodes', suites.indexOf('CS_8'), 'checkRuns', 'nodes', 0, 'conclusion'];
      reply.json(200, { data: { nodes }, errors: [{ type: 'FORBIDDEN', path, message }] });
    };
    const { jobs, problem } = await ask(7, 8, 9);
    expect([jobs.map(([runId]) => runId), problem?.code]).toEqual([[7, 9], 'upstream_forbidden']);
  });

  it('are requested in halves when the platform gives up, three times at most', async () => {
    const sizes: number[] = [];
    platform.handler = (seen, reply) => {
      const { suites } = JSON.parse(seen.body).variables as { suites: string[] };
      sizes.push(suites.length);
      if (suites.length > 3) reply.json(502, {});
      else reply.json(200, { data: { nodes: suites.map((id) => suite([check(idOf(id))])) } });
    };
    expect((await read(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).size).toBe(10);
    expect(sizes).toEqual([10, 5, 3, 2, 5, 3, 2]);
    platform.handler = (_seen, reply) => reply.json(502, {});
    expect((await errorOf(read(1, 2, 3, 4, 5, 6, 7, 8))).code).toBe('upstream_unavailable');
  });
});
