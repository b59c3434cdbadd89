import { expect, test } from 'vitest';
import { exportSpans } from '../../server/otlp/export.ts';
import { createLog } from '../../server/platform/log.ts';
import { cheapestDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { dying, env, jobOf, minute, openStage, run } from './stage.ts';

const kills = rounds('OTLP_KILLS', 30, 100);
const runs = 40;

cheapestDatabase((given) => {
  test(`killed ${kills} times between claiming and noting, every span arrives, and repetitions are the same`, async () => {
    const stage = await openStage(await given.open());
    const { store, clock, receiver } = stage;
    let runId = 0;
    let died = 0;
    for (let round = 0; round < kills; round++) {
      if (runId < runs) {
        await stage.take(run(++runId), run(++runId));
        await stage.takeJobs(runId, [jobOf(runId)]);
      }
      // Longer than a lease, so that what the dead process had is free.
      clock.advance(2 * minute);
      // The receiver is away now and then, too.
      receiver.answer = round % 5 === 3 ? () => ({ status: 503, keeps: round % 2 === 0 }) : null;
      const services = {
        store: dying(store, 1 + ((round * 7) % 9), round % 2 === 0),
        env,
        clock,
        log: createLog('silent'),
      };
      await exportSpans(services, () => true).then(
        () => undefined,
        () => (died += 1),
      );
    }
    receiver.answer = null;
    clock.advance(20 * minute);
    while ((await stage.send()) > 0) clock.advance(minute);
    const roots = [...receiver.spans.values()].filter(({ parentSpanId }) => parentSpanId === null);
    expect(roots).toHaveLength(runId);
    expect(receiver.spans.size).toBe(runId + (runId / 2) * 4);
    expect(receiver.repeated.length).toBeGreaterThan(0);
    for (const span of receiver.repeated)
      expect(span.bytes).toBe(receiver.spans.get(`${span.traceId} ${span.spanId}`)?.bytes);
    expect(await store.otlpDestinations.find(stage.id)).toMatchObject({ accepted: receiver.spans.size });
    expect(died).toBeGreaterThan(0);
  });
});
