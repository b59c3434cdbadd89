import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { aDatabase } from '../support/a-database.ts';
import { openTestStore } from '../support/database.ts';
import { denial, request, surface, threeProviders } from './generate-doubles.ts';

const { doubles, later, asks, begin } = threeProviders();

const day = 86_400_000;
const written = '{"summary":"Runs: 12."}';
const keys = ['openai'] as const;

aDatabase((which) => {
  let store: Store;
  /** That of another process, where the database can have one. */
  let other: Store;
  let database: Database;
  beforeAll(async () => {
    ({ store, database } = await which.openRaw());
    const url = await database.query<{ name: string; socket: string }>(
      `select current_database() as name, current_setting('unix_socket_directories', true) as socket`,
    );
    const [{ name, socket } = { name: '', socket: '' }] = url;
    const address = `postgres://postgres@localhost/${name}?host=${encodeURIComponent(socket)}`;
    other = which.name === 'embedded' ? store : await openTestStore(address, { migrate: false });
    return () => (other === store ? undefined : other.close());
  });
  // Each test has a day of its own, with tokens of its own and nothing stored.
  beforeEach(() => later(day));

  const both = (options: Parameters<typeof begin>[0] = {}) => [
    begin({ store, keys, ...options }),
    begin({ store: other, keys, ...options }),
  ];
  const usage = () =>
    database.query(`select prompt_tokens::int as prompt, completion_tokens::int as completion,
      reserved::int as reserved, calls from ai_usage_daily order by day desc limit 1`);

  test('twenty who ask two processes at once share one text', async () => {
    doubles.openai.next({ text: written, afterMs: 150 });
    const [one, two] = both();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_one, index) => (index % 2 ? one : two)?.generate(surface, request)),
    );
    expect(all.map((text) => text?.content.summary)).toEqual(Array(20).fill('Runs: 12.'));
    expect(asks()).toEqual([0, 0, 1]);
  });

  test('twenty who want it fresh at once share one too', async () => {
    doubles.openai.next({ text: written }, { text: '{"summary":"Now: 30."}', afterMs: 600 });
    const [one, two] = both();
    await one?.generate(surface, request);
    later(1000);
    const fresh = { ...request, refresh: true };
    const all = await Promise.all(
      Array.from({ length: 20 }, (_one, index) => (index % 2 ? one : two)?.generate(surface, fresh)),
    );
    expect(all.map((text) => text?.content.summary)).toEqual(Array(20).fill('Now: 30.'));
    expect(asks()).toEqual([0, 0, 2]);
  });

  test('what one process wrote the other shows, until its time is over', async () => {
    const [one, two] = both();
    const first = await one?.generate(surface, request);
    expect(await two?.generate(surface, request)).toEqual({ ...first, cached: true });
    later(surface.ttlMs);
    expect(await two?.generate(surface, request)).toMatchObject({ cached: false });
    expect(asks()).toEqual([0, 0, 2]);
    expect(await store.forgetExpired(Date.UTC(2200, 0))).toBeGreaterThan(0);
    expect(await two?.generate(surface, request)).toMatchObject({ cached: false });
  });

  test('a text of a provider that stood in is shown while it holds', async () => {
    const layer = begin({ store, keys: ['anthropic', 'openai'] });
    doubles.anthropic.next({ status: 401 });
    await layer.generate(surface, request);
    expect(await layer.generate(surface, request)).toMatchObject({ provider: 'openai', cached: true });
    expect(asks()).toEqual([1, 0, 1]);
  });

  test('who is slow to take the lease finds what another process wrote in between', async () => {
    const [one] = both();
    const hold: Store['leases']['hold'] = async (job, holder, work) => {
      await one?.generate(surface, request);
      return store.leases.hold(job, holder, work);
    };
    const slow = begin({ store: { ...store, leases: { ...store.leases, hold } }, keys });
    expect(await slow.generate(surface, request)).toMatchObject({ cached: true });
    expect(asks()).toEqual([0, 0, 1]);
  });

  test('who waits for another process gives up with the time for all attempts, and can ask again', async () => {
    const layer = begin({ store, keys });
    const impatient = begin({ store, keys, waits: { AI_TOTAL_BUDGET_MS: 300 } });
    await layer.generate(surface, request);
    const [key] = await database.query<{ key: string }>('select key from ai_cache');
    const lease = `ai:${key?.key}`;
    await store.forgetExpired(Date.UTC(2200, 0));
    await store.leases.acquire(lease, 'another process');
    expect(await denial(impatient.generate(surface, request))).toBe('ai_unavailable');
    await store.leases.release(lease, 'another process');
    expect(await layer.generate(surface, request)).toMatchObject({ cached: false });
    expect(asks()).toEqual([0, 0, 2]);
  });

  describe('tokens', () => {
    test('are counted as the provider reports them, and as they were estimated where it does not', async () => {
      const layer = begin({ store, keys });
      doubles.openai.next({ text: written, usage: { prompt: 70, completion: 9 } });
      await layer.generate(surface, request);
      expect(await usage()).toEqual([{ prompt: 70, completion: 9, reserved: 0, calls: 1 }]);
      doubles.openai.next({ text: written, usage: null });
      await layer.generate(surface, { ...request, refresh: true });
      const estimated = Math.ceil((surface.system.length + JSON.stringify(request.snapshot).length) / 3);
      expect(await usage()).toEqual([{ prompt: 70 + estimated, completion: 309, reserved: 0, calls: 2 }]);
    });

    test('of an error are none, of what may have been written all that were set aside', async () => {
      const layer = begin({ store, keys, waits: { AI_TIMEOUT_MS: 800 } });
      doubles.openai.next({ status: 401 });
      await denial(layer.generate(surface, request));
      expect(await usage()).toEqual([{ prompt: 0, completion: 0, reserved: 0, calls: 1 }]);
      doubles.openai.next('silence', { status: 401 });
      await denial(layer.generate(surface, request));
      expect(await usage()).toMatchObject([{ completion: 300, reserved: 0, calls: 3 }]);
    });

    test('are set aside while a call is under way', async () => {
      doubles.openai.next({ text: written, afterMs: 100 });
      const layer = begin({ store, keys });
      const under = layer.generate(surface, request);
      await expect.poll(() => doubles.openai.received.length).toBe(1);
      expect(await usage()).toMatchObject([{ prompt: 0, reserved: expect.any(Number), calls: 1 }]);
      expect(((await usage())[0] as { reserved: number }).reserved).toBeGreaterThan(300);
      await under;
    });

    test('are counted for all processes: what is spent refuses new texts, and shows stored ones', async () => {
      const [one, two] = both({ env: { AI_DAILY_TOKEN_BUDGET: '1000' } });
      doubles.openai.next({ text: written, usage: { prompt: 500, completion: 200 } });
      await one?.generate(surface, request);
      const another = { ...request, scope: 'repo:octo/api' };
      expect(await denial(two?.generate(surface, another) ?? Promise.resolve())).toBe('ai_budget_exhausted');
      expect(await two?.generate(surface, request)).toMatchObject({ cached: true });
      expect(asks()).toEqual([0, 0, 1]);
      later(day);
      expect(await two?.generate(surface, another)).toMatchObject({ cached: false });
    });

    test('are stored for the email where people may take none any more', async () => {
      const layer = begin({ store, keys, env: { AI_DAILY_TOKEN_BUDGET: '1000' } });
      doubles.openai.next({ text: written, usage: { prompt: 600, completion: 50 } });
      await layer.generate(surface, request);
      const another = { ...request, scope: 'org:octo' };
      expect(await denial(layer.generate(surface, another))).toBe('ai_budget_exhausted');
      expect(await layer.generate(surface, { ...another, priority: 'digest' })).toMatchObject({ cached: false });
    });
  });
});
