import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeWorld } from '../../server/demo/world.ts';
import { matchRoute, responseFault } from './description.ts';
import { namedNow, scriptTitle, workflowIds } from './named-world.ts';
import { addSample } from './sample.ts';
import { nextOf, rows, visitDouble } from './visitor.ts';

const visit = visitDouble();
const { get, ask, clean } = visit;

test('every operation answers as the description says', async () => {
  const web = '/repos/octo/web';
  const paths = [
    '/user',
    '/user/repos',
    '/user/orgs',
    '/orgs/octo',
    '/orgs/many/repos',
    '/rate_limit',
    web,
    `${web}/commits`,
    `${web}/actions/workflows`,
    `${web}/actions/workflows/${workflowIds.webCi}/runs`,
    `${web}/actions/runs`,
    `${web}/actions/runs/5009`,
    `${web}/actions/runs/5009/attempts/1`,
    `${web}/actions/runs/5011/jobs`,
    `${web}/actions/runs/5009/attempts/2/jobs`,
    `${web}/actions/workflows/deploy.yml/runs`,
    ...['empty', 'old', 'fork', 'secret', 'no-actions', 'no-issues'].map((name) => `/repos/octo/${name}`),
  ];
  for (const path of paths) expect((await get(path)).status, path).toBe(200);
  clean();
});

test('a path the platform does not have is rejected and noted', async () => {
  expect((await get('/repos/octo/web/actions/history')).status).toBe(404);
  expect(visit.double.violations).toEqual(['The platform has no GET /repos/octo/web/actions/history']);
});

test.each([
  ['limit=3', 'has no query parameter "limit"'],
  ['status=passed', '"status=passed" is not allowed'],
  ['page=two', '"page=two" is not allowed'],
  ['created=yesterday', '"created=yesterday" is not allowed'],
  ['page=1&page=2', '"page" is given twice'],
])('the query %s is rejected and noted', async (query, reason) => {
  expect((await get(`/repos/octo/web/actions/runs?${query}`)).status).toBe(422);
  expect(visit.double.violations).toHaveLength(1);
  expect(visit.double.violations[0]).toContain(reason);
});

test('an answer of the double that breaks the description is noted', async () => {
  visit.double.putRun('octo/web', { id: 1, headSha: 7 as unknown as string });
  await get('/repos/octo/web/actions/runs/1');
  expect(visit.double.violations).toEqual([expect.stringContaining('head_sha must be string')]);
});

test('lists page through links by number, at most 100 a page', async () => {
  const names: string[] = [];
  const sizes: number[] = [];
  let url: string | undefined = '/orgs/many/repos?per_page=200&sort=full_name';
  while (url) {
    const { body, headers } = await get(url);
    names.push(...rows(body).map((one) => one.name));
    sizes.push(rows(body).length);
    url = nextOf(headers);
  }
  expect(sizes).toEqual([100, 100, 5]);
  expect(new Set(names).size).toBe(205);
  expect(names[0]).toBe('repo-001');
  const { headers } = await get('/repos/octo/web/actions/runs?per_page=5');
  expect(nextOf(headers)).toBe(`${visit.double.url}/repositories/1001/actions/runs?per_page=5&page=2`);
  clean();
});

test('a filtered run list stops at 1,000 results while its count reports all', async () => {
  visit.double.addRuns('octo/no-issues', 1250, { from: namedNow - 9 * 86_400_000, to: namedNow });
  const runs = '/repos/octo/no-issues/actions/runs?per_page=100';
  const [tenth, eleventh] = [await get(`${runs}&page=10&branch=main`), await get(`${runs}&page=11&branch=main`)];
  expect([tenth.body.total_count, tenth.body.workflow_runs.length]).toEqual([1250, 100]);
  expect([eleventh.body.total_count, eleventh.body.workflow_runs.length]).toEqual([1250, 0]);
  expect(nextOf(tenth.headers)).toBeUndefined();
  expect((await get(`${runs}&page=13`)).body.workflow_runs).toHaveLength(50);
  clean();
});

test.each([
  ['created=%3E%3D2026-11-16T08:00:00Z', [5013, 5012, 5011, 5102, 5010]],
  ['created=2026-11-16T04:00:00Z..2026-11-16T06:00:00Z', [5009, 5008, 5007]],
  ['created=%3C%3D2026-11-14', [5101, 5002, 5001]],
  ['created=2026-11-15', [5003]],
  ['created=*..2026-10-31', [5001]],
  ['status=failure', [5010, 5101]],
  ['status=in_progress', [5012]],
  ['branch=topic', [5007]],
  ['actor=dependabot%5Bbot%5D', [5006]],
  ['event=pull_request', [5007, 5006]],
])('the run filter %s selects', async (query, ids) => {
  const { body } = await get(`/repos/octo/web/actions/runs?${query}`);
  expect(body.workflow_runs.map((run) => run.id)).toEqual(ids);
  expect(body.total_count).toBe(ids.length);
  clean();
});

test('a renamed repository redirects to its number, below it too', async () => {
  const bare = await fetch(`${visit.double.url}/repos/octo/before/actions/runs?per_page=2`, {
    redirect: 'manual',
    headers: { authorization: 'token token-ann' },
  });
  expect(bare.status).toBe(301);
  expect(bare.headers.get('location')).toBe(`${visit.double.url}/repositories/1007/actions/runs?per_page=2`);
  visit.double.rename('octo/api', 'octo/core');
  expect((await get('/repos/octo/api')).body.full_name).toBe('octo/core');
  expect((await get('/repos/octo/api/actions/runs/5201')).body.id).toBe(5201);
  const { data } = await ask('{repository(owner:"octo",name:"api"){nameWithOwner}}');
  expect(data).toEqual({ repository: { nameWithOwner: 'octo/core' } });
  clean();
});

test('empty, closed and strange repositories answer as the platform does', async () => {
  expect((await get('/repos/octo/empty/commits')).status).toBe(409);
  expect((await get('/repos/octo/no-actions/actions/runs')).body.total_count).toBe(0);
  expect((await get('/repos/octo/no-issues')).body.has_issues).toBe(false);
  expect((await get('/repos/octo/old')).body.archived).toBe(true);
  expect((await get('/repos/octo/fork')).body.fork).toBe(true);
  expect((await get('/repos/octo/api')).body.description).toBe('Größe, 灯台 und 🚀');
  expect((await get('/repos/octo/web')).body.description).toContain(scriptTitle);
  expect((await get('/repos/octo/web/actions/runs/5005')).body.actor).toBeNull();
  expect((await get('/repos/octo/web/actions/runs/5006')).body.actor).toMatchObject({ type: 'Bot' });
  expect((await get('/orgs/ann')).status).toBe(404);
  expect((await get(`/repos/octo/api/actions/workflows/${workflowIds.webCi}/runs`)).status).toBe(404);
  clean();
});

test('a re-run keeps its id and creation, and its jobs stay apart', async () => {
  const before = (await get('/repos/octo/web/actions/runs/5010')).body;
  visit.double.rerun('octo/web', 5010, namedNow - 60_000);
  const running = (await get('/repos/octo/web/actions/runs/5010')).body;
  expect(running).toMatchObject({ run_attempt: 2, status: 'in_progress', conclusion: null });
  expect(running.created_at).toBe(before.created_at);
  expect(running.run_started_at).toBe('2026-11-16T09:59:00Z');
  visit.double.completeRun('octo/web', 5010, 'success', namedNow);
  expect((await get('/repos/octo/web/actions/runs/5010')).body.conclusion).toBe('success');
  expect((await get('/repos/octo/web/actions/runs/5010/attempts/1')).body.conclusion).toBe('failure');
  const jobs = async (query: string) => (await get(`/repos/octo/web/actions/runs/5010/jobs${query}`)).body.jobs;
  expect((await jobs('')).map((job) => job.run_attempt)).toEqual([2]);
  expect((await jobs('?filter=all')).map((job) => job.run_attempt)).toEqual([2, 1]);
  expect((await get('/repos/octo/web/actions/runs/5010/attempts/3')).status).toBe(404);
  clean();
});

test('generated repositories can be served, with all their runs and jobs as described', async () => {
  for (const sample of makeWorld({ seed: 'volume', now: namedNow }).repositories)
    addSample(visit.double.world, `bulk/${sample.repository.repo}`, sample);
  const { body } = await get('/repos/bulk/beacon-api/actions/runs?per_page=100');
  expect(body.total_count).toBeGreaterThan(300);
  for (const run of body.workflow_runs.slice(0, 15))
    expect((await get(`/repos/bulk/beacon-api/actions/runs/${run.id}/jobs?filter=all`)).status).toBe(200);
  clean();
});

test('reset brings the named world back', async () => {
  visit.double.putRun('octo/web', { id: 6001 });
  visit.double.revokeToken('token-ann');
  visit.double.reset();
  expect((await get('/repos/octo/web/actions/runs')).body.total_count).toBe(15);
  expect(visit.double.requests).toHaveLength(1);
});

test('runs in published webhook examples have the shape the double serves', () => {
  const file = new URL('../../node_modules/@octokit/webhooks-examples/api.github.com/index.json', import.meta.url);
  const events = JSON.parse(readFileSync(file, 'utf8')) as { name: string; examples: { workflow_run: object }[] }[];
  const examples = events.find((one) => one.name === 'workflow_run')?.examples ?? [];
  const operation = matchRoute('GET', '/repos/o/r/actions/runs/1')?.operation;
  // The examples were recorded before these two were added.
  const sinceThen = { display_title: 'Change', path: '.github/workflows/ci.yml' };
  expect(examples.length).toBeGreaterThan(2);
  for (const { workflow_run } of examples)
    expect(operation && responseFault(operation, 200, { ...sinceThen, ...workflow_run })).toBeNull();
});
