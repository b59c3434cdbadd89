import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { latestRuns, repositoryOf } from '../codehost-double/world.ts';
import { eachDatabase } from '../support/database.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

eachDatabase((given) => {
  describe('a page made of answers that are given again', () => {
    const sites: Site[] = [];
    let first: Site;
    let ann: string;
    beforeAll(async () => {
      const env = { DATABASE_URL: await given.migrated(), RATE_LIMIT_SESSION_PER_MINUTE: '0' };
      first = await startSite(env);
      sites.push(first);
      const { url, graphqlUrl } = first.double;
      if (given.name === 'postgresql')
        sites.push(await startSite({ ...env, CODEHOST_API_URL: url, CODEHOST_GRAPHQL_URL: graphqlUrl }));
      ann = await first.signIn();
      await synchronize(first, ann, { owner: 'octo', repo: 'web' });
    });
    afterAll(async () => {
      for (const site of sites.toReversed()) await site.stop();
    });

    const readSuccess = async (site: Site, cookie = ann) => {
      const { status, text } = await site.visit('/repos/octo/web', { cookie });
      expect(status).toBe(200);
      return /<dt[^>]*>Success<\/dt><dd[^>]*>(.*?)<\/dd>/s.exec(text)?.[1]?.replace(/<[^>]*>/g, '');
    };

    /** The next run on the default branch, which fails. */
    function fail(): void {
      const { runs, facts } = repositoryOf(first.double.world, 'octo/web');
      const newest = latestRuns(repositoryOf(first.double.world, 'octo/web'))[0] as LiveWorkflowRun;
      const now = Date.now() - 60_000;
      const times = { createdAt: now, startedAt: now, updatedAt: now + 1000 };
      const id = newest.id + 1;
      const failed = { ...newest, ...times, id, attempt: 1, status: 'completed', conclusion: 'failure' };
      runs.set(id, [{ ...failed, headBranch: facts.defaultBranch } as LiveWorkflowRun]);
    }

    test('shows at once, in every process, what was stored', async () => {
      const before = new Set<string | undefined>();
      for (const site of sites) for (let visit = 0; visit < 3; visit++) before.add(await readSuccess(site));
      expect([...before]).toEqual([expect.stringMatching(/%/)]);
      fail();
      // Nothing was stored yet.
      for (const site of sites) expect([...before]).toEqual([await readSuccess(site)]);
      await synchronize(first, ann, { owner: 'octo', repo: 'web' });
      const after = new Set(await Promise.all(sites.map((site) => readSuccess(site))));
      expect(after.size).toBe(1);
      expect(after).not.toEqual(before);
    });

    test('is no answer to whoever may not see the repository', async () => {
      const path = '/repos/octo/secret';
      for (const site of sites) {
        for (let visit = 0; visit < 3; visit++) expect((await site.visit(path, { cookie: ann })).status).toBe(200);
        const bo = await first.signIn('token-bo');
        expect((await site.visit(path, { cookie: bo })).status).toBe(404);
      }
    });
  });
});

/** Each on a process that knows nothing yet, in one order and in the other. */
test('the pages of the demo are the same whichever were opened before', async () => {
  const sites = await Promise.all([startSite({ DATABASE_URL: '' }), startSite({ DATABASE_URL: '' })]);
  try {
    const [forwards, backwards] = await Promise.all(
      [demoPages, demoPages.toReversed()].map(async (paths, index) => {
        const site = sites[index] as Site;
        const pages: [string, string][] = [];
        for (const path of paths)
          for (let visit = 0; visit < 2; visit++) pages.push([path, await readPage(site, path)]);
        return Map.groupBy(pages, ([path]) => path);
      }),
    );
    for (const path of demoPages) {
      const texts = [...(forwards?.get(path) ?? []), ...(backwards?.get(path) ?? [])].map(([, text]) => text);
      expect(texts).toHaveLength(4);
      expect(new Set(texts).size, path).toBe(1);
    }
  } finally {
    for (const site of sites) await site.stop();
  }
});

const harbor = '/demo/repos/lumen-harbor/tidewater-web';
const demoPages = [
  '/demo',
  '/demo/repositories',
  ...['', '/pull-requests', '/workflows', '/deployments', '/issues', '/team', '/security', '/changes'].map(
    (page) => `${harbor}${page}`,
  ),
  '/demo/team?org=lumen-harbor',
  '/demo/security',
  '/demo/pull-requests',
  '/demo/deployments',
  '/demo/ci',
  '/demo/ci?view=slow',
  '/demo/ci?view=waste',
  '/demo/cost',
  '/demo/working-habits?org=lumen-harbor&range=90',
  '/demo/org/lumen-harbor',
  '/demo/org/lumen-harbor/health',
  '/demo/org/lumen-harbor/merge-queues',
  '/demo/search?q=ci',
  '/demo?situation=healthy',
  '/demo/ci?situation=flaky',
];

/** A page without what each answer has of its own. */
async function readPage(site: Site, path: string): Promise<string> {
  const { status, text } = await site.visit(path);
  expect([path, status]).toEqual([path, 200]);
  return text.replace(/ nonce="[^"]*"/g, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
}
