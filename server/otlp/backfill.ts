import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../store/orm.ts';
import type { StoredBackfill } from '../store/otlp-backfills.ts';

export interface BackfillServices {
  store: Pick<Store, 'otlpBackfills' | 'leases'>;
  clock: Clock;
}

/** Attempts that are walked past in one go; what is noted of them is sent before the next ones. */
const pace = { limit: 500, perSecond: 50 };

/**
 * Notes the next stored attempts of every backfill that may go on, to be sent by the next export after what is due by
 * itself. Killed at any moment, it goes on from its cursor. Answers of how many attempts something is to be sent.
 */
export async function continueBackfills(
  { store, clock }: BackfillServices,
  mayContinue: () => boolean,
): Promise<number> {
  let noted = 0;
  for (const backfill of await store.otlpBackfills.due(clock.now()))
    noted +=
      (await store.leases.hold(`otlp-backfill:${backfill.destinationId}`, randomUUID(), (lost) =>
        noteNext(backfill, { store, clock }, () => !lost.aborted && mayContinue()),
      )) ?? 0;
  return noted;
}

/** Walks on until something is to be sent, as all of it may have been sent before. */
async function noteNext(
  backfill: Pick<StoredBackfill, 'id' | 'destinationId'>,
  { store, clock }: BackfillServices,
  mayContinue: () => boolean,
): Promise<number> {
  while (mayContinue()) {
    const noted = await store.otlpBackfills.step(backfill, pace, clock.now());
    if (noted === null) {
      await store.otlpBackfills.end(backfill.id, clock.now());
      return 0;
    }
    if (noted > 0) return noted;
  }
  return 0;
}
