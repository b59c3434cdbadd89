import { countLostAttempts } from '../server/alerts/deliver.ts';
import { dropOutdated } from '../server/otlp/drop-outdated.ts';
import { readSetting } from '../server/settings/setting.ts';
import { workday } from '../server/settings/workday.ts';
import { job } from './job.ts';

/** Brings rollups up to date, forgets what has expired, and closes the rows of jobs whose process is gone. */
export const housekeeping = job({
  name: 'housekeeping',
  title: 'Housekeeping',
  does: 'Recalculates days after a time zone change, removes expired counters and cached responses, and cleans up after dead processes.',
  schedule: '*/5 * * * *',
  seconds: 60,
  hardSeconds: 90,
  housekeeping: true,
  needsToken: false,
  async run({ services, mayContinue }) {
    const { store, clock } = services;
    const summary: Record<string, number> = {};
    if (store) {
      // A no-op unless the team's zone was changed: then every day is cut again.
      await store.rollups.rebuild((await readSetting(workday, store)).value.timezone);
      summary.days_recomputed = await store.runs.recomputeDirty(mayContinue);
      summary.rows_forgotten = await store.forgetExpired(clock.now());
      await store.versions.merge();
      summary.jobs_aborted = await store.jobRuns.abortOrphans(clock.now());
      summary.traces_dropped = await dropOutdated({ ...services, store }, mayContinue);
      summary.deliveries_lost = await countLostAttempts({ ...services, store });
    }
    return { partial: false, resumeAt: null, summary, report: null };
  },
});
