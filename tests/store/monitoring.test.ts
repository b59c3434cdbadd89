import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { openQueue, queueNames } from '../../server/queue/queue.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 28);

/** The sum of each family and its labels, as a scrape shows it. */
async function read(store: Store, jobs: readonly string[] = ['nightly', 'never']) {
  const sums = new Map<string, number | null>();
  for (const { family, labels, value } of await store.monitoring.service(jobs, now)) {
    const key = [
      family,
      ...Object.entries(labels)
        .sort()
        .map(([, one]) => one),
    ].join(' ');
    sums.set(key, value === null ? (sums.get(key) ?? null) : value + (sums.get(key) ?? 0));
  }
  return sums;
}

async function runJob(store: Store, status: 'done' | 'failed', at: number, ms = 2000) {
  const id = await store.jobRuns.start({ job: 'nightly', slot: String(at), trigger: 'internal', now: at });
  await store.jobRuns.finish(id, { status, summary: {}, now: at + ms });
}

eachDatabase((database) => {
  test('a purge lowers no count of runs of jobs', async () => {
    const store = await database.open();
    for (const age of [70, 65, 3]) await runJob(store, 'done', now - age * day);
    await runJob(store, 'failed', now - day, 500);
    await store.jobRuns.start({ job: 'nightly', slot: 'x', trigger: 'internal', now });
    const before = await read(store);
    expect(before.get('das_job_runs nightly done')).toBe(3);
    const purged = await store.purge(now, { runDays: 400, mayContinue: () => true });
    expect(purged.rows.job_runs).toBe(2);
    const after = await read(store);
    for (const key of ['das_job_runs nightly done', 'das_job_runs nightly failed'])
      expect(after.get(key), key).toBe(before.get(key));
    expect([...after.keys()].filter((key) => key.startsWith('das_job_runs'))).toHaveLength(2);
    expect(after.get('das_job_last_success_timestamp_seconds nightly')).toBe((now - 3 * day + 2000) / 1000);
    expect(after.get('das_job_last_duration_seconds nightly')).toBe(0.5);
    expect(after.get('das_job_last_success_timestamp_seconds never')).toBeNull();
  });

  test('a purge lowers no count of alert events', async () => {
    const { store, database: raw } = await database.openRaw();
    const put = (age: number, status: string, isTest = false) =>
      raw.query(
        `insert into alert_events (scope, scope_key, metric, threshold, window_hours, sample_size, source, computed_at,
          fired_at, details, channel, delivery_status, is_test)
        values ('repository', 'acme/shop', 'success_rate', 1, 24, 9, 'sync', now(), to_timestamp($1), '{}', 'email', $2, $3)`,
        [(now - age * day) / 1000, status, isTest],
      );
    for (const age of [500, 401, 2]) await put(age, 'sent');
    await put(450, 'failed');
    await put(1, 'pending');
    await put(450, 'sent', true);
    const figures = async () => {
      const values = await read(store);
      return ['das_alert_events email', 'das_alert_deliveries email sent', 'das_alert_deliveries email failed'].map(
        (key) => values.get(key),
      );
    };
    expect(await figures()).toEqual([5, 3, 1]);
    expect((await store.purge(now, { runDays: 400, mayContinue: () => true })).rows.alert_events).toBe(4);
    expect(await figures()).toEqual([5, 3, 1]);
  });

  test('what is counted is stored within a second, together, and never lost at the end', async () => {
    const address = await database.address();
    const first = await openTestStore(address);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let count = 0; count < 5; count++)
      first.sharedCounters.add('das_webhook_deliveries', { event: 'ping', outcome: 'stored' });
    first.sharedCounters.add('das_webhook_deliveries', { outcome: 'stored', event: 'ping' }, 2);
    vi.useRealTimers();
    expect((await read(first)).get('das_webhook_deliveries ping stored')).toBeUndefined();
    await first.close();
    const second = await openTestStore(address);
    onTestFinished(() => second.close());
    expect((await read(second)).get('das_webhook_deliveries ping stored')).toBe(7);
    second.sharedCounters.add('das_webhook_deliveries', { event: 'ping', outcome: 'stored' });
    await second.sharedCounters.flush();
    expect((await read(second)).get('das_webhook_deliveries ping stored')).toBe(8);
    second.sharedCounters.add('das_ai_tokens', { provider: 'openai' }, 40);
    await expect.poll(async () => (await read(second)).get('das_ai_tokens openai'), { timeout: 3000 }).toBe(40);
  });

  test('a measured value replaces the one before, also beside counts and after it could not be stored', async () => {
    const { store, database: raw } = await database.openRaw();
    const set = (value: number) => store.sharedCounters.set('das_webhook_ingest_lag_seconds', {}, value);
    const lag = async () => (await read(store)).get('das_webhook_ingest_lag_seconds');
    set(9);
    set(4);
    store.sharedCounters.add('das_ai_tokens', { provider: 'openai' }, 3);
    await store.sharedCounters.flush();
    expect([await lag(), (await read(store)).get('das_ai_tokens openai')]).toEqual([4, 3]);
    await raw.query('alter table counters rename to away');
    set(7);
    const failing = store.sharedCounters.flush();
    set(2);
    await failing;
    await raw.query('alter table away rename to counters');
    await store.sharedCounters.flush();
    expect(await lag()).toBe(2);
  });

  test('what could not be stored is stored with the next', async () => {
    const { store, database: raw } = await database.openRaw();
    await raw.query('alter table counters rename to away');
    store.sharedCounters.add('das_ai_tokens', { provider: 'openai' }, 3);
    await store.sharedCounters.flush();
    await raw.query('alter table away rename to counters');
    store.sharedCounters.add('das_ai_tokens', { provider: 'openai' }, 4);
    await store.sharedCounters.flush();
    expect((await read(store)).get('das_ai_tokens openai')).toBe(7);
  });

  test('states of tokens, mail and the database', async () => {
    const { store, database: raw } = await database.openRaw();
    expect((await read(store)).has('das_mail_up')).toBe(false);
    await store.mailStatus.succeeded(now - 1000);
    expect((await read(store)).get('das_mail_up')).toBe(1);
    await store.mailStatus.failed('refused', now);
    expect((await read(store)).get('das_mail_up')).toBe(0);
    await store.mailStatus.succeeded(now + 1);
    expect((await read(store)).get('das_mail_up')).toBe(1);
    const token = (name: string, ends: number, more: string) =>
      raw.query(
        `insert into access_tokens (id_hash, kind, account_id, login, name, hint, features, sealed, platform_token_hash,
          created_at, expires_at, broken_at, revoked_at)
        values (convert_to($1, 'UTF8'), 'personal', 1, 'ann', $1, 'abcd', '{}', '', '', now(), to_timestamp($2),
          ${more})`,
        [name, (now + ends * day) / 1000],
      );
    await token('live', 30, 'null, null');
    await token('expiring', 7, 'null, null');
    await token('broken', 3, 'now(), null');
    await token('expired', 0, 'now(), null');
    await token('revoked', -1, 'now(), now()');
    const values = await read(store);
    for (const state of ['live', 'expiring', 'broken', 'expired', 'revoked'])
      expect(values.get(`das_access_tokens personal ${state}`), state).toBe(1);
    expect(values.get('das_database_size_bytes')).toBeGreaterThan(1e6);
    await raw.query('analyze access_tokens, sessions, repos');
    expect((await read(store)).get('das_database_rows repos')).toBe(0);
    expect([...values.keys()].filter((key) => key.startsWith('das_database_rows')).length).toBe(12);
  });

  test('what waits in a queue, where the queue has its tables', async () => {
    const { store, database: raw } = await database.openRaw();
    expect((await read(store)).get('queue_exists')).toBe(0);
    const queue = openQueue({ store, log: createLog('silent'), migrate: true });
    await queue.refill('collect-runs', [
      { key: 'a', data: {} },
      { key: 'b', data: {} },
    ]);
    expect((await read(store)).get('queue_exists')).toBe(1);
    let during: unknown;
    await queue.doNext('collect-runs', async () => {
      during = await store.monitoring.queues(queueNames);
      return {};
    });
    await queue.stop();
    expect(during).toEqual(
      expect.arrayContaining([
        { queue: 'collect-runs', state: 'active', items: 1, oldestSeconds: expect.any(Number) },
        { queue: 'collect-runs', state: 'waiting', items: 1, oldestSeconds: expect.any(Number) },
      ]),
    );
    const rest = await store.monitoring.queues(queueNames);
    expect(rest).toEqual([{ queue: 'collect-runs', state: 'waiting', items: 1, oldestSeconds: expect.any(Number) }]);
    expect(rest[0]?.oldestSeconds).toBeGreaterThanOrEqual(0);
    expect(rest[0]?.oldestSeconds).toBeLessThan(60);
    const age = async (startAfter: string) => {
      await raw.query(`update queue.job set created_on = now() - interval '1 day', start_after = ${startAfter}`);
      return (await store.monitoring.queues(queueNames))[0]?.oldestSeconds;
    };
    // Put off until later, and due for an hour.
    expect(await age(`now() + interval '1 hour'`)).toBe(0);
    expect(await age(`now() - interval '1 hour'`)).toBeCloseTo(3600, -2);
  });
});
