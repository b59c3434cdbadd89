// Keeps a timetable with one job that notes when it begins and ends, as a process that may be killed at any moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { job } from '../../jobs/job.ts';
import { startScheduler } from '../../jobs/timetable.ts';
import type { Services } from '../../server/access/context.ts';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { createStore } from '../../server/store/orm.ts';
import { environment } from '../sync/stage.ts';
import { clockOf } from './movable-clock.ts';

const [url = '', clockFile = ''] = process.argv.slice(2);
const log = createLog('silent');
const { orm, close, embedded } = await connect({ url, log, poolMax: 3, statementTimeoutMs: 60_000 });
const database = toDatabase(orm);
const store = createStore(database, log, close);
if (embedded) await store.leases.reclaimAll();
const say = (text: string) => process.stdout.write(`${text}\n`);
const leases: typeof store.leases = {
  ...store.leases,
  // Whose leases are to be ended when this process is killed.
  hold: (name, holder, work) => {
    say(`holder ${holder}`);
    return store.leases.hold(name, holder, work);
  },
};
const slots = new Map<number, string>();
const jobRuns: typeof store.jobRuns = {
  ...store.jobRuns,
  async start(started) {
    const id = await store.jobRuns.start(started);
    slots.set(id, started.slot);
    return id;
  },
  async finish(id, finished) {
    await store.jobRuns.finish(id, finished);
    say(`${finished.status} ${slots.get(id)}`);
  },
};

const noting = job({
  name: 'noting',
  title: '',
  does: '',
  schedule: '17 3 * * *',
  seconds: 60,
  hardSeconds: 90,
  housekeeping: false,
  needsToken: false,
  async run() {
    const [row] = await database.query<{ id: number }>(
      'insert into noted (process, began) values ($1, clock_timestamp()) returning id',
      [process.pid],
    );
    await sleep(20 + Math.random() * 400);
    await database.query('update noted set ended = clock_timestamp() where id = $1', [row?.id]);
    return { partial: false, resumeAt: null, summary: {}, report: null };
  },
});

const services = {
  store: { ...store, leases, jobRuns },
  log,
  clock: clockOf(clockFile),
  env: environment(),
  stopping: new AbortController().signal,
} as Services;
const scheduler = startScheduler(services, [noting]);
// The timetable alone does not keep a process alive.
const alive = setInterval(() => undefined, 1000);
process.once('SIGTERM', async () => {
  await scheduler.stop();
  await store.close();
  clearInterval(alive);
});
say('begun');
