import { expect, test } from 'vitest';
import { aCommit, aFile, anActor } from './delivery-builders.ts';
import { moduleCommits } from './named-history.ts';
import { namedNow } from './named-world.ts';
import { type Any, nextOf, rows, visitDouble } from './visitor.ts';

const visit = visitDouble();
const { get, ask, read, clean } = visit;

const hour = 3_600_000;
const day = 24 * hour;
const said = (instant: number) => new Date(instant).toISOString();

async function history(request: string, fields = 'oid'): Promise<Any> {
  const commit = `... on Commit { history(first: 100, ${request}) { totalCount nodes { ${fields} } } }`;
  const { defaultBranchRef } = await read('octo/web', `defaultBranchRef { target { ${commit} } }`);
  return defaultBranchRef.target.history;
}

test('a history reports who wrote what, and when by their own clock', async () => {
  const { totalCount, nodes } = await history(
    `since: "${said(namedNow - 90 * day)}"`,
    `oid authoredDate committedDate additions deletions changedFilesIfAvailable parents { totalCount }
     author { name date user { login __typename avatarUrl } }`,
  );
  expect(totalCount).toBe(74);
  const named = (name: string) => nodes.filter((one: Any) => one.author.name === name);
  expect(named('owl').map((one: Any) => one.author.date)).toContain('2026-11-10T01:00:00+07:00');
  expect(named('owl').map((one: Any) => one.authoredDate)).toContain('2026-11-09T18:00:00Z');
  expect(named('Nobody Known')[0].author.user).toBeNull();
  // The schema has only people here: a bot shows by its login and by the name in the commit.
  expect(named('dependabot[bot]')[0].author.user).toMatchObject({ login: 'dependabot', __typename: 'User' });
  expect(nodes.filter((one: Any) => one.parents.totalCount > 1)).toHaveLength(1);
  expect(nodes[0]).toMatchObject({ additions: 3, deletions: 1, changedFilesIfAvailable: 1 });
  clean();
});

test.each(Object.entries(moduleCommits))('the history of %s has the commits of its authors', async (path, authors) => {
  const { nodes } = await history(`path: "${path}"`, 'author { name }');
  const counts: Record<string, number> = {};
  for (const { author } of nodes) counts[author.name] = (counts[author.name] ?? 0) + 1;
  expect(counts).toEqual(authors);
  clean();
});

test('a history can be cut by time and by person', async () => {
  const { data } = await ask('{ user(login: "nox") { id __typename } }');
  const { nodes } = await history(`author: {id: "${(data as Any).user.id}"}`, 'author { date }');
  expect(nodes.map((one: Any) => one.author.date)).toEqual([
    '2026-11-07T03:00:00Z',
    '2026-11-06T18:00:00Z',
    '2026-11-06T12:00:00Z',
    '2026-11-06T01:00:00Z',
  ]);
  expect((await history(`since: "2026-11-06T12:00:00Z", until: "2026-11-07T03:00:00Z"`)).totalCount).toBe(3);
  expect((await ask('{ user(login: "dependabot") { id } }')).errors).toMatchObject([{ type: 'NOT_FOUND' }]);
  expect((await ask('{ user(login: "octo") { id } }')).errors).toMatchObject([{ type: 'NOT_FOUND' }]);
  clean();
});

test('since filters on the time of the commit, not of its writing', async () => {
  const late = aCommit(namedNow, anActor('ann'), 'Written long ago', { authoredAt: namedNow - 300 * day });
  visit.double.addCommit('octo/web', late);
  expect((await history(`since: "${said(namedNow - hour / 2)}"`)).nodes).toEqual([{ oid: late.sha }]);
  expect((await get(`/repos/octo/web/commits?since=${said(namedNow - hour / 2)}`)).body).toHaveLength(1);
  clean();
});

test('trees show what commits touched', async () => {
  const at = (expression: string) =>
    read(
      'octo/web',
      `object(expression: "${expression}") { ... on Tree { entries { name type path object { ... on Tree { entries { name } } } } } }`,
    );
  const root = (await at('HEAD:')).object.entries;
  expect(root.map((one: Any) => [one.name, one.type])).toEqual([
    ['.github', 'tree'],
    ['a.ts', 'blob'],
    ['docs', 'tree'],
    ['notes', 'tree'],
    ['ops', 'tree'],
    ['src', 'tree'],
    ['tools', 'tree'],
  ]);
  expect((await at('HEAD:src')).object.entries.map((one: Any) => one.path)).toEqual([
    'src/a.ts',
    'src/app.ts',
    'src/cart',
    'src/lib',
    'src/pay',
  ]);
  expect((await at('main:nothing')).object).toBeNull();
  expect((await read('octo/empty', 'object(expression: "HEAD:") { id } defaultBranchRef { name }')).object).toBeNull();
  clean();
});

test('a calendar of contributions counts what the viewer may not see without naming it', async () => {
  const contributions = async (login: string, token: string, rest = '') => {
    const { data } = await ask(
      `{ user(login: "${login}") { contributionsCollection(from: "${said(namedNow - 364 * day)}", to: "${said(namedNow)}"${rest}) {
        restrictedContributionsCount totalCommitContributions
        contributionCalendar { totalContributions weeks { contributionDays { date contributionCount } } }
        commitContributionsByRepository(maxRepositories: 10) { repository { nameWithOwner primaryLanguage { name } } contributions { totalCount } } } } }`,
      token,
    );
    return (data as Any).user.contributionsCollection;
  };
  visit.double.addCommit('octo/secret', aCommit(namedNow - day, anActor('ana'), 'Hidden'));
  const seen = await contributions('ana', 'token-ann');
  const days = seen.contributionCalendar.weeks.flatMap((one: Any) => one.contributionDays);
  expect(days).toHaveLength(365);
  expect(days.find((one: Any) => one.date === '2026-11-10').contributionCount).toBe(25);
  expect(seen.commitContributionsByRepository[0]).toMatchObject({
    repository: { nameWithOwner: 'octo/web' },
    contributions: { totalCount: 24 },
  });
  expect(seen.restrictedContributionsCount).toBe(0);
  const hidden = await contributions('ana', 'token-bo');
  expect(hidden.restrictedContributionsCount).toBe(1);
  expect(hidden.contributionCalendar.totalContributions).toBe(seen.contributionCalendar.totalContributions);
  const { data } = await ask('{ organization(login: "many") { id } }');
  const other = await contributions('ana', 'token-ann', `, organizationID: "${(data as Any).organization.id}"`);
  expect(other.contributionCalendar.totalContributions).toBe(0);
  clean();
});

test('commits come over REST with their files, in pages of 300', async () => {
  const many = Array.from({ length: 310 }, (_, index) => aFile(`gen/${index}.ts`));
  const big = aCommit(namedNow, anActor('ann'), 'Rename all', { files: many });
  visit.double.addCommit('octo/web', big);
  const first = await get(`/repos/octo/web/commits/${big.sha}`);
  expect((first.body.files as Any).length).toBe(300);
  expect(((await get(nextOf(first.headers) ?? '')).body.files as Any).length).toBe(10);
  const list = rows((await get('/repos/octo/web/commits?path=src/pay&per_page=100')).body) as Any;
  expect(list).toHaveLength(10);
  const [newest, oldest] = [list[0].sha, list.at(-1).sha];
  const ahead = (await get(`/repos/octo/web/compare/${oldest}...${newest}`)).body;
  expect([ahead.status, ahead.ahead_by, ahead.behind_by]).toEqual(['ahead', 9, 0]);
  expect((await get(`/repos/octo/web/compare/${newest}...${oldest}`)).body.status).toBe('behind');
  expect((await get(`/repos/octo/web/compare/${oldest}...${'0'.repeat(40)}`)).status).toBe(404);
  expect((await get('/repos/octo/empty/commits/HEAD')).status).toBe(409);
  clean();
});

test('accounts are found by name over REST, bots with their suffix', async () => {
  expect((await get('/users/dependabot%5Bbot%5D')).body).toMatchObject({ type: 'Bot', login: 'dependabot[bot]' });
  expect((await get('/users/ana')).body).toMatchObject({ type: 'User', name: null });
  expect((await get('/users/nobody-at-all')).status).toBe(404);
  clean();
});

test('a branch is compared with the commits it ended in before, and loses some by a forced push', async () => {
  const head = async () => (await read('octo/web', 'defaultBranchRef { target { oid } }')).defaultBranchRef.target.oid;
  const compared = async (ref: string) =>
    (await read('octo/web', `defaultBranchRef { compare(headRef: "${ref}") { aheadBy behindBy } }`)).defaultBranchRef
      .compare;
  const first = await head();
  expect([await compared(first), await compared('0'.repeat(40))]).toEqual([{ aheadBy: 0, behindBy: 0 }, null]);
  visit.double.addCommit('octo/web', aCommit(namedNow, anActor('ann'), 'On top'));
  const second = await head();
  expect(await compared(first)).toEqual({ aheadBy: 0, behindBy: 1 });
  visit.double.dropCommit('octo/web', second);
  expect([await head(), first, second]).toHaveLength(new Set([await head(), first, second]).size);
  expect([await compared(first), await compared(second)]).toEqual([
    { aheadBy: 1, behindBy: 1 },
    { aheadBy: 2, behindBy: 1 },
  ]);
  clean();
});
