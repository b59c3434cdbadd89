import { expect, test } from 'vitest';
import { openHeaders, sealHeaders } from '../../server/otlp/destination.ts';
import { dropOutdated } from '../../server/otlp/drop-outdated.ts';
import { prepareDestinations } from '../../server/otlp/environment.ts';
import { readEnv } from '../../server/platform/env.ts';
import { day } from '../store/world.ts';
import { cheapestDatabase } from '../support/database.ts';
import { openReceiver } from '../support/otlp-receiver.ts';
import { env, jobOf, minute, openStage, run } from './stage.ts';

const secret = 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo';
const later = 'Zq7Lw2NfTyR4bHc9DxKe6MvPsJ1uGaOi';

cheapestDatabase((given) => {
  test('the destination of the environment is used without an administrator, and goes with its variable', async () => {
    const store = await given.open();
    const stage = await openStage(store);
    const { url, spans, requests } = await openReceiver();
    const named = { ...env, OTLP_ENDPOINT: url, OTLP_HEADERS: { 'x-team': 'a b' }, OTLP_ALLOWED_HOSTS: [] };
    await prepareDestinations(store, named);
    await prepareDestinations(store, named);
    await stage.take(run(1));
    stage.clock.advance(minute);
    expect(await stage.send()).toBe(2);
    expect([spans.size, stage.receiver.spans.size]).toEqual([1, 1]);
    expect(requests[0]?.headers).toMatchObject({ 'x-team': 'a b' });
    await prepareDestinations(store, env);
    expect((await store.otlpDestinations.list()).map(({ id }) => id)).toEqual([stage.id]);
    // Its jobs that waited, and the attempt that was sent.
    expect(await dropOutdated({ store, env, clock: stage.clock }, () => true)).toBe(2);
    expect(await dropOutdated({ store, env, clock: stage.clock }, () => true)).toBe(0);
    expect(await store.otlpOutbox.depth(0, stage.clock.now() + 8 * day)).toMatchObject({ due: 0, waiting: 0 });
  });

  test('of more rows than a destination may have the oldest are deleted, and nobody counts rows that cannot be so many', async () => {
    const { store, clock, take, id } = await openStage(await given.open());
    await take(run(1));
    clock.advance(minute);
    await take(run(2));
    const noted = clock.now();
    clock.advance(minute);
    await take(run(3));
    expect(await store.otlpOutbox.createdAtRank(id, 2)).toBe(noted);
    expect(await store.otlpOutbox.createdAtRank(id, 6)).toBeNull();
    expect(await store.otlpOutbox.createdAtRank(id, 5_000_000)).toBeNull();
  });

  test('headers that an earlier key sealed are sealed anew, and then open without it', async () => {
    const store = await given.open();
    const { id } = await openStage(store);
    const [changed, afterwards] = [
      { ...env, SESSION_SECRET: later, SESSION_SECRET_PREVIOUS: [secret] },
      { ...env, SESSION_SECRET: later },
    ];
    const open = async () => {
      const found = await store.otlpDestinations.find(id);
      return found && openHeaders(afterwards, found.endpoint, found.headersSealed);
    };
    expect(await open()).toBeNull();
    await prepareDestinations(store, changed);
    expect(await open()).toEqual({ 'x-key': 'secret-value' });
  });

  test('samples are chosen by the host of the platform as it is now', async () => {
    const store = await given.open();
    const { id } = await openStage(store, { parallel: 2 });
    await prepareDestinations(store, { ...env, CODEHOST_WEB_URL: 'https://moved.test:8443' });
    expect((await store.otlpDestinations.find(id))?.options).toMatchObject({ host: 'moved.test:8443', parallel: 2 });
  });

  test('what waits too long is deleted', async () => {
    const { store, clock, take, id } = await openStage(await given.open());
    await take(run(1));
    clock.advance(7 * day - 1);
    expect(await dropOutdated({ store, env, clock }, () => true)).toBe(0);
    clock.advance(2);
    expect(await dropOutdated({ store, env, clock }, () => false)).toBe(0);
    expect(await dropOutdated({ store, env, clock }, () => true)).toBe(2);
    expect(await store.otlpDestinations.find(id)).toMatchObject({ dropped: 1, withoutJobs: 1 });
  });

  test('jobs that nobody knows yet are awaited for seven days, however short traces wait', async () => {
    const { store, clock, take, takeJobs, send, id } = await openStage(await given.open());
    const services = { store, env: { ...env, OTLP_OUTBOX_DAYS: 1 }, clock };
    await take(run(1));
    clock.advance(minute);
    expect(await send()).toBe(1);
    clock.advance(2 * day);
    expect(await dropOutdated(services, () => true)).toBe(0);
    await takeJobs(1, [jobOf(1)]);
    expect(await send()).toBeGreaterThan(0);
    await take(run(2));
    clock.advance(7 * day + minute);
    expect(await dropOutdated(services, () => true)).toBe(2);
    expect(await store.otlpDestinations.find(id)).toMatchObject({ dropped: 1, withoutJobs: 1 });
  });

  test('no header can be read in the database', async () => {
    const { store, id } = await openStage(await given.open());
    expect(JSON.stringify(await store.otlpDestinations.find(id))).not.toContain('secret-value');
  });
});

test('headers open for the origin alone that they were sealed for', () => {
  const sealed = sealHeaders(env, 'https://a.example/x', { key: 'value' });
  expect(openHeaders(env, 'https://a.example/y', sealed)).toEqual({ key: 'value' });
  for (const other of ['https://b.example/x', 'http://a.example/x', 'https://a.example:8443/x'])
    expect(openHeaders(env, other, sealed)).toBeNull();
  expect(openHeaders({ ...env, SESSION_SECRET: later }, 'https://a.example/x', sealed)).toBeNull();
});

test('headers of the environment are checked', () => {
  const read = (text: string) => readEnv({ NODE_ENV: 'test', OTLP_HEADERS: text }).OTLP_HEADERS;
  expect(read('x-key=a%2Cb, authorization=Basic%20eHg=')).toEqual({ 'x-key': 'a,b', authorization: 'Basic eHg=' });
  for (const text of ['host=a', 'Content-Type=a', 'connection=a', 'a b=c', '=a', 'key=', 'key=%', 'key=%0a', 'key=ü'])
    expect(() => read(text), text).toThrow('OTLP_HEADERS');
  for (const endpoint of ['https://a:b@c.example', 'https://c.example/?x', 'ftp://c.example', 'c'])
    expect(() => readEnv({ NODE_ENV: 'test', OTLP_ENDPOINT: endpoint })).toThrow('OTLP_ENDPOINT');
});
