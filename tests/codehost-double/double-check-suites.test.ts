import { expect, test } from 'vitest';
import { namedNow } from './named-world.ts';
import { type Any, visitDouble } from './visitor.ts';

const visit = visitDouble();

/** The checks of runs, by their suites as the list of runs names them. */
async function checksOf(ids: number[], filter: string, token?: string) {
  const { body } = await visit.get('/repos/octo/web/actions/workflows/7001/runs?per_page=100');
  const suites = ids.map((id) => body.workflow_runs.find((run) => run.id === id)?.check_suite_node_id);
  const steps = 'steps(first: 2) { pageInfo { hasNextPage } nodes { number name status } }';
  return visit.ask(
    `{ nodes(ids: ${JSON.stringify(suites)}) { ... on CheckSuite { status
      checkRuns(first: 50${filter}) { totalCount nodes { name status conclusion detailsUrl ${steps} } } } } }`,
    token,
  );
}

test('a check suite holds the jobs of its run, a page of steps each', async () => {
  const { data } = await checksOf([5011, 5012], '');
  const [ended, running] = (data as Any).nodes;
  expect(ended).toMatchObject({ status: 'COMPLETED', checkRuns: { totalCount: 3 } });
  expect(ended.checkRuns.nodes[0]).toMatchObject({
    name: 'build',
    status: 'COMPLETED',
    conclusion: 'SUCCESS',
    detailsUrl: 'https://codehost.example/octo/web/actions/runs/5011/job/501101',
    steps: { pageInfo: { hasNextPage: true }, nodes: [{ number: 1, name: 'Set up job', status: 'COMPLETED' }, {}] },
  });
  expect(running.checkRuns.nodes).toMatchObject([{ name: 'build', status: 'IN_PROGRESS', conclusion: null }]);
  visit.clean();
});

test('the suite of a run that was started again holds the jobs of all attempts, or of each name the latest', async () => {
  const attemptsIn = async (filter: string) =>
    ((await checksOf([5009], filter)).data as Any).nodes[0].checkRuns.nodes.map((one: Any) => one.conclusion);
  expect(await attemptsIn(', filterBy: { checkType: ALL }')).toEqual(['FAILURE', 'SUCCESS']);
  expect(await attemptsIn('')).toEqual(['SUCCESS']);
});

test('what the token cannot see, and what is gone, is no node', async () => {
  visit.double.putRun('octo/secret', { id: 77, createdAt: namedNow });
  const query = '{ nodes(ids: ["CS_5000000077", "CS_1"]) { __typename } }';
  expect((await visit.ask(query)).data).toEqual({ nodes: [{ __typename: 'CheckSuite' }, null] });
  const { data, errors } = await visit.ask(query, 'token-bo');
  expect(data).toEqual({ nodes: [null, null] });
  expect(errors).toMatchObject([
    { type: 'NOT_FOUND', path: ['nodes', 0] },
    { type: 'NOT_FOUND', path: ['nodes', 1] },
  ]);
  visit.clean();
});
