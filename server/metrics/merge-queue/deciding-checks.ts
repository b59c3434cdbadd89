import { conclusive, getOutcome } from '../kernel/outcome.ts';
import { percent, quantile, roundTo } from '../kernel/statistics.ts';
import { isWithin, minuteMs } from '../kernel/window.ts';
import { listOwnJobs } from '../runs/jobs.ts';
import { type GroupJob, type GroupRun, latestAttempts } from './builds.ts';
import type { QueueScope } from './figures.ts';
import type { Stay } from './history.ts';
import { isEjectionByChecks } from './reasons.ts';

/** A job of a workflow for merge groups; null stands for the workflow as a whole, where its jobs are not stored. */
export interface Check {
  workflow: string;
  job: string | null;
}

/** A check: how long it takes, and how often the others waited for it. */
export interface DecidingCheck extends Check {
  minutesP50: number | null;
  minutesP90: number | null;
  /** Of the builds that passed or failed, in how many it ended last. */
  lastToFinishPct: number | null;
}

/** Those that decide the pace first. */
export function decidingChecks({ history, window }: QueueScope): DecidingCheck[] {
  const builds = history.builds.filter(
    ({ result, completedAt }) => (result === 'pass' || result === 'fail') && isWithin(completedAt, window),
  );
  const ofBuilds = builds.map(({ runs }) => runs.flatMap(listChecks).filter(hasEnded));
  const lasts = ofBuilds.map((checks) => checks.toSorted((a, b) => b.completedAt - a.completedAt)[0]);
  const lastCounts = Map.groupBy(lasts, (last) => (last ? nameCheck(last) : null));
  return [...Map.groupBy(ofBuilds.flat(), nameCheck)]
    .flatMap(([name, own]) => {
      const minutes = own.map(({ startedAt, completedAt }) => Math.max(0, completedAt - startedAt) / minuteMs);
      const share = percent(lastCounts.get(name)?.length ?? 0, builds.length);
      return own.slice(0, 1).map(({ workflow, job }) => ({
        workflow,
        job,
        minutesP50: roundOrNull(quantile(minutes, 0.5)),
        minutesP90: roundOrNull(quantile(minutes, 0.9)),
        lastToFinishPct: share === null ? null : roundTo(share, 0),
      }));
    })
    .sort((a, b) => (b.lastToFinishPct ?? 0) - (a.lastToFinishPct ?? 0) || compareNames(a, b));
}

/** A check whose failures ejected pull requests. */
export interface EjectingCheck extends Check {
  ejections: number;
  /** Of these, those that were merged later with the same head. */
  thenPassed: number;
}

/** By the last build before each ejection, the most frequent first. */
export function ejectingChecks({ history, window }: QueueScope): EjectingCheck[] {
  const failing = history.stays
    .filter(({ leftAt, group }) => isWithin(leftAt, window) && isEjectionByChecks(group))
    .flatMap((stay) => listFailedChecks(stay).map((check) => ({ check, isMergedUnchanged: stay.isMergedUnchanged })));
  return [...Map.groupBy(failing, ({ check }) => nameCheck(check)).values()]
    .flatMap((own) =>
      own.slice(0, 1).map(({ check: { workflow, job } }) => ({
        workflow,
        job,
        ejections: own.length,
        thenPassed: own.filter(({ isMergedUnchanged }) => isMergedUnchanged === true).length,
      })),
    )
    .sort((a, b) => b.ejections - a.ejections || compareNames(a, b));
}

/** The checks that failed in the last build of a stay, each once. */
export function listFailedChecks({ builds }: Pick<Stay, 'builds'>): Check[] {
  const failed = latestAttempts(builds.at(-1)?.runs ?? []).filter((run) => getOutcome(run) === 'fail');
  const checks = failed.flatMap((run) => {
    const jobs = run.jobs.filter(({ conclusion }) => isFailure(conclusion));
    return jobs.length === 0 ? [toCheck(run, null)] : jobs.map((job) => toCheck(run, job));
  });
  return [...new Map(checks.map((check) => [nameCheck(check), check])).values()];
}

/** As pages and filters name a check. */
export const nameCheck = ({ workflow, job }: Check): string => (job === null ? workflow : `${workflow} / ${job}`);

type TimedCheck = Check & Pick<GroupJob, 'startedAt' | 'completedAt'>;

/** The jobs of a run that passed or failed in it, or the run where they are not stored. */
function listChecks(run: GroupRun): TimedCheck[] {
  const jobs = listOwnJobs(run, run.jobs).filter(
    ({ conclusion }) => conclusion !== null && conclusive.includes(conclusion),
  );
  return (jobs.length === 0 ? [null] : jobs).map((job) => {
    const { startedAt, completedAt } = job ?? run;
    return { ...toCheck(run, job), startedAt, completedAt };
  });
}

const hasEnded = (check: TimedCheck): check is TimedCheck & { startedAt: number; completedAt: number } =>
  check.startedAt !== null && check.completedAt !== null;

const toCheck = ({ workflowName }: GroupRun, job: GroupJob | null): Check => ({
  workflow: workflowName ?? 'Unnamed workflow',
  job: job?.name ?? null,
});

const isFailure = (conclusion: GroupJob['conclusion']): boolean =>
  getOutcome({ status: 'completed', conclusion }) === 'fail';

const compareNames = (a: Check, b: Check): number => (nameCheck(a) < nameCheck(b) ? -1 : 1);
const roundOrNull = (value: number | null) => (value === null ? null : roundTo(value, 1));
