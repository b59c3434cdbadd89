import { describe, expect, test } from 'vitest';
import { expectFields } from '../../api/endpoints.ts';
import { aDatabase } from '../../support/a-database.ts';
import { aScope, toLines } from '../scope-world.ts';

const secret = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';

aDatabase((database) => {
  const env = { CRON_SECRET: secret, CODEHOST_TOKEN: 'token-ann' };
  const { visit, ask, get, explain, expectHidden, expectOnlyProof } = aScope(database, 'pull-requests', env);
  const readPullRequests = async () => {
    const headers = { authorization: `Bearer ${secret}` };
    expect((await visit.service.ask('GET', '/api/cron/sync-pr-facts', { headers })).status).toBe(200);
  };

  describe('pull requests of a scope', () => {
    test('are unknown before any were read', async () => {
      const { body } = await ask();
      expect(body.totals).toMatchObject({ open: null, awaiting_review: null, merged: null, merge_sample: 0 });
      expect(body).toMatchObject({ longest_wait: null, open_as_of: null, repos_included: 2, partial: true });
      expect(body.open_pull_requests.coverage).toMatchObject({
        read: 0,
        expected: 9,
        reasons: ['not_synced', 'not_yet_read'],
      });
      expect((await explain('scope_open_prs')).body.value).toBeNull();
    });

    test('are those that the page of each repository has', async () => {
      await readPullRequests();
      const [{ body }, own] = await Promise.all([ask(), get('/api/codehost/open-pr-health?owner=octo&repo=web')]);
      const web = body.repositories.find(({ repo }: { repo: string }) => repo === 'octo/web');
      type Open = { number: number; is_bot: boolean; waiting_on: string; waiting_since: string };
      const waiting = own.body.open_prs
        .filter((one: Open) => !one.is_bot && one.waiting_on === 'reviewer')
        .sort((a: Open, b: Open) => Date.parse(a.waiting_since) - Date.parse(b.waiting_since));
      expect(own.body.total_open).toBeGreaterThan(0);
      expect(web).toMatchObject({
        open: own.body.total_open,
        open_complete: true,
        awaiting_review: waiting.length,
        partial: false,
      });
      expect(web.longest_wait?.number ?? null).toBe(waiting[0]?.number ?? null);
      expect(body.longest_wait?.number ?? null).toBe(waiting[0]?.number ?? null);
    });

    test('merged ones are those of the overview', async () => {
      const [{ body }, overview] = await Promise.all([ask(), visit.ask('overview?org=octo')]);
      const { prs_merged, median_hours_to_merge, merge_sample } = overview.body.figures;
      expect(prs_merged).toBeGreaterThan(0);
      expect(body.totals).toMatchObject({ merged: prs_merged, median_hours_to_merge, merge_sample });
      expect(body.days).toEqual(overview.body.merge_days);
      expect(body.merged_pull_requests).toEqual(overview.body.pull_requests);
    });

    test('without bots are fewer, and so is their evidence', async () => {
      const [all, people] = [(await ask()).body, (await ask('&bots=out')).body];
      expect(people.totals.merged).toBeLessThan(all.totals.merged);
      expect(people.totals.median_hours_to_merge).toBe(all.totals.median_hours_to_merge);
      for (const [bots, { totals }] of [
        ['in', all],
        ['out', people],
      ] as const)
        for (const [metric, field] of [
          ['scope_open_prs', 'open'],
          ['scope_awaiting_review', 'awaiting_review'],
          ['scope_prs_merged', 'merged'],
          ['scope_hours_to_merge', 'median_hours_to_merge'],
        ] as const) {
          const { body } = await explain(metric, `org=octo&bots=${bots}`);
          expect([metric, bots, body.value]).toEqual([metric, bots, totals[field]]);
          expect(body.counted.length).toBe(body.sample);
        }
    });

    test('names why a repository is not counted', async () => {
      const { open_pull_requests: covered } = (await ask()).body;
      const explained = (await explain('scope_open_prs')).body;
      expect(covered).toEqual({ coverage: explained.coverage, repositories: explained.repositories });
      expect(covered.repositories.at(-1)).toEqual({ repo: 'octo/web', included: true, reason: null });
      expect(covered.repositories[0]).toEqual({ repo: 'octo/api', included: false, reason: 'not_synced' });
    });

    test('are never of a repository that the reader may not see', () =>
      expectHidden(['scope_open_prs', 'scope_awaiting_review']));

    test('are one table of repositories', async () => {
      const [head, ...rows] = toLines(await ask('&format=csv'));
      expect(head).toContain('repo,open,open_complete,awaiting_review,open_as_of');
      expect(head).toContain('longest_wait_number,longest_wait_hours,longest_wait_url');
      expect(rows).toHaveLength(2);
      const wrong = await visit.ask('pull-requests?range=14&compare=never&bots=some');
      expectFields(wrong, ['range', 'invalid'], ['compare', 'invalid'], ['bots', 'invalid']);
    });

    test('cost the platform the proof of what may be seen, and nothing while that is fresh', () =>
      expectOnlyProof('scope_open_prs'));

    test('that were open are unknown a day and a half after they were read', async () => {
      visit.service.clock.advance(37 * 3_600_000);
      const { body } = await ask();
      expect(body.totals).toMatchObject({ open: null, awaiting_review: null });
      expect(body.totals.merged).not.toBeNull();
      expect(body.partial_reasons).toContain('pull_requests_end_missing');
    });
  });
});
