import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutOwnScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

const hour = 3_600_000;
const day = 24 * hour;
let site: Site;

beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const now = Date.now();
  site.double.addCommits('octo/api', 600, { from: now - 20 * day, to: now - hour });
});
afterAll(() => site?.stop());

/** What is read on a page, and whether it works without scripts. */
async function read(path: string): Promise<string> {
  const { status, text } = await site.visit(path, { cookie: await site.signIn() });
  expect([status, withoutOwnScripts(text).includes('<script')]).toEqual([200, false]);
  return text
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
}

test('the demo shows modules, people and hours, each number with its evidence', async () => {
  const team = '/demo/repos/lumen-harbor/tidewater-web/team';
  const text = await read(`${team}?view=knowledge`);
  expect(text).toMatch(/Repository bus factor \d+ from \d+ commits by \d+ people/);
  expect(text).toContain('critical');
  const workload = await read(`${team}?view=workload`);
  expect(workload).toContain('Team hours');
  expect(workload).toContain('People, by name');
  const where = 'owner=lumen-harbor&repo=tidewater-web';
  expect(await read(`/demo/explain?metric=bus_factor&${where}`)).toContain('Excluded: a merge commit');
  expect(await read(`/demo/explain?metric=outside_workday_pct&${where}&days=30`)).toContain('in the workday');
});

test('modules beyond the first ten are one link away, and an order another', async () => {
  const path = '/demo/repos/lumen-harbor/tidewater-web/team';
  expect(await read(`${path}?view=knowledge&modules=all`)).not.toContain('Show all');
  expect(await read(`${path}?view=workload&workload=commits-desc`)).toContain('People, by commits');
});

test('a cut reading says what is missing and which way the numbers err', async () => {
  const text = await read('/repos/octo/api/team?range=last-60&view=knowledge');
  expect(text).toContain('Only the newest 300 of 601 commits are counted');
  const workload = await read('/repos/octo/api/team?range=last-60&view=workload');
  expect(workload).toContain('Only the latest 500 commits are counted');
  expect(workload).toContain('missing commits are not flagged');
});

test('an empty repository says that it is empty', async () => {
  expect(await read('/repos/octo/empty/team?view=knowledge')).toContain('The repository has no commits yet.');
});

test('a repository that is not to be seen is not there', async () => {
  const { status } = await site.visit('/repos/octo/secret/team', { cookie: await site.signIn('token-bo') });
  expect(status).toBe(404);
});
