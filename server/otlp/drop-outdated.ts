import { dayMs } from '../metrics/kernel/window.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Store } from '../store/orm.ts';

interface DropServices {
  store: Pick<Store, 'otlpDestinations' | 'otlpOutbox'>;
  env: Pick<Env, 'OTLP_OUTBOX_DAYS'>;
  clock: Clock;
}

/**
 * Deletes what waited for a destination longer than `OTLP_OUTBOX_DAYS`, is the oldest of more than a destination may
 * have, or was left behind by one that was deleted; answers how many rows these were. Jobs that are not known yet are
 * awaited for seven days all the same.
 */
export async function dropOutdated({ store, env, clock }: DropServices, mayContinue: () => boolean): Promise<number> {
  const { otlpDestinations, otlpOutbox } = store;
  let dropped = 0;
  for (const { id } of await otlpDestinations.list()) {
    const outdated = clock.now() - env.OTLP_OUTBOX_DAYS * dayMs;
    const tooMany = (await otlpOutbox.createdAtRank(id, maxRows)) ?? Number.NEGATIVE_INFINITY;
    const before = Math.max(outdated, tooMany);
    const jobsBefore = Math.max(Math.min(outdated, clock.now() - jobsAwaitedMs), tooMany);
    for (let rows = 1; rows > 0 && mayContinue(); dropped += rows)
      rows = await otlpOutbox.drop(id, { before, jobsBefore });
  }
  for (let rows = 1; rows > 0 && mayContinue(); dropped += rows) rows = await otlpOutbox.deleteLeftovers();
  return dropped;
}

const maxRows = 5_000_000;

/** Jobs that turn up so late are still sent. */
const jobsAwaitedMs = 7 * dayMs;
