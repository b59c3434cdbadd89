import { describe, expect, test } from 'vitest';
import { attemptSpanId, jobSpanId, queueSpanId, stepSpanId, traceId } from '../../server/otlp/ids.ts';
import { aDatabase } from '../support/a-database.ts';
import { embeddedDatabase } from '../support/database.ts';
import { partialSuccess } from '../support/otlp-receiver.ts';
import { by, jobOf, minute, openStage, run, type Stage, usual } from './stage.ts';

const identity = (runId: number, attempt = 1) => ({ host: 'codehost.test', repoId: 1, runId, attempt });
const rootOf = (runId: number, attempt = 1) =>
  `${traceId(identity(runId, attempt))} ${attemptSpanId(identity(runId, attempt))}`;
/** The spans of a run with one job of two steps. */
const spansOf = (runId: number, jobId = runId * 10) => [
  rootOf(runId),
  ...[
    jobSpanId(identity(runId), jobId),
    queueSpanId(identity(runId), jobId),
    stepSpanId(identity(runId), jobId, 1),
    stepSpanId(identity(runId), jobId, 2),
  ].map((id) => `${traceId(identity(runId))} ${id}`),
];

const ids = Array.from({ length: 12 }, (_, index) => index + 1);

async function storeRuns(stage: Stage, runIds: readonly number[], withJobs = true): Promise<void> {
  await stage.take(...runIds.map((id) => run(id)));
  if (withJobs) for (const id of runIds) await stage.takeJobs(id, [jobOf(id)]);
  stage.clock.advance(minute);
}

const stateOf = ({ store, id }: Stage) => store.otlpDestinations.find(id);
const depthOf = ({ store, id, clock }: Stage) => store.otlpOutbox.depth(id, clock.now());

aDatabase((given) => {
  const open = async (options?: Parameters<typeof openStage>[1]) => openStage(await given.open(), options);

  describe('export', () => {
    test('sends every span once, with its parent in the same trace', async () => {
      const stage = await open();
      await storeRuns(stage, ids);
      expect(await stage.send()).toBe(ids.length * 5);
      const { spans, repeated, requests } = stage.receiver;
      expect([...spans.keys()].sort()).toEqual(ids.flatMap((id) => spansOf(id)).sort());
      expect(repeated).toEqual([]);
      for (const span of spans.values()) {
        expect(span.endNs).toBeGreaterThanOrEqual(span.startNs);
        if (span.parentSpanId) expect(spans.has(`${span.traceId} ${span.parentSpanId}`)).toBe(true);
        expect(span.resource).toMatchObject({ 'service.name': 'Octo/repo-1' });
      }
      expect(requests[0]).toMatchObject({
        path: '/v1/traces',
        headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip', 'x-key': 'secret-value' },
      });
      expect(await stateOf(stage)).toMatchObject({ accepted: ids.length * 5, failures: 0, state: 'active' });
      expect(await stage.send()).toBe(0);
    });

    test('sends late jobs below the root that is there, and nothing twice', async () => {
      const stage = await open();
      await storeRuns(stage, [1], false);
      expect(await stage.send()).toBe(1);
      stage.clock.advance(20 * minute);
      await stage.send();
      await stage.takeJobs(1, [jobOf(1)]);
      expect(await stage.send()).toBe(4);
      expect([...stage.receiver.spans.keys()].sort()).toEqual(spansOf(1).sort());
      expect(stage.receiver.repeated).toEqual([]);
    });

    test('the root is the same whether jobs are known or not', async () => {
      const [bare, full] = [await open(), await open()];
      await storeRuns(bare, [1], false);
      await storeRuns(full, [1]);
      await Promise.all([bare.send(), full.send()]);
      const bytes = [bare, full].map(({ receiver }) => receiver.spans.get(rootOf(1))?.bytes);
      expect(bytes[0]).toBe(bytes[1]);
      expect(bytes[0]).toMatch(/^[0-9a-f]{100,}$/);
    });

    test('waits through an outage in any form, in the order in which spans were due', async () => {
      const stage = await open();
      const outages = [
        () => 'reset' as const,
        () => ({ status: 503, headers: { 'retry-after': '7' } }),
        () => ({ status: 429 }),
        () => ({ status: 502 }),
        () => ({ status: 504 }),
      ];
      let runId = 0;
      for (const answer of outages) {
        stage.receiver.answer = answer;
        await storeRuns(stage, [++runId, ++runId]);
        const before = stage.receiver.requests.length;
        expect(await stage.send()).toBe(0);
        expect(stage.receiver.requests.length).toBe(before + 1);
        // Nothing more before the pause is over.
        await stage.send();
        expect(stage.receiver.requests.length).toBe(before + 1);
        stage.clock.advance(5 * minute);
      }
      expect(await stateOf(stage)).toMatchObject({ state: 'active', failures: outages.length });
      stage.receiver.answer = null;
      const first = stage.receiver.requests.length;
      await stage.send();
      expect([...stage.receiver.spans.keys()].sort()).toEqual(
        Array.from({ length: runId }, (_, index) => spansOf(index + 1))
          .flat()
          .sort(),
      );
      expect(stage.receiver.repeated).toEqual([]);
      const order = stage.receiver.requests
        .slice(first)
        .flatMap(({ spans }) =>
          spans
            .filter(({ parentSpanId }) => parentSpanId === null)
            .map(({ resource }) => Number(resource['cicd.pipeline.run.id'])),
        );
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order).toHaveLength(runId);
      expect(await stage.store.otlpOutbox.depth(stage.id, stage.clock.now())).toMatchObject({ due: 0 });
      expect(await stateOf(stage)).toMatchObject({ failures: 0, nextTryAt: null });
    });

    test('waits as long as the receiver says, also when the clock is set back', async () => {
      const stage = await open();
      stage.receiver.answer = () => ({ status: 503, headers: { 'retry-after': '120' } });
      await storeRuns(stage, [1], false);
      await stage.send();
      stage.receiver.answer = null;
      stage.clock.advance(119_000);
      expect(await stage.send()).toBe(0);
      stage.clock.advance(1000);
      expect(await stage.send()).toBe(1);
    });

    test('repeats spans byte by byte where the answer was lost', async () => {
      const stage = await open();
      stage.receiver.answer = () => ({ status: 503, keeps: true });
      await storeRuns(stage, [1]);
      await stage.send();
      stage.receiver.answer = null;
      stage.clock.advance(5 * minute);
      await stage.send();
      const { spans, repeated } = stage.receiver;
      expect(repeated.length).toBeGreaterThan(0);
      for (const span of repeated) expect(span.bytes).toBe(spans.get(`${span.traceId} ${span.spanId}`)?.bytes);
      expect(await stateOf(stage)).toMatchObject({ accepted: 5 });
    });

    test('does not repeat what the receiver did not take of itself, until somebody asks for it', async () => {
      const stage = await open();
      await storeRuns(stage, [1, 2], false);
      stage.receiver.answer = () => ({ status: 200, body: partialSuccess(1, 'too\u0007 old') });
      expect(await stage.send()).toBe(1);
      expect(await stateOf(stage)).toMatchObject({ accepted: 1, rejected: 1, lastError: 'too old', state: 'active' });
      stage.receiver.answer = null;
      stage.clock.advance(5 * minute);
      expect(await stage.send()).toBe(0);
      const sent = stage.receiver.requests.flatMap(({ spans }) => spans.map(({ spanId }) => spanId));
      expect(await depthOf(stage)).toMatchObject({ takenInPart: 2 });
      expect(await stage.store.otlpOutbox.resend(stage.id, by)).toBe(2);
      await stage.send();
      // The one that was not taken counts now, the other one does not count again.
      expect(await stateOf(stage)).toMatchObject({ accepted: 2, rejected: 1, lastError: null });
      expect(await depthOf(stage)).toMatchObject({ takenInPart: 0 });
      const again = stage.receiver.requests.at(-1)?.spans.map(({ spanId }) => spanId);
      expect(again?.sort()).toEqual(sent.sort());
      expect(await stage.store.otlpOutbox.resend(stage.id, by)).toBe(0);
    });

    test('a span that is rejected again is one that was rejected', async () => {
      const stage = await open();
      await storeRuns(stage, [1, 2], false);
      stage.receiver.answer = () => ({ status: 200, body: partialSuccess(1, 'too old') });
      for (let times = 0; times < 3; times++) {
        await stage.send();
        expect(await stateOf(stage)).toMatchObject({ accepted: 1, rejected: 1 });
        expect(await stage.store.otlpOutbox.resend(stage.id, by)).toBe(2);
      }
    });

    test.each([200, 202, 204])('takes %i for accepted', async (status) => {
      const stage = await open();
      await storeRuns(stage, [1], false);
      stage.receiver.answer = () => ({ status });
      expect(await stage.send()).toBe(1);
      expect(await stateOf(stage)).toMatchObject({ state: 'active', accepted: 1 });
    });

    test('failures that are stored side by side are one', async () => {
      const stage = await open();
      const failed = { message: '503', retryAfterMs: null };
      const pause = () => stage.store.otlpDestinations.pause(stage.id, failed, stage.clock.now());
      for (let times = 0; times < 20; times++) {
        await stage.store.queue.executeSql('update otlp_destinations set failures = 0, next_try_at = null');
        await Promise.all(Array.from({ length: 8 }, pause));
        expect(await stateOf(stage)).toMatchObject({ failures: 1 });
      }
    });

    test('requests that fail side by side are one failure, and end the run', async () => {
      const stage = await open({ parallel: 4 });
      await storeRuns(
        stage,
        Array.from({ length: 300 }, (_, index) => index + 1),
        false,
      );
      stage.receiver.answer = () => ({ status: 503 });
      await stage.send();
      expect(stage.receiver.requests.length).toBeLessThanOrEqual(4);
      const { failures, nextTryAt } = (await stateOf(stage)) ?? {};
      expect(failures).toBe(1);
      expect(nextTryAt).toBeLessThanOrEqual(stage.clock.now() + 1200);
    });

    test('a request that is taken ends no pause that the receiver asked for meanwhile', async () => {
      const stage = await open();
      await storeRuns(stage, [1, 2], false);
      const { store, id, clock } = stage;
      const [row] = await store.otlpOutbox.claim(id, 1, clock.now());
      if (!row) throw new Error('Nothing is due.');
      const away = { message: '503', retryAfterMs: minute };
      await store.otlpDestinations.pause(id, away, clock.now());
      await store.otlpOutbox.accept(
        id,
        [{ ...row, spans: 1, carriedOver: 0 }],
        { rejected: 0, message: null },
        clock.now(),
      );
      expect(await stateOf(stage)).toMatchObject({ failures: 1, nextTryAt: clock.now() + minute, lastError: '503' });
      expect(await stage.send()).toBe(0);
      clock.advance(minute);
      expect(await stage.send()).toBe(1);
      expect(await stateOf(stage)).toMatchObject({ failures: 0, nextTryAt: null, lastError: null });
    });

    test('waits longer with each failure, five minutes at most', async () => {
      const stage = await open();
      const { store, id, clock } = stage;
      const waited = [];
      for (let failure = 0; failure < 12; failure++) {
        await store.otlpDestinations.pause(id, { message: '503', retryAfterMs: null }, clock.now());
        const { nextTryAt } = (await stateOf(stage)) ?? {};
        waited.push((Number(nextTryAt) - clock.now()) / 1000);
        clock.advance(6 * minute);
      }
      for (const [index, seconds] of waited.entries()) {
        const usual = Math.min(2 ** index, 300);
        expect(seconds).toBeGreaterThanOrEqual(0.79 * usual);
        expect(seconds).toBeLessThanOrEqual(1.21 * usual);
      }
    });

    test('keeps what it has taken, however long its requests last', async () => {
      const stage = await open();
      await storeRuns(stage, ids, false);
      let isOther = false;
      stage.receiver.answer = async ({ spans }) => {
        if (!isOther) {
          // Each request takes 20 s, and another process sends what it finds meanwhile.
          stage.clock.advance(20_000);
          isOther = true;
          await stage.send();
          isOther = false;
        }
        return spans.length > 1 ? { status: 413 } : undefined;
      };
      await stage.send();
      expect(stage.receiver.spans.size).toBe(ids.length);
      expect(stage.receiver.repeated).toEqual([]);
    });

    test('sets one attempt aside that is not taken, and sends the others', async () => {
      const stage = await open();
      const poisoned = 7;
      await storeRuns(stage, ids, false);
      stage.receiver.answer = ({ spans }) =>
        spans.some(({ resource }) => resource['cicd.pipeline.run.id'] === String(poisoned))
          ? { status: 400, body: 'bad span' }
          : undefined;
      expect(await stage.send()).toBe(ids.length - 1);
      expect([...stage.receiver.spans.keys()].sort()).toEqual(
        ids
          .filter((id) => id !== poisoned)
          .map((id) => rootOf(id))
          .sort(),
      );
      // With the jobs that hang below it.
      expect(await stateOf(stage)).toMatchObject({ state: 'active', lastError: '400 bad span' });
      expect(await depthOf(stage)).toMatchObject({ parked: 2 });
      stage.receiver.answer = null;
      stage.clock.advance(5 * minute);
      expect(await stage.send()).toBe(0);
      await stage.store.otlpOutbox.resend(stage.id, by);
      expect(await stage.send()).toBe(1);
      expect(await depthOf(stage)).toMatchObject({ parked: 0 });
    });

    test.each([301, 401, 403, 404, 500])(
      'a receiver that answers %i is asked once, until it is saved',
      async (status) => {
        const stage = await open();
        await storeRuns(stage, [1, 2], false);
        stage.receiver.answer = () => ({ status, headers: { location: `${stage.receiver.url}/v1/traces?elsewhere` } });
        expect(await stage.send()).toBe(0);
        stage.clock.advance(60 * minute);
        expect(await stage.send()).toBe(0);
        expect(stage.receiver.requests).toHaveLength(1);
        expect(await stateOf(stage)).toMatchObject({ state: 'refused' });
        // What completes meanwhile waits.
        await storeRuns(stage, [3], false);
        stage.receiver.answer = null;
        const saved = { name: 'Collector', endpoint: stage.receiver.url, enabled: true, options: usual };
        await stage.store.otlpDestinations.update(stage.id, saved, by);
        expect(await stage.send()).toBe(3);
      },
    );

    test('a receiver that rejected requests is tried again when somebody asks for it', async () => {
      const stage = await open();
      await storeRuns(stage, [1, 2], false);
      stage.receiver.answer = () => ({ status: 403 });
      await stage.send();
      expect(await stage.store.otlpDestinations.refusedNames()).toEqual(['Collector']);
      stage.receiver.answer = null;
      expect(await stage.store.otlpOutbox.resend(stage.id, by)).toBe(0);
      expect(await stage.store.otlpDestinations.refusedNames()).toEqual([]);
      expect(await stage.send()).toBe(2);
    });

    test('what came of spans and requests is counted, and what waits', async () => {
      const stage = await open();
      const figures = async () => {
        await stage.store.sharedCounters.flush();
        const values = await stage.store.monitoring.service([], stage.clock.now());
        const ours = values.filter(({ family }) => family.startsWith('das_otlp'));
        return Object.fromEntries(
          ours.map(({ family, labels, value }) => [`${family} ${labels.outcome ?? labels.destination}`, value]),
        );
      };
      await storeRuns(stage, [1, 2], false);
      stage.clock.advance(minute);
      expect(await figures()).toEqual({
        'das_otlp_spans accepted': 0,
        'das_otlp_spans rejected': 0,
        [`das_otlp_outbox_rows ${stage.id}`]: 4,
        [`das_otlp_oldest_due_age_seconds ${stage.id}`]: 60,
      });
      const saved = { name: 'Collector', endpoint: stage.receiver.url, options: usual };
      await stage.store.otlpDestinations.update(stage.id, { ...saved, enabled: false }, by);
      expect(await figures()).toMatchObject({ [`das_otlp_oldest_due_age_seconds ${stage.id}`]: 0 });
      await stage.store.otlpDestinations.update(stage.id, { ...saved, enabled: true }, by);
      stage.receiver.answer = ({ spans }) => {
        if (spans.length > 1) return { status: 413 };
        return spans[0]?.resource['cicd.pipeline.run.id'] === '1' ? { status: 400 } : undefined;
      };
      await stage.send();
      expect(await figures()).toEqual({
        'das_otlp_spans accepted': 1,
        'das_otlp_spans rejected': 0,
        'das_otlp_spans parked': 1,
        'das_otlp_requests rejected': 1,
        'das_otlp_requests parked': 1,
        'das_otlp_requests accepted': 1,
        [`das_otlp_outbox_rows ${stage.id}`]: 1,
        [`das_otlp_oldest_due_age_seconds ${stage.id}`]: 0,
      });
    });

    test('what is told of a run that is gone is not sent', async () => {
      const stage = await open();
      await storeRuns(stage, [1, 2], false);
      await stage.store.runs.gone(stage.repoId, 1);
      expect(await stage.send()).toBe(1);
      expect(await stage.store.otlpOutbox.depth(stage.id, stage.clock.now())).toMatchObject({ due: 0 });
    });

    test('jobs of an earlier attempt are not sent with the next one', async () => {
      const stage = await open();
      await stage.take(
        run(1),
        run(1, { attempt: 2, startedAt: stage.clock.now(), updatedAt: stage.clock.now() + minute }),
      );
      stage.clock.advance(3 * minute);
      const fresh = {
        ...jobOf(1, 21, 2),
        createdAt: null,
        startedAt: stage.clock.now(),
        completedAt: stage.clock.now(),
        steps: [],
      };
      await stage.takeJobs(1, [jobOf(1, 20, 2), fresh], 2);
      await stage.send();
      expect(await stateOf(stage)).toMatchObject({ carriedOver: 1 });
      const jobs = [...stage.receiver.spans.values()].filter(({ parentSpanId }) => parentSpanId !== null);
      expect(jobs.map(({ spanId }) => spanId)).toEqual([jobSpanId(identity(1, 2), 21)]);
      const root = stage.receiver.spans.get(rootOf(1, 2));
      expect(root?.links).toEqual([
        {
          traceId: traceId(identity(1)),
          spanId: attemptSpanId(identity(1)),
          attributes: { 'das.link': 'previous_attempt' },
        },
      ]);
    });
  });
});

embeddedDatabase((given) => {
  test('a receiver that says nothing is given up, and asked again', async () => {
    const stage = await openStage(await given.open());
    await storeRuns(stage, [1], false);
    stage.receiver.answer = () => 'hang';
    expect(await stage.send()).toBe(0);
    expect(await stateOf(stage)).toMatchObject({ state: 'active', failures: 1 });
    stage.receiver.answer = null;
    stage.clock.advance(5 * minute);
    expect(await stage.send()).toBe(1);
  }, 30_000);
});
