// Whether this process reaches the database, and by how many connections.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { type Measured, measured, measuredOne, metricFamily } from '../platform/metric-family.ts';
import type { Store } from '../store/orm.ts';

const up = metricFamily({
  name: 'das_database_up',
  type: 'gauge',
  unit: '',
  help: '1 if the database answered this process, 0 if it did not; absent without a database.',
});

const connections = metricFamily({
  name: 'das_database_connections',
  type: 'gauge',
  unit: '',
  help: 'Connections of this process to the database, and what waits for one.',
  labels: ['state'],
});

export const databaseFamilies = [up, connections] as const;

/** A scrape waits for the database so long; once it is known to be down, less. */
const waitMs = 2000;
const downWaitMs = 50;

/** Measures the database, and by `readStored` what it stores. One that does not answer leaves all but `das_database_up` out. */
export function measureDatabase(
  { store, log }: { store: Store; log: Log },
  readStored: () => Promise<Measured[]>,
): () => Promise<Measured[]> {
  let isUp = true;
  let pending: Promise<Measured[]> | null = null;
  const read = async (): Promise<Measured[]> => {
    const { active, idle, waiting } = await store.monitoring.connections();
    const states = Object.entries({ active, idle, waiting });
    const stored = await readStored();
    return [
      measuredOne(up, 1),
      measured(
        connections,
        states.map(([state, value]) => [{ state }, value]),
      ),
      ...stored,
    ];
  };
  const begin = () => {
    const reading = read().finally(() => {
      pending = null;
    });
    // It may end after nobody waits for it any more: then the next scrape gives the database its time again.
    reading.then(
      () => {
        isUp = true;
      },
      () => undefined,
    );
    return reading;
  };
  return async () => {
    pending ??= begin();
    try {
      const families = await Promise.race([pending, tooLate(isUp ? waitMs : downWaitMs)]);
      isUp = true;
      return families;
    } catch (error) {
      if (isUp) log.warn({ err: error }, 'metrics without the database');
      isUp = false;
      return [measuredOne(up, 0)];
    }
  };
}

async function tooLate(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  throw new Error(`The database did not answer within ${ms} ms.`);
}
