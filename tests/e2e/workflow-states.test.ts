import { describe, expect, test } from 'vitest';
import { aCommit, aFile, anActor } from '../codehost-double/delivery-builders.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();
const hour = 3_600_000;

let repositories = 0;

/** A repository of its own, and the page of its workflow. */
function repository() {
  const id = 72_000 + ++repositories;
  const name = `octo/stating-${id}`;
  visit.site.double.addRepository({ name, facts: { id } });
  return { name, page: `/repos/${name}/workflows/${id * 10 + 1}` };
}

test.each<[tab: string, tables: string[], page?: string]>([
  ['overview', ['tips'], '/repos/octo/api/workflows/7101'],
  ['performance', ['steps', 'critical_path', 'queue_histogram', 'queue_branches']],
  ['triggers', ['events', 'branches', 'actors']],
  ['cost', ['waste', 'pull_requests']],
])('the tables of %s are there to take away', async (tab, tables, page = '/repos/octo/web/workflows/7001') => {
  const { links } = await visit.read(`${page}?tab=${tab}`);
  for (const table of tables) {
    const href = links.find((one) => one.includes(`table=${table}&format=csv`)) ?? '/none';
    const { status, headers } = await visit.site.visit(href, { cookie: visit.ann });
    expect([table, status, headers.get('content-type')]).toEqual([table, 200, 'text/csv; charset=utf-8']);
  }
});

test('a job on the critical path is opened into the runs that had it there', async () => {
  const { links } = await visit.read('/repos/octo/web/workflows/7001?tab=performance');
  for (const metric of ['critical_path_share', 'critical_path_time']) {
    const opened = await visit.readPlain(links.find((one) => one.includes(`metric=${metric}`)) ?? '/none');
    expect(opened.content).toMatch(/critical path: build .*Run 5011, attempt 1 on the path, passed/);
  }
});

describe('what could not be read in full', () => {
  test.each([
    ['performance', 'Jobs of some runs could not be loaded: samples are smaller.'],
    ['cost', 'Jobs of some attempts could not be loaded: the actual cost is higher.'],
  ])('is said on %s', async (tab, says) => {
    const { name, page } = repository();
    for (const id of [1, 2]) visit.site.double.putRun(name, { id, createdAt: Date.now() - id * hour, attempt: 2 });
    visit.site.double.fault({ path: `/repos/${name}/actions/runs/1/*`, times: 9 }, { kind: 'status', status: 403 });
    const { content } = await visit.readPlain(`${page}?tab=${tab}`);
    expect(content).toContain(`Incomplete. ${says}`);
  });
});

describe('changes of workflow files', () => {
  const change = (name: string, hours: number, path = 'ci.yml') =>
    visit.site.double.addCommit(
      name,
      aCommit(Date.now() - hours * hour, anActor('ann'), 'Test twice', { files: [aFile(`.github/workflows/${path}`)] }),
    );

  test('are marked from which on runs failed, with the runs that tell it and those that are known', async () => {
    const { name } = repository();
    const run = (id: number, conclusion: 'success' | 'failure') =>
      visit.site.double.putRun(name, { id, createdAt: Date.now() - (50 - id) * hour, conclusion });
    change(name, 100);
    run(1, 'success');
    change(name, 48.5);
    run(2, 'failure');
    run(3, 'failure');
    const { content, links } = await visit.readPlain(`/repos/${name}/changes`);
    expect(content).toContain(
      'failing since this change ci.yml: 2 in a row from run 2 on, none passed since; run 1 had passed',
    );
    expect(content).toMatch(/1 of 1 started a failure streak \. 1 unknown\./);
    expect(content).toContain('From 3 runs of main among the latest 100 runs of the repository.');
    expect(content).toContain('Unknown: no run before it is known.');
    const opened = await visit.readPlain(links.find((href) => href.includes('changes_before_failures')) ?? '');
    expect(opened.content).toMatch(/Counted 1 change whose runs before and after are known .*Test twice/);
    const csv = links.find((href) => href.includes('workflow-change-outcomes')) ?? '';
    expect((await visit.site.visit(csv, { cookie: visit.ann })).text).toContain('.github/workflows/ci.yml');
  });

  test('are shown without their runs where those are rejected, and are rejected in words themselves', async () => {
    const { name } = repository();
    change(name, 5);
    visit.site.double.fault({ path: `/repos/${name}/actions/*`, times: 9 }, { kind: 'status', status: 403 });
    const { content } = await visit.readPlain(`/repos/${name}/changes`);
    expect(content).toMatch(/Test twice .*none|Runs after each change could not be loaded: /);
    expect(content).toContain('Runs after each change could not be loaded: ');
    expect(content).not.toContain('Failure streak');
    visit.site.double.fault({ path: '/graphql', times: 9 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const response = await visit.readPlain(`/repos/${repository().name}/changes`);
    expect(response.content).toContain('Access denied.');
    expect(response.content).not.toContain('No commit on the default branch');
  });

  test('that could not all be read are said to be incomplete', async () => {
    const { name } = repository();
    for (let hours = 1; hours <= 60; hours++) change(name, hours, 'README.md');
    const { content } = await visit.readPlain(`/repos/${name}/changes?limit=1`);
    expect(content).toContain('Incomplete. Older changes are not shown: too many commits');
  });
});
