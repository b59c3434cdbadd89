import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { otlpJobs } from '../../jobs/otlp-jobs.ts';
import { jobContext } from '../../jobs/run-job.ts';
import type { LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { exportSpans } from '../../server/otlp/export.ts';
import { attemptSpanId, traceHost, traceId } from '../../server/otlp/ids.ts';
import type { OtlpOptions } from '../../server/store/entities/otlp.ts';
import type { Store } from '../../server/store/orm.ts';
import { jobsOf, repositoryOf } from '../codehost-double/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { openReceiver, type Receiver } from '../support/otlp-receiver.ts';
import { type Service, startService } from '../support/service.ts';
import { repoIdOf } from '../sync/stage.ts';
import { minute, usual } from './stage.ts';

/** What the platform does not have is remembered by the process, so that ids are of one test alone. */
let number = 0;

aDatabase((database) => {
  let service: Service;
  let store: Store;
  let receiver: Receiver;
  let id = 0;
  let name = '';

  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await database.migrated(),
      CODEHOST_TOKEN: 'token-ann',
      OTLP_ALLOWED_HOSTS: '127.0.0.1',
    });
    store = service.app.services.store as Store;
  });
  afterAll(() => service?.close());
  beforeEach(async () => {
    // The free report of the quota is believed for half a minute.
    service.clock.advance(60 * minute);
    name = `octo/traced-${++number}`;
    service.double.addRepository({ name, facts: { id: 81_000 + number } });
    receiver = await openReceiver();
    const by = { actor: { id: 1, login: 'ann' }, requestId: null, now: now() };
    if (id > 0) await store.otlpDestinations.delete(id, by);
    id = await addDestination();
  });

  const now = () => service.clock.now();
  const addDestination = async (options: Partial<OtlpOptions> = {}) => {
    const by = { actor: { id: 1, login: 'ann' }, requestId: null, now: now() };
    const destination = { name: 'Collector', endpoint: receiver.url, enabled: true };
    const saved = { ...destination, options: { ...usual, ...options } };
    return (await store.otlpDestinations.create(saved, 5, by)) as number;
  };
  /** Stores runs that ended just now, as if they were read. */
  const take = async (...runIds: number[]) => {
    for (const runId of runIds)
      service.double.putRun(name, { id: runId, workflowId: 1, createdAt: now() - 10 * minute, updatedAt: now() });
    const { facts, runs } = repositoryOf(service.double.world, name);
    const repoId = await store.repositories.track(facts, 'ann', now());
    const taken = runIds.flatMap((runId) => runs.get(runId) ?? []);
    await store.runs.ingest(repoId, taken, { syncedAt: now() });
  };
  const fetchJobs = async (mayContinue = true) => {
    service.double.requests.length = 0;
    const context = jobContext(otlpJobs, service.app.services, AbortSignal.any([]));
    const { summary } = await otlpJobs.run({ ...context, mayContinue: () => mayContinue && context.mayContinue() });
    return summary.attempts;
  };
  const send = () => exportSpans({ ...service.app.services, store }, () => true);
  /** Runs whose jobs the platform was asked for, in this order. */
  const asked = () =>
    service.double.requests.flatMap(({ operation, path }) =>
      operation === 'actions/list-jobs-for-workflow-run-attempt' ? Number(path.match(/runs\/(\d+)/)?.[1]) : [],
    );

  test('jobs that nothing brought are read after 15 minutes, and sent below the root that is there', async () => {
    await take(1001);
    service.clock.advance(minute);
    expect(await send()).toBe(1);
    service.clock.advance(14 * minute - 1);
    expect(await fetchJobs()).toBe(0);
    expect(service.double.requests).toEqual([]);
    service.clock.advance(5 * minute);
    expect(await fetchJobs()).toBe(1);
    expect(asked()).toEqual([1001]);
    expect(service.double.requests.length).toBeLessThanOrEqual(3);
    const { requests, spans, repeated } = receiver;
    expect(await send()).toBeGreaterThan(0);
    const identity = {
      host: traceHost(service.app.services.env.CODEHOST_WEB_URL),
      repoId: 81_000 + number,
      runId: 1001,
      attempt: 1,
    };
    const root = { traceId: traceId(identity), spanId: attemptSpanId(identity) };
    expect(requests[0]?.spans).toMatchObject([root]);
    for (const span of spans.values()) expect(span.traceId).toBe(root.traceId);
    const parents = [...spans.values()].map(({ parentSpanId }) => parentSpanId);
    expect(parents.filter((parent) => parent === root.spanId).length).toBeGreaterThan(0);
    expect(repeated).toEqual([]);
    expect(await fetchJobs()).toBe(0);
    expect(service.double.requests).toEqual([]);
  });

  test('those that events brought are listed once they have ended, before they are sent, also the one that was lost', async () => {
    await take(7001);
    const world = repositoryOf(service.double.world, name);
    const [job] = jobsOf(world, world.runs.get(7001)?.at(-1) as LiveWorkflowRun);
    if (!job) throw new Error('The run has no job.');
    world.jobs.set('7001/1', [job, { ...job, id: job.id + 1_000_000, name: 'deploy' }]);
    await store.jobs.put(await repoIdOf(store, name), [job], now());
    service.clock.advance(minute);
    expect(await send()).toBe(1);
    expect(await fetchJobs()).toBe(1);
    expect(asked()).toEqual([7001]);
    await send();
    const names = [...receiver.spans.values()].map((span) => span.name);
    expect(names.filter((one) => [job.name, 'deploy'].includes(one)).toSorted()).toEqual(
      [job.name, 'deploy'].toSorted(),
    );
    expect(await fetchJobs()).toBe(0);
    expect(service.double.requests).toEqual([]);
  });

  test('those that events brought are sent after an hour where no list could be read', async () => {
    await take(7101);
    const { runs } = repositoryOf(service.double.world, name);
    const [job] = jobsOf(repositoryOf(service.double.world, name), runs.get(7101)?.at(-1) as LiveWorkflowRun);
    if (!job) throw new Error('The run has no job.');
    runs.delete(7101);
    await store.jobs.put(await repoIdOf(store, name), [job], now());
    service.clock.advance(minute);
    expect(await send()).toBe(1);
    expect(await fetchJobs()).toBe(0);
    service.clock.advance(30 * minute);
    expect(await send()).toBe(0);
    service.clock.advance(60 * minute);
    expect(await send()).toBeGreaterThan(0);
  });

  test('those of the newest attempts come first, sixty at a time', async () => {
    const older = Array.from({ length: 40 }, (_, index) => 2001 + index);
    await take(...older);
    service.clock.advance(minute);
    const newer = Array.from({ length: 40 }, (_, index) => 2101 + index);
    await take(...newer);
    service.clock.advance(15 * minute);
    expect(await fetchJobs()).toBe(60);
    expect(asked().toSorted((a, b) => b - a)).toEqual([...newer, ...older.slice(20)].toSorted((a, b) => b - a));
    expect(await fetchJobs()).toBe(20);
    expect(await fetchJobs()).toBe(0);
  });

  test('those that the platform does not have do not keep others waiting', async () => {
    await take(3001, 3002);
    repositoryOf(service.double.world, name).runs.delete(3002);
    service.clock.advance(15 * minute);
    expect(await fetchJobs()).toBe(1);
    expect(asked().toSorted()).toEqual([3001, 3002]);
    expect(await fetchJobs()).toBe(0);
    expect(asked()).toEqual([]);
  });

  test('four fifths of the quota are left to everything else', async () => {
    await take(4001);
    service.clock.advance(15 * minute);
    service.double.budgets.setRemaining('ann', 'core', 3999);
    expect(await fetchJobs()).toBe(0);
    expect(asked()).toEqual([]);
    service.clock.advance(120 * minute);
    expect(await fetchJobs(false)).toBe(0);
    expect(asked()).toEqual([]);
    expect(await fetchJobs()).toBe(1);
  });

  test('none are read for a destination that does not want it', async () => {
    await store.otlpDestinations.delete(id, { actor: { id: 1, login: 'ann' }, requestId: null, now: now() });
    id = await addDestination({ fetch_jobs: false });
    await take(5001);
    service.clock.advance(15 * minute);
    expect(await fetchJobs()).toBe(0);
    expect(service.double.requests).toEqual([]);
  });

  test('one process at a time reads', async () => {
    await take(6001);
    service.clock.advance(15 * minute);
    await store.leases.acquire('otlp-jobs', 'another');
    expect(await fetchJobs()).toBe(0);
    await store.leases.release('otlp-jobs', 'another');
    expect(await fetchJobs()).toBe(1);
  });
});
