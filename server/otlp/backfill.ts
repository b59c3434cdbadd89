import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../store/orm.ts';

export interface BackfillServices {
  store: Pick<Store, 'otlpBackfills' | 'leases'>;
  clock: Clock;
}

/** Attempts that are noted in one go; the next ones once these are sent. */
const notedAtOnce = 500;
const perSecond = 50;

/**
 * Notes the next stored attempts of every backfill that may go on, to be sent by the next export after what is due by
 * itself. Killed at any moment, it goes on from its cursor. Answers of how many attempts something is to be sent.
 */
export async function continueBackfills(
  { store, clock }: BackfillServices,
  mayContinue: () => boolean,
): Promise<number> {
  let noted = 0;
  for (const { id, destinationId } of await store.otlpBackfills.due(clock.now()))
    noted +=
      (await store.leases.hold(`otlp-backfill:${destinationId}`, randomUUID(), (lost) =>
        noteNext(id, { store, clock }, () => !lost.aborted && mayContinue()),
      )) ?? 0;
  return noted;
}

async function noteNext(id: number, { store, clock }: BackfillServices, mayContinue: () => boolean): Promise<number> {
  let noted = 0;
  // What was sent before does not count, so that it is walked past fast.
  while (noted < notedAtOnce && mayContinue()) {
    const step = await store.otlpBackfills.step(id, notedAtOnce - noted, perSecond, clock.now());
    if (step === null) {
      await store.otlpBackfills.end(id, clock.now());
      break;
    }
    noted += step;
  }
  return noted;
}
