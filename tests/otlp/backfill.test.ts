import { describe, expect, test } from 'vitest';
import { continueBackfills } from '../../server/otlp/backfill.ts';
import { exportSpans } from '../../server/otlp/export.ts';
import { createLog } from '../../server/platform/log.ts';
import type { BackfillRequest } from '../../server/store/otlp-backfills.ts';
import { day, repository } from '../store/world.ts';
import { cheapestDatabase, eachDatabase } from '../support/database.ts';
import { partialSuccess } from '../support/otlp-receiver.ts';
import { rounds } from '../support/rounds.ts';
import { by, dying, env, jobOf, minute, noon, openStage, run, type Stage, saveDestination, usual } from './stage.ts';

const attempts = rounds('OTLP_BACKFILL', 1200, 10_000);
const everything = { from: noon - 30 * day, to: noon, repo: null, again: false };
/** A run of the range; what completes meanwhile is not of it. */
const past = (id: number, rest: Parameters<typeof run>[1] = {}) => run(id, { createdAt: noon - minute, ...rest });

/** A stage whose runs were stored before there was a destination; every third of them, or so, with its jobs. */
async function storeRuns(stage: Stage, runIds: readonly number[], every = 3): Promise<Stage> {
  await stage.store.otlpDestinations.delete(stage.id, by);
  for (let start = 0; start < runIds.length; start += 500)
    await stage.take(...runIds.slice(start, start + 500).map((id) => past(id)));
  for (const id of runIds) if (id % every === 0) await stage.takeJobs(id, [jobOf(id)]);
  return { ...stage, id: await saveDestination(stage.store, stage.receiver) };
}

const start = async ({ store, id }: Stage, request: Partial<BackfillRequest> = {}) =>
  (await store.otlpBackfills.start({ ...everything, destinationId: id, ...request }, by)) as number;
const find = async ({ store }: Stage, id: number) => {
  const found = await store.otlpBackfills.find(id);
  if (!found) throw new Error('There is no such backfill.');
  return found;
};
const goOn = ({ store, clock }: Stage) => continueBackfills({ store, clock }, () => true);

/** Goes on every ten seconds until it ends; answers what was done each time. */
async function finish(stage: Stage, id: number): Promise<number[]> {
  const progress: number[] = [];
  for (let turn = 0; turn < 1000; turn++) {
    const { state, done } = await find(stage, id);
    progress.push(done);
    if (state !== 'running') return progress;
    stage.clock.advance(10_000);
    await goOn(stage);
    await stage.send();
  }
  throw new Error('It does not end.');
}

const rootsOf = ({ receiver }: Stage) =>
  receiver.requests.flatMap(({ spans }) =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === null)
      .map((span) => Number(span.resource['cicd.pipeline.run.id'])),
  );

eachDatabase((given) => {
  const open = async (runIds: readonly number[]) => storeRuns(await openStage(await given.open()), runIds);

  describe('a backfill', () => {
    test('sends what was stored before the destination was there, each once, with the jobs that are known', async () => {
      const stage = await open([1, 2, 3]);
      expect(await stage.send()).toBe(0);
      expect(await stage.store.otlpBackfills.stored(stage.clock.now())).toEqual({ attempts: 3, withJobs: 1 });
      const id = await start(stage);
      expect(await find(stage, id)).toMatchObject({
        state: 'running',
        done: 0,
        total: 3,
        rejected: 0,
        startedBy: 'ann',
      });
      await finish(stage, id);
      expect(rootsOf(stage)).toEqual([1, 2, 3]);
      expect(stage.receiver.spans.size).toBe(3 + 4);
      expect(stage.receiver.repeated).toEqual([]);
      expect(await find(stage, id)).toMatchObject({ state: 'done', done: 3, total: 3 });
      expect(await stage.store.otlpDestinations.find(stage.id)).toMatchObject({ accepted: 7 });
    });

    test('leaves out what was sent, but sends jobs that came later than a week', async () => {
      const stage = await open([1, 2]);
      await finish(stage, await start(stage));
      await stage.takeJobs(2, [jobOf(2)]);
      await finish(stage, await start(stage));
      expect(stage.receiver.repeated).toEqual([]);
      expect(rootsOf(stage)).toEqual([1, 2]);
      expect(stage.receiver.spans.size).toBe(2 + 4);
    });

    test('sends the same again, byte by byte, where that is asked for', async () => {
      const stage = await open([1, 2, 3]);
      await finish(stage, await start(stage));
      const { spans, repeated } = stage.receiver;
      await finish(stage, await start(stage, { again: true }));
      expect(repeated).toHaveLength(spans.size);
      for (const span of repeated) expect(span.bytes).toBe(spans.get(`${span.traceId} ${span.spanId}`)?.bytes);
      expect(await stage.store.otlpDestinations.find(stage.id)).toMatchObject({ accepted: spans.size });
    });

    test('is of one range and repository, and of what the destination takes', async () => {
      const stage = await open([1]);
      const otherId = await stage.store.repositories.track(repository(2), 'ann', noon);
      await stage.store.otlpDestinations.delete(stage.id, by);
      await stage.store.runs.ingest(otherId, [past(11), past(12, { createdAt: noon - 10 * day })], {
        syncedAt: stage.clock.now(),
      });
      await stage.take(past(2, { workflowName: 'Lint' }));
      const filtered = { ...stage, id: await saveDestination(stage.store, stage.receiver, { workflows: ['lint'] }) };
      const all = { ...stage, id: await saveDestination(stage.store, stage.receiver) };
      const ofRepository = await start(all, { repo: 'octo/repo-2', from: noon - day });
      expect((await find(stage, ofRepository)).total).toBe(1);
      await finish(all, ofRepository);
      expect(rootsOf(stage)).toEqual([11]);
      await finish(filtered, await start(filtered));
      expect(rootsOf(stage)).toEqual([11, 2]);
    });

    test('runs once at a time for a destination', async () => {
      const stage = await open([1]);
      const id = await start(stage);
      expect(await stage.store.otlpBackfills.start({ ...everything, destinationId: stage.id }, by)).toBe(null);
      await stage.store.otlpBackfills.change(id, 'pause', by);
      const second = await start(stage);
      expect(await stage.store.otlpBackfills.change(id, 'resume', by)).toBe(false);
      await stage.store.otlpBackfills.change(second, 'cancel', by);
      expect(await stage.store.otlpBackfills.change(id, 'resume', by)).toBe(true);
    });

    test('is paused, resumed and cancelled; what waits is sent no longer', async () => {
      const stage = await open([1, 2, 3]);
      const id = await start(stage);
      expect(await goOn(stage)).toBe(3);
      await stage.store.otlpBackfills.change(id, 'pause', by);
      expect(await stage.send()).toBe(0);
      expect(await find(stage, id)).toMatchObject({ state: 'paused', done: 0 });
      await stage.store.otlpBackfills.change(id, 'resume', by);
      await finish(stage, id);
      expect(rootsOf(stage)).toEqual([1, 2, 3]);
      const again = await start(stage, { again: true });
      await goOn(stage);
      await stage.store.otlpBackfills.change(again, 'cancel', by);
      expect(await stage.send()).toBe(0);
      expect(await goOn(stage)).toBe(0);
      expect(await find(stage, again)).toMatchObject({ state: 'cancelled', finishedAt: by.now, done: 0 });
      const entries = await stage.store.audit.list({
        limit: 2,
        before: null,
        categories: null,
        actor: null,
        action: null,
      });
      expect(entries.map(({ action }) => action)).toEqual(['otlp.backfill_cancelled', 'otlp.backfill_started']);
    });

    test('comes after everything else that is due, and waits while a receiver is away or refuses', async () => {
      const stage = await open([1, 2]);
      const { store, clock, receiver } = stage;
      const id = await start(stage);
      await stage.take(run(3));
      expect(await goOn(stage)).toBe(2);
      clock.advance(minute);
      receiver.answer = () => ({ status: 503, headers: { 'retry-after': '60' } });
      await stage.send();
      receiver.answer = null;
      clock.advance(minute);
      await stage.send();
      expect(rootsOf(stage).slice(1)).toEqual([3, 1, 2]);
      await store.otlpDestinations.refuse(stage.id, 1, 'no');
      await store.otlpBackfills.change(id, 'cancel', by);
      const again = await start(stage, { again: true });
      expect(await goOn(stage)).toBe(0);
      await store.otlpDestinations.update(
        stage.id,
        { name: 'Collector', endpoint: receiver.url, enabled: true, options: usual },
        by,
      );
      await finish(stage, again);
      expect(await find(stage, again)).toMatchObject({ state: 'done', done: 2 });
    });

    test('does not end by what somebody saw before it was paused and resumed', async () => {
      const stage = await open([1]);
      const { store, clock } = stage;
      const id = await start(stage);
      const pace = { limit: 500, perSecond: 50 };
      await store.otlpBackfills.change(id, 'pause', by);
      expect(await store.otlpBackfills.step({ id, destinationId: stage.id }, pace, clock.now())).toBe(null);
      await store.otlpBackfills.change(id, 'resume', by);
      await store.otlpBackfills.end(id, clock.now());
      expect(await find(stage, id)).toMatchObject({ state: 'running' });
      await finish(stage, id);
      expect(rootsOf(stage)).toEqual([1]);
    });

    test('goes past what is set aside, with the jobs that hang below it', async () => {
      const stage = await openStage(await given.open());
      stage.receiver.answer = () => ({ status: 400 });
      // So long after its end that its jobs are not waited for.
      stage.clock.advance(9 * day);
      await stage.take(past(1));
      stage.clock.advance(minute);
      await stage.send();
      stage.receiver.answer = null;
      await stage.takeJobs(1, [jobOf(1)]);
      const id = await start(stage);
      await finish(stage, id);
      expect(await find(stage, id)).toMatchObject({ state: 'done' });
      await stage.store.otlpOutbox.resend(stage.id, by);
      await stage.send();
      await finish(stage, await start(stage));
      expect(stage.receiver.spans.size).toBe(5);
    });

    test('does not wait for jobs that are no longer there', async () => {
      const { store, database } = await given.openRaw();
      const stage = await storeRuns(await openStage(store), [3]);
      const id = await start(stage);
      expect(await goOn(stage)).toBe(1);
      await database.query('delete from workflow_jobs');
      await finish(stage, id);
      expect(await find(stage, id)).toMatchObject({ state: 'done', done: 1 });
    });

    test('cancelled, leaves what was set aside to be sent again', async () => {
      const stage = await open([1, 2]);
      const id = await start(stage);
      await goOn(stage);
      stage.receiver.answer = ({ spans }) => ({
        status: spans.length > 1 ? 400 : spans[0]?.resource['cicd.pipeline.run.id'] === '1' ? 400 : 503,
      });
      await stage.send();
      await stage.store.otlpBackfills.change(id, 'cancel', by);
      expect(await find(stage, id)).toMatchObject({ done: 1, rejected: 1 });
      stage.receiver.answer = null;
      expect(await stage.store.otlpOutbox.resend(stage.id, by)).toBe(1);
      expect(await stage.send()).toBe(1);
    });

    test('counts what was rejected of it, and not of other runs in the same request', async () => {
      const stage = await open([4, 5]);
      const { store, clock } = stage;
      const id = await start(stage);
      await goOn(stage);
      await stage.take(run(1));
      clock.advance(minute);
      const rows = [
        ...(await store.otlpOutbox.claim(stage.id, 9, clock.now())),
        ...(await store.otlpOutbox.claim(stage.id, 9, clock.now())),
      ].filter(({ part }) => part === 'attempt');
      expect(rows.map(({ runId }) => runId).sort()).toEqual([1, 4, 5]);
      const accept = (runIds: readonly number[], rejected: number) => {
        const sent = rows.filter(({ runId }) => runIds.includes(runId));
        const units = sent.map((row) => ({ ...row, spans: 1, carriedOver: 0 }));
        return store.otlpOutbox.accept(stage.id, units, { rejected, message: 'too old' }, clock.now());
      };
      // A receiver does not say which: the first of a request count as rejected.
      await accept([1, 4], 1);
      expect((await find(stage, id)).rejected).toBe(0);
      await accept([5], 1);
      expect((await find(stage, id)).rejected).toBe(1);
    });

    test('counts what the receiver does not take, and sends it again like anything else', async () => {
      const stage = await open([1, 2, 4]);
      const id = await start(stage);
      let poisoned: number | null = 2;
      stage.receiver.answer = ({ spans }) => {
        if (spans.some(({ resource }) => resource['cicd.pipeline.run.id'] === String(poisoned)))
          return { status: 400, body: 'too old' };
        return spans.length === 1 ? { status: 200, body: partialSuccess(1, 'too old') } : undefined;
      };
      await finish(stage, id);
      expect((await find(stage, id)).rejected).toBeGreaterThanOrEqual(2);
      poisoned = null;
      stage.receiver.answer = null;
      await stage.store.otlpOutbox.resend(stage.id, by);
      await stage.send();
      expect([...new Set(rootsOf(stage))].sort()).toEqual([1, 2, 4]);
      expect(await find(stage, id)).toMatchObject({ state: 'done', done: 3 });
    });
  });
});

cheapestDatabase((given) => {
  test(`of ${attempts} attempts, killed five times, sends each once; live runs overtake it, progress never falls`, async () => {
    const runIds = Array.from({ length: attempts }, (_, index) => index + 1);
    const { store, database } = await given.openRaw();
    const stage = await storeRuns(await openStage(store), runIds, 100);
    const { clock, receiver } = stage;
    const id = await start(stage);
    const log = createLog('silent');
    let live = attempts;
    let died = 0;
    const progress: number[] = [];
    const delays: number[] = [];
    for (let turn = 0; (await find(stage, id)).state === 'running' && turn < attempts; turn++) {
      progress.push((await find(stage, id)).done);
      const calls = died < 5 ? 1 + ((turn * 5) % 7) : Number.POSITIVE_INFINITY;
      const services = { store: dying(store, calls, turn % 2 === 0), env, clock, log };
      await stage.take(run(++live));
      // What the dead process had is free after its lease, and the live run is due.
      clock.advance(2 * minute);
      const seen = receiver.requests.length;
      try {
        await exportSpans(services, () => true);
        await continueBackfills({ store: { ...services.store, leases: store.leases }, clock }, () => true);
        await exportSpans(services, () => true);
        const sent = rootsOf({ ...stage, receiver: { ...receiver, requests: receiver.requests.slice(seen) } });
        delays.push(sent.indexOf(live));
      } catch {
        died += 1;
      }
    }
    expect(died).toBe(5);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(await find(stage, id)).toMatchObject({ state: 'done', done: attempts, total: attempts });
    const sent = database.db
      .selectFrom('otlp_sent')
      .where('part', '=', 'attempt')
      .where('destinationId', '=', stage.id);
    const { count } = await sent.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow();
    expect(Number(count)).toBe(live);
    expect(Math.max(...delays)).toBeLessThan(10);
    expect(new Set(rootsOf(stage)).size).toBe(live);
    for (const span of receiver.repeated)
      expect(span.bytes).toBe(receiver.spans.get(`${span.traceId} ${span.spanId}`)?.bytes);
  });

  test('goes no faster than fifty attempts a second', async () => {
    const stage = await storeRuns(
      await openStage(await given.open()),
      Array.from({ length: 700 }, (_, index) => index + 1),
    );
    const id = await start(stage);
    expect(await goOn(stage)).toBe(500);
    await stage.send();
    stage.clock.advance(9999);
    expect(await goOn(stage)).toBe(0);
    stage.clock.advance(1);
    expect(await goOn(stage)).toBe(200);
    await stage.send();
    await finish(stage, id);
  });
});
