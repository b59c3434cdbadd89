import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { type Database, jsonb, type Queries } from './database.ts';

/** Counts of all processes together, and values that the last of them measured, in the table `counters`. */
export interface SharedCounters {
  /** Counts in memory; what is counted within a second is stored together. The label values come from closed lists. */
  add(name: string, labels: Readonly<Record<string, string>>, amount?: number): void;
  /** Replaces a value; the last of a second is stored. */
  set(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  /** Stores what was counted and waits for it. Never rejects: what cannot be stored is tried again with the next. */
  flush(): Promise<void>;
}

const storedEveryMs = 1000;

interface Pending {
  name: string;
  labelsKey: string;
  labels: Readonly<Record<string, string>>;
  /** What is added; of a value that replaces the one before, that value. */
  amount: number;
  isReplacing: boolean;
}

export function sharedCounters(database: Database, log: Log): SharedCounters {
  let pending = new Map<string, Pending>();
  let isDue = false;
  let stored: Promise<void> = Promise.resolve();
  const note = (one: Pending, isNewer = true) => {
    const key = `${one.name} ${one.labelsKey}`;
    const known = pending.get(key);
    if (!one.isReplacing) pending.set(key, { ...one, amount: (known?.amount ?? 0) + one.amount });
    else if (isNewer || !known) pending.set(key, one);
  };
  const storePending = async () => {
    const batch = pending;
    pending = new Map();
    try {
      // In one order everywhere, so that two processes never wait for each other.
      const counted = [...batch.values()].sort((a, b) =>
        `${a.name} ${a.labelsKey}` < `${b.name} ${b.labelsKey}` ? -1 : 1,
      );
      if (counted.length > 0) await putAll(database, counted);
    } catch (error) {
      log.warn({ err: error }, 'counters could not be stored');
      for (const one of batch.values()) note(one, false);
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
  const take = (name: string, labels: Readonly<Record<string, string>>, amount: number, isReplacing: boolean) => {
    note({ name, labelsKey: toLabelsKey(labels), labels, amount, isReplacing });
    if (!isDue) void storeSoon();
  };
  return {
    add: (name, labels, amount = 1) => take(name, labels, amount, false),
    set: (name, labels, value) => take(name, labels, value, true),
    flush,
  };
}

/** The same for the same labels, in whichever order they are given. */
const toLabelsKey = (labels: Readonly<Record<string, string>>): string => JSON.stringify(Object.entries(labels).sort());

const putAll = (database: Database, counted: readonly Pending[]): Promise<void> =>
  database.transaction(async (queries) => {
    for (const isReplacing of [false, true]) {
      const batch = counted.filter((one) => one.isReplacing === isReplacing);
      await put(queries, batch, isReplacing);
    }
  });

async function put({ db }: Queries, counted: readonly Pending[], isReplacing: boolean): Promise<void> {
  if (counted.length === 0) return;
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
        value: isReplacing ? eb.ref('excluded.value') : eb('counters.value', '+', eb.ref('excluded.value')),
      })),
    )
    .execute();
}
