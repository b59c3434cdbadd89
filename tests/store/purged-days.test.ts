import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyFact, syncStateOf } from '../facts/made-facts.ts';
import { eachDatabase } from '../support/database.ts';
import { wrongOrgDays } from './org-days.ts';
import { recount, recountMany } from './recount.ts';
import { day, noon, repository, track, varied } from './world.ts';

const ever = { from: '2018-01-01', to: '2027-12-31', timezone: 'UTC' };
const always = () => true;

eachDatabase((given) => {
  describe('the purge of days', () => {
    const years = (count: number) => Date.UTC(2026 - count, 2, 10, 12);

    test('forgets those of five years ago, and the owner has the sum of the rest', async () => {
      const { store, database } = await given.openRaw();
      const ids = [await track(store, 1), await track(store, 2)];
      for (const [index, id] of ids.entries())
        await store.runs.ingest(
          id,
          [6, 5.1, 4, 0].map((age, i) => varied(index * 100 + i, Math.round(noon - age * 365.25 * day))),
          { syncedAt: noon },
        );
      await store.runs.recomputeDirty();
      const all = await store.trends.daily(ids, ever);
      expect(all).toHaveLength(4);
      const { rows } = await store.purge(noon, { runDays: 400, mayContinue: always });
      expect(rows).toEqual({ workflow_runs: 6, repo_day: 4 });
      expect(await store.trends.daily(ids, ever)).toEqual(all.slice(2));
      expect(await wrongOrgDays(database)).toEqual([]);
      // The first run was the first run, however little is left of it.
      expect((await store.trends.coverage(ids)).firstRunAt).toBe(Math.round(noon - 6 * 365.25 * day));
    });

    test('spares days whose runs are stored', async () => {
      const store = await given.open();
      const repo = await track(store);
      const runs = [varied(1, years(7)), varied(2, years(0))];
      await store.runs.ingest(repo, runs, { syncedAt: noon });
      expect(await store.purge(noon, { runDays: 3650, mayContinue: always })).toEqual({ rows: {}, complete: true });
      const stored = await store.runs.recent(repo, { limit: 9 });
      expect(await store.trends.daily([repo], ever)).toEqual(recount(stored, 'UTC'));
      expect((await store.runs.page({ repoId: repo, limit: 9, offset: 0 })).total).toBe(2);
    });

    test('gives a new member of an owner its days, as many as there are', async () => {
      const { store, database } = await given.openRaw();
      const [first, second] = [await track(store, 1), await track(store, 2)];
      await store.repositories.untrack(second);
      for (const [index, id] of [first, second].entries())
        await store.runs.ingest(
          id,
          [0, 20, 40].map((days) => varied(index * 100 + days, noon + days * day)),
          {
            syncedAt: noon,
          },
        );
      await store.runs.recomputeDirty();
      const all = recountMany(
        (await Promise.all([first, second].map((id) => store.runs.recent(id, { limit: 9 })))).flat(),
        'UTC',
      );
      await store.purge(noon + 60 * day, { runDays: 30, mayContinue: always });
      await track(store, 2);
      await store.runs.recomputeDirty();
      expect(await database.query('select from org_day')).toHaveLength(3);
      expect(await store.trends.daily([first, second], ever)).toEqual(all);
      expect(await wrongOrgDays(database)).toEqual([]);
    });
  });

  test('commits of pull requests go 120 days after the merge, and are no longer claimed', async () => {
    const { store, database } = await given.openRaw();
    const [pull] = fc.sample(anyFact.pull_requests, { numRuns: 1, seed: 1 });
    const merged = [121, 120, 119].map((age) => ({
      ...pull,
      number: age,
      state: 'merged' as const,
      mergedAt: noon - age * day - 1,
    }));
    for (const id of [1, 2])
      await store.facts.store(repository(id), [
        { syncState: syncStateOf('pull_requests'), items: merged as never[], replaces: true },
      ]);
    await database.query('update pr_facts set commits_synced_at = merged_at, commits_truncated = true');
    await database.query(`
      insert into commit_facts (repo_id, pr_number, sha, position, merged_at, author_name, authored_at, is_merge)
      select repo_id, number, 'sha ' || n, n, merged_at, 'ann', merged_at, false from pr_facts, generate_series(1, 2600) n`);
    const left = () =>
      database.query(`
        select number, commits_synced_at is not null as read, commits_truncated as cut,
          (select count(*)::int from commit_facts c where c.repo_id = p.repo_id and c.pr_number = p.number) as commits
        from pr_facts p order by repo_id, number`);
    const claims = [
      { number: 119, read: true, cut: true, commits: 2600 },
      { number: 120, read: false, cut: false, commits: 0 },
      { number: 121, read: false, cut: false, commits: 0 },
    ];
    // The seal, runs, attempts, their costs, logs and downloads, days three times, and one batch of commits.
    let permissions = 10;
    const first = await store.purge(noon, { runDays: 400, mayContinue: () => permissions-- > 0 });
    expect(first).toEqual({ rows: { commit_facts: 5000 }, complete: false });
    for (const row of await left()) expect(row).not.toMatchObject({ number: 121, read: true, commits: 0 });
    expect(await store.purge(noon, { runDays: 400, mayContinue: always })).toEqual({
      rows: { commit_facts: 5400 },
      complete: true,
    });
    expect(await left()).toEqual([...claims, ...claims]);
  });

  test('what the service noted of itself goes in its time', async () => {
    const { store, database } = await given.openRaw();
    const { sessions, jobRuns } = store;
    const opened = async (createdAt: number) => {
      const idHash = randomBytes(32);
      const user = { userId: 1, login: 'ann', userAgentShort: '', tokenHash: randomBytes(32) };
      await sessions.create({ idHash, ...user, createdAt, expiresAt: createdAt + day });
      return idHash;
    };
    const live = await opened(noon);
    const ended = await opened(noon - 10 * day);
    await opened(noon - 32 * day);
    await sessions.revoke(ended, 'signed_out', noon - 9 * day);
    for (const age of [61, 59])
      await jobRuns.start({ job: 'purge', slot: `${age}`, trigger: 'http', now: noon - age * day });
    await database.query(
      `insert into webhook_deliveries (delivery_id, event, received_at)
       select age, 'workflow_run', to_timestamp($1::float8 / 1000) - age * interval '1 day' from unnest(array[61, 59]) age`,
      [noon],
    );
    for (const age of [401, 399]) {
      await database.query(insertEvent, [noon - age * day]);
      await database.query(insertDigest, [noon - age * day]);
    }
    for (const [expiry, revoked] of [
      [31, null],
      [29, null],
      [-9, 31],
      [-9, 29],
      [99, 31],
      [-9, null],
    ] as const)
      await database.query(insertToken, [noon, expiry, revoked]);
    for (const [expiry, revoked] of [
      [8, null],
      [6, null],
      [null, 8],
      [null, null],
    ] as const)
      await database.query(insertShare, [noon, expiry, revoked]);
    const purge = () => store.purge(noon, { runDays: 400, mayContinue: always });
    const rows = {
      sessions: 1,
      access_tokens: 3,
      shares: 2,
      job_runs: 1,
      webhook_deliveries: 1,
      alert_events: 1,
      digest_sends: 1,
    };
    expect(await purge()).toEqual({ rows, complete: true });
    expect(await purge()).toEqual({ rows: {}, complete: true });
    expect(await sessions.find(live, noon)).not.toBeNull();
    expect((await jobRuns.latest('purge', 9)).map(({ slot }) => slot)).toEqual(['59']);
    expect(await database.query('select delivery_id from webhook_deliveries')).toEqual([{ delivery_id: '59' }]);
  });
});

const insertEvent = `
  insert into alert_events (scope, scope_key, metric, threshold, window_hours, value, sample_size, source, computed_at,
    fired_at, details, channel, delivery_status, is_test)
  select 'org:octo', 'octo', 'failure_rate', 20, 24, 30, 9, 'cron', at, at, '{}', 'browser', 'none', false
  from to_timestamp($1::float8 / 1000) at`;

const insertToken = `
  insert into access_tokens (id_hash, kind, account_id, login, name, hint, features, sealed, platform_token_hash,
    created_at, expires_at, revoked_at)
  select gen_random_uuid()::text::bytea, 'personal', 1, 'ann', 'x', 'abcd', '{}', '', '', at, at - $2 * day, at - $3 * day
  from to_timestamp($1::float8 / 1000) at, (select interval '1 day' as day) unit`;

const insertShare = `
  insert into shares (token_hash, kind, account_id, login, page, created_at, expires_at, revoked_at, opens_by_day)
  select gen_random_uuid()::text::bytea, 'link', 1, 'ann', '/repos/octo/web', at, at - $2 * day, at - $3 * day, '{}'
  from to_timestamp($1::float8 / 1000) at, (select interval '1 day' as day) unit`;

const insertDigest = `
  insert into digest_sends (kind, slot, destination, status, events, started_at)
  values ('daily', '2026-01-01', 'a@codehost.example', 'sent', 1, to_timestamp($1::float8 / 1000))`;
