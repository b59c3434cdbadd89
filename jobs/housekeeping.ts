import { readSetting } from '../server/settings/setting.ts';
import { workday } from '../server/settings/workday.ts';
import { job } from './job.ts';

/** Brings rollups up to date, forgets what has expired, and closes the rows of jobs whose process is gone. */
export const housekeeping = job({
  name: 'housekeeping',
  schedule: '*/5 * * * *',
  seconds: 60,
  housekeeping: true,
  async run({ services: { store, clock } }): Promise<Record<string, number>> {
    if (!store) return {};
    // A no-op unless the team's zone was changed: then every day is cut again.
    await store.rollups.rebuild((await readSetting(workday, store)).value.timezone);
    const days = await store.runs.recomputeDirty();
    const forgotten = await store.forgetExpired(clock.now());
    const aborted = await store.jobRuns.abortOrphans(clock.now());
    return { days_recomputed: days, rows_forgotten: forgotten, jobs_aborted: aborted };
  },
});
