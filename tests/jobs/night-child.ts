// The whole service without its door, as a process that may be killed at any moment: it keeps the timetable.
import { readEnv } from '../../server/platform/env.ts';
import { boot } from '../../server/start.ts';
import { clockOf } from './movable-clock.ts';

const [settings = '{}', clockFile = ''] = process.argv.slice(2);
const app = await boot(readEnv(JSON.parse(settings)), clockOf(clockFile));
if (!app.services.store) throw new Error('There is no database.');
const { jobRuns } = app.services.store;
const slots = new Map<number, string>();
const { start, finish } = jobRuns;
// What has ended is reported, so that nobody has to look into the database meanwhile.
Object.assign(jobRuns, {
  async start(started: Parameters<typeof start>[0]) {
    const id = await start(started);
    slots.set(id, `${started.job} ${started.slot}`);
    process.stdout.write(`running ${slots.get(id)}\n`);
    return id;
  },
  async finish(id: number, finished: Parameters<typeof finish>[1]) {
    await finish(id, finished);
    process.stdout.write(`${finished.status} ${slots.get(id)}\n`);
  },
});
process.stdout.write('begun\n');
// The timetable alone does not keep a process alive.
const alive = setInterval(() => undefined, 1000);
process.once('SIGTERM', async () => {
  await app.close();
  clearInterval(alive);
});
