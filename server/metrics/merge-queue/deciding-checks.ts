import { getOutcome } from '../kernel/outcome.ts';
import { percent, quantile, roundTo } from '../kernel/statistics.ts';
import { isWithin } from '../kernel/window.ts';
import type { GroupRun } from './builds.ts';
import { minutesOfRun } from './checks.ts';
import type { QueueScope } from './figures.ts';
import type { Stay } from './history.ts';
import { isEjectionByChecks } from './reasons.ts';

/** A workflow of merge groups: how long it takes, and how often the others waited for it. */
export interface DecidingCheck {
  workflow: string;
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
  const lasts = builds.map(({ runs }) => runs.toSorted((a, b) => endOf(b) - endOf(a))[0]?.workflowName ?? null);
  const runs = builds.flatMap((build) => build.runs).filter(({ completedAt }) => completedAt !== null);
  return [...Map.groupBy(runs, nameOf)]
    .map(([workflow, own]) => {
      const minutes = own.map(minutesOfRun);
      const share = percent(lasts.filter((last) => last === workflow).length, builds.length);
      return {
        workflow,
        minutesP50: roundOrNull(quantile(minutes, 0.5)),
        minutesP90: roundOrNull(quantile(minutes, 0.9)),
        lastToFinishPct: share === null ? null : roundTo(share, 0),
      };
    })
    .sort((a, b) => (b.lastToFinishPct ?? 0) - (a.lastToFinishPct ?? 0) || (a.workflow < b.workflow ? -1 : 1));
}

/** A workflow whose failures ejected pull requests. */
export interface EjectingCheck {
  workflow: string;
  ejections: number;
  /** Of these, those that were merged later with the same head. */
  thenPassed: number;
}

/** By the last build before each ejection, the most frequent first. */
export function ejectingChecks({ history, window }: QueueScope): EjectingCheck[] {
  const failing = history.stays
    .filter(({ leftAt, group }) => isWithin(leftAt, window) && isEjectionByChecks(group))
    .flatMap((stay) => {
      const { isMergedUnchanged } = stay;
      return listFailedChecks(stay).map((workflow) => ({ workflow, isMergedUnchanged }));
    });
  return [...Map.groupBy(failing, ({ workflow }) => workflow)]
    .map(([workflow, own]) => ({
      workflow,
      ejections: own.length,
      thenPassed: own.filter(({ isMergedUnchanged }) => isMergedUnchanged === true).length,
    }))
    .sort((a, b) => b.ejections - a.ejections || (a.workflow < b.workflow ? -1 : 1));
}

/** The workflows that failed in the last build of a stay. */
export function listFailedChecks({ builds }: Stay): string[] {
  const failed = builds.at(-1)?.runs.filter((run) => getOutcome(run) === 'fail') ?? [];
  return [...new Set(failed.map(nameOf))];
}

const nameOf = ({ workflowName }: GroupRun): string => workflowName ?? 'Unnamed workflow';
const endOf = ({ completedAt, createdAt }: GroupRun): number => completedAt ?? createdAt;
const roundOrNull = (value: number | null) => (value === null ? null : roundTo(value, 1));
