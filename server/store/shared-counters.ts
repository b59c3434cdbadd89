import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { type Database, jsonb } from './database.ts';

/** Counts of all processes together, in the table `counters`. */
export interface SharedCounters {
  /** Counts in memory; what is counted within a second is stored together. The label values come from closed lists. */
  add(name: string, labels: Readonly<Record<string, string>>, amount?: number): void;
  /** Stores what was counted and waits for it. Never rejects: what cannot be stored is tried again with the next. */
  flush(): Promise<void>;
}

const storedEveryMs = 1000;

interface Pending {
  name: string;
  labelsKey: string;
  labels: Readonly<Record<string, string>>;
  amount: number;
}

export function sharedCounters(database: Database, log: Log): SharedCounters {
  let pending = new Map<string, Pending>();
  let isDue = false;
  let stored: Promise<void> = Promise.resolve();
  const note = ({ name, labelsKey, labels, amount }: Pending) => {
    const key = `${name} ${labelsKey}`;
    pending.set(key, { name, labelsKey, labels, amount: (pending.get(key)?.amount ?? 0) + amount });
  };
  const storePending = async () => {
    const batch = pending;
    pending = new Map();
    try {
      // In one order everywhere, so that two processes never wait for each other.
      const counted = [...batch.values()].sort((a, b) =>
        `${a.name} ${a.labelsKey}` < `${b.name} ${b.labelsKey}` ? -1 : 1,
      );
      if (counted.length > 0) await put(database, counted);
    } catch (error) {
      log.warn({ err: error }, 'counters could not be stored');
      for (const one of batch.values()) note(one);
    }
  };
  const flush = () => {
    stored = stored.then(storePending);
    return stored;
  };
  const storeSoon = async () => {
    isDue = true;
    await sleep(storedEveryMs, undefined, { ref: false });
    isDue = false;
    await flush();
  };
  return {
    add(name, labels, amount = 1) {
      note({ name, labelsKey: toLabelsKey(labels), labels, amount });
      if (!isDue) void storeSoon();
    },
    flush,
  };
}

/** The same for the same labels, in whichever order they are given. */
const toLabelsKey = (labels: Readonly<Record<string, string>>): string => JSON.stringify(Object.entries(labels).sort());

async function put({ db }: Database, counted: readonly Pending[]): Promise<void> {
  await db
    .insertInto('counters')
    .values(
      counted.map(({ name, labelsKey, labels, amount }) => ({
        name,
        labelsKey,
        labels: jsonb(labels) as never,
        value: amount,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['name', 'labelsKey']).doUpdateSet((eb) => ({
        value: eb('counters.value', '+', eb.ref('excluded.value')),
      })),
    )
    .execute();
}
