import { afterEach, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
afterEach(() => site?.stop());

type Counts = Record<string, number>;

/** What the platform is asked for Home, by operation. */
async function countFor(path: string, cookie: string): Promise<Counts> {
  site.double.requests.length = 0;
  expect((await site.visit(path, { cookie })).status).toBe(200);
  expect(site.double.violations).toEqual([]);
  const counts: Counts = {};
  for (const { operation, path: asked } of site.double.requests) {
    const name = operation ?? asked;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The four repositories of the list, each with its latest runs. */
const latestRuns = { 'actions/list-workflow-runs-for-repo': 4 };
/** Of the alerts those of dependencies alone are shown. */
const alertLists = { 'dependabot/list-alerts-for-org': 1 };

describe.each<[string, string, string, Counts]>([
  [
    '216 repositories, whose states come fifty or so at a time',
    'token-ann',
    '/',
    {
      'orgs/list-for-authenticated-user': 1,
      'repos/list-for-authenticated-user': 3,
      RepositoryStates: 4,
      ...latestRuns,
    },
  ],
  [
    'one repository',
    'token-bo',
    '/',
    {
      'orgs/list-for-authenticated-user': 1,
      'repos/list-for-authenticated-user': 1,
      RepositoryStates: 1,
      'actions/list-workflow-runs-for-repo': 1,
    },
  ],
  [
    'an organization with the lists of its alerts',
    'token-ann',
    '/?org=octo',
    {
      'orgs/list-for-authenticated-user': 1,
      'repos/list-for-org': 1,
      ...alertLists,
      RepositoryStates: 1,
      ...latestRuns,
    },
  ],
  [
    'an organization that refuses the lists of its alerts, whose four newest repositories are asked instead',
    'token-bo',
    '/?org=octo',
    {
      'orgs/list-for-authenticated-user': 1,
      'repos/list-for-org': 1,
      ...alertLists,
      'dependabot/list-alerts-for-repo': 4,
      RepositoryStates: 1,
      ...latestRuns,
    },
  ],
])('Home of %s', (_, token, path, expected) => {
  test('costs so many requests once, and none when it is opened again', async () => {
    site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    const cookie = await site.signIn(token);
    expect(await countFor(path, cookie)).toEqual(expected);
    expect(await countFor(path, cookie)).toEqual({});
  });
});
