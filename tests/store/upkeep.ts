import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';
import { day, noon } from './world.ts';

/**
 * A process that keeps the days of a database in order until it is killed: each step cuts them in another zone, counts
 * them anew and deletes the runs of one more day. Arguments: address, the step to begin with.
 */
const [url = '', start = '0'] = process.argv.slice(2);
const zones = ['Asia/Tokyo', 'America/New_York', 'UTC'];

const log = createLog('silent');
const store = await openStore({ url, log, poolMax: 4, statementTimeoutMs: 60_000, migrate: false });
for (let step = Number(start); ; step++) {
  console.log(`step ${step}`);
  await store.rollups.rebuild(zones[step % zones.length] as string);
  await Promise.all([store.runs.recomputeDirty(), store.runs.recomputeDirty()]);
  await store.purge(noon + (31 + step) * day, { runDays: 30, mayContinue: () => true });
}
