import { describe, expect, test } from 'vitest';
import type { FactBatch } from '../../../server/facts/fact-repository.ts';
import type { Store } from '../../../server/store/orm.ts';
import { storedService } from '../../api/stored.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { syncStateOf } from '../../facts/made-facts.ts';
import { aCommit, anActor, aPullRequest } from '../../metrics/delivery-builders.ts';
import { aDatabase } from '../../support/a-database.ts';

const day = 86_400_000;

interface Row {
  repo: string;
  resource: string;
  state: string;
}

aDatabase((database) => {
  const visit = storedService(database, { SYNC_MAX_PAGES: '1', CODEHOST_WEBHOOK_SECRET: 'x'.repeat(16) });
  const { ask, sync } = visit;
  const read = async (query: string, as?: string) => (await ask(`collection?${query}`, as)).body;
  const row = async (resource: string, repo = 'web', as?: string) =>
    (await read(`owner=octo&repo=${repo}`, as)).readings.find((one: Row) => one.resource === resource);
  const store = () => visit.service.app.services.store as Store;
  const repository = (repo: string) => repositoryOf(visit.service.double.world, `octo/${repo}`).facts;
  const iso = (at: number) => new Date(at).toISOString();

  describe('what has been read', () => {
    test('of a repository that nothing is known of: eight kinds, nothing of each, and what would fill it', async () => {
      const { readings, ...rest } = await read('owner=OCTO&repo=Api');
      expect(rest).toMatchObject({
        owner: 'OCTO',
        repo: 'Api',
        repos_known: 0,
        repos_visible: 1,
        timezone: 'Asia/Saigon',
      });
      expect(readings.map(({ resource, filled_by }: Row & { filled_by: string[] }) => [resource, filled_by])).toEqual([
        ['workflow_runs', ['sync_now', 'webhook']],
        ['pull_requests', ['page']],
        ['pull_request_commits', []],
        ['branch_commits', ['page']],
        ['issues', ['page']],
        ['deployments', ['page']],
        ['releases', ['page']],
        ['workflow_jobs', ['page', 'webhook']],
      ]);
      for (const one of readings)
        expect(one).toMatchObject({
          repo: 'octo/api',
          state: 'never',
          from: null,
          through: null,
          last_read_at: null,
          last_error: null,
          missing: expect.stringMatching(/\S/),
          missing_count: null,
          expected_count: null,
        });
      expect(rest.summary[0]).toMatchObject({ resource: 'workflow_runs', complete: 0, never: 1, through: null });
    });

    test('of runs: from the first reading’s beginning to just before the last one', async () => {
      await sync('owner=octo&repo=web');
      const now = visit.service.clock.now();
      expect(await row('workflow_runs')).toMatchObject({
        repo: 'octo/web',
        title: 'Workflow runs',
        state: 'complete',
        missing: null,
        through: iso(now - 2 * 60_000),
        from: iso(now - 90 * day),
      });
    });

    test('of runs that are too many for one call: what is left, until nothing is', async () => {
      const window = { from: namedNow - 80 * day, to: namedNow - day };
      visit.service.double.addRuns('octo/fork', 220, { ...window, firstId: 9_000_001 });
      const path = '/api/db/sync?owner=octo&repo=fork';
      expect((await visit.service.ask('POST', path, { as: 'token-ann' })).body.partial).toBe(true);
      const half = await row('workflow_runs', 'fork');
      expect(half.state).toBe('partial');
      expect(half.missing).toMatch(
        /^Runs older than \d+ [A-Z][a-z]{2} 2026, back to \d+ Aug 2026, have not been synced yet\.$/,
      );
      expect(half.from > iso(window.from) && half.from < half.through).toBe(true);
      const stored = (await ask('runs?owner=octo&repo=fork&limit=500')).body.runs as { created_at: string }[];
      expect(stored.every(({ created_at }) => created_at >= half.from && created_at <= half.through)).toBe(true);
      await sync('owner=octo&repo=fork');
      expect(await row('workflow_runs', 'fork')).toMatchObject({ state: 'complete', missing: null });
      visit.service.double.reset();
    });

    test('of runs that only events brought: no claim about the others', async () => {
      const id = await store().repositories.known(repository('no-issues'));
      const runs = [
        ...(await store().runs.recent((await store().repositories.find(repository('web')))?.id ?? 0, { limit: 1 })),
      ];
      await store().runs.ingest(
        id,
        runs.map((run) => ({ ...run, id: 77 })),
        { syncedAt: namedNow },
      );
      expect(await row('workflow_runs', 'no-issues')).toMatchObject({
        state: 'partial',
        from: iso(runs[0]?.createdAt ?? 0),
        through: null,
        last_read_at: null,
        missing: 'Only runs received by webhook are stored.',
      });
    });

    test('of facts: what pages have read, each kind by itself', async () => {
      const { service } = visit;
      for (const page of ['deployments', 'issues'])
        await service.ask('GET', `/api/codehost/${page}?owner=octo&repo=web`, { as: 'token-ann' });
      const { readings } = await read('owner=octo&repo=web');
      const states = Object.fromEntries(readings.map(({ resource, state }: Row) => [resource, state]));
      expect(states).toMatchObject({ deployments: 'complete', issues: 'complete', branch_commits: 'never' });
      const issues = readings.find(({ resource }: Row) => resource === 'issues');
      expect([issues.missing, issues.through, issues.last_read_at]).toEqual([null, issues.through, issues.through]);
      expect(issues.from < issues.through).toBe(true);
    });

    test('where a limit ended the first reading: from the oldest that is stored', async () => {
      const oldest = namedNow - 3 * day;
      const items = [aCommit({ sha: '1'.repeat(40), committedAt: oldest }), aCommit({ committedAt: namedNow - day })];
      const batch = {
        syncState: syncStateOf('commits', { floor: namedNow - 90 * day, through: namedNow, capped: true }),
        items,
        replaces: true,
      };
      await store().facts.store(repository('web'), [batch as FactBatch]);
      expect(await row('branch_commits')).toMatchObject({
        state: 'partial',
        from: iso(oldest),
        through: iso(namedNow),
        missing: 'The first sync reached a limit. Data older than 13 Nov 2026 has not been synced.',
      });
    });

    test('of commits of merged pull requests: how many of how many are without', async () => {
      const merged = [1, 2, 3, 4].map((number) =>
        aPullRequest({ number, createdAt: namedNow - number * day, mergedAt: namedNow - number * day + 1000 }),
      );
      const old = aPullRequest({ number: 9, createdAt: namedNow - 95 * day, mergedAt: namedNow - 94 * day });
      const open = aPullRequest({ number: 8, createdAt: namedNow - day, mergedAt: null });
      const batch = {
        syncState: syncStateOf('pull_requests', { floor: namedNow - 100 * day, through: namedNow }),
        replaces: true,
        items: [...merged, old, open],
      };
      await store().facts.store(repository('web'), [batch as FactBatch]);
      expect((await row('pull_request_commits')).state).toBe('never');
      const id = (await store().repositories.find(repository('web')))?.id ?? 0;
      const reading = { truncated: false, syncedAt: namedNow };
      const commit = { ...aCommit({ author: anActor('ana') }) };
      await store().pullRequestCommits.put(id, 1, [commit], reading);
      await store().pullRequestCommits.put(id, 2, [commit], { ...reading, truncated: true });
      expect(await row('pull_request_commits')).toMatchObject({
        state: 'partial',
        missing_count: 2,
        expected_count: 4,
        from: iso(namedNow - 2 * day + 1000),
        through: iso(namedNow - day + 1000),
        missing: expect.stringMatching(
          /^Commits of 2 of 4 pull requests merged since 1\d Aug 2026 have not been synced\. .*Only the first 500 commits of 1 are stored\.$/,
        ),
      });
    });

    test('of jobs: those of the attempts that somebody looked at', async () => {
      await visit.service.ask('GET', '/api/codehost/job-stats?owner=octo&repo=web&workflow_id=7001', {
        as: 'token-ann',
      });
      const jobs = await row('workflow_jobs');
      expect(jobs).toMatchObject({
        state: 'partial',
        from: null,
        through: null,
        last_read_at: iso(visit.service.clock.now()),
      });
      expect(jobs.missing).toMatch(
        /^Jobs of \d+ run attempts are stored\. Background sync adds those of the newest runs first\.$/,
      );
    });

    test('of one that the platform no longer gives: since when, and that what was read is stored', async () => {
      await sync('owner=octo&repo=empty');
      const id = (await store().repositories.find(repository('empty')))?.id ?? 0;
      await store().repositories.unreachable(id, 'legally_blocked', namedNow);
      const runs = await row('workflow_runs', 'empty');
      expect(runs).toMatchObject({
        state: 'unreachable',
        last_error: 'legally_blocked',
        through: expect.stringMatching(/^2026/),
      });
      expect(runs.missing).toBe('GitHub has blocked the repository for legal reasons since 16 Nov 2026.');
      expect((await row('issues', 'empty')).state).toBe('unreachable');
      await store().repositories.reachable(id);
      expect((await row('workflow_runs', 'empty')).state).toBe('complete');
    });

    test('of an owner: the known repositories by name, some at a time, and each kind over all of them', async () => {
      const all = await read('owner=octo');
      const names = [...new Set(all.readings.map(({ repo }: Row) => repo))];
      expect(names).toEqual(['octo/empty', 'octo/fork', 'octo/no-issues', 'octo/web']);
      expect([all.repo, all.repos_known, all.repos_visible > 4, all.readings.length]).toEqual([null, 4, true, 32]);
      expect(all.summary[0]).toMatchObject({
        resource: 'workflow_runs',
        complete: 3,
        partial: 1,
        never: 0,
        unreachable: 0,
      });
      const through = all.readings.flatMap((one: Row & { through: string }) =>
        one.resource === 'workflow_runs' ? (one.through ?? []) : [],
      );
      expect(all.summary[0].through).toBe(through.sort()[0]);
      const second = await read('owner=octo&limit=1&offset=1');
      expect(new Set(second.readings.map(({ repo }: Row) => repo))).toEqual(new Set(['octo/fork']));
      expect(second.summary).toEqual(all.summary);
      expect((await read('owner=octo&offset=4')).readings).toEqual([]);
    });
  });
});
