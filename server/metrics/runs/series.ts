import type { WorkflowRun } from '../kernel/facts.ts';
import { isConclusive } from '../kernel/outcome.ts';
import { latestAttempts, newestFirst } from './workflow-runs.ts';

export type EventClass = 'default_branch_push' | 'other' | 'pull_request' | 'schedule';

/** A class of events, or `mixed` for the classes too small to stand alone. */
export type Series = EventClass | 'mixed';

export function getEventClass(run: WorkflowRun, defaultBranch: string | null): EventClass {
  if (run.event === 'pull_request' || run.event === 'schedule') return run.event;
  const isDefaultPush = run.event === 'push' && defaultBranch !== null && run.headBranch === defaultBranch;
  return isDefaultPush ? 'default_branch_push' : 'other';
}

/** Conclusive runs of one workflow, oldest first, by class of event. */
export function groupBySeries<Run extends WorkflowRun>(
  runs: readonly Run[],
  defaultBranch: string | null,
): { name: Series; members: Run[] }[] {
  const ordered = newestFirst(latestAttempts(runs).filter(isConclusive)).reverse();
  const classes = Map.groupBy(ordered, (run) => getEventClass(run, defaultBranch));
  const large = eventClasses
    .map((name) => ({ name, members: classes.get(name) ?? [] }))
    .filter(({ members }) => members.length >= smallestClass);
  const alone = new Set<Series>(large.map(({ name }) => name));
  const mixed = ordered.filter((run) => !alone.has(getEventClass(run, defaultBranch)));
  return mixed.length === 0 ? large : [...large, { name: 'mixed', members: mixed }];
}

const eventClasses: readonly EventClass[] = ['default_branch_push', 'pull_request', 'schedule', 'other'];
const smallestClass = 10;
