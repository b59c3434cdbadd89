import type { Conclusion, LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { Double } from '../codehost-double/double.ts';
import { delivered, runEvent } from '../codehost-double/webhook.ts';
import { latestRuns, repositoryOf } from '../codehost-double/world.ts';
import { day, minute, second } from '../sync/stage.ts';

/** A whole number below a bound. */
export type Dice = (below: number) => number;

/** What the platform says of a run that changed its state. */
export interface Event {
  id: string;
  repository: string;
  run: LiveWorkflowRun;
  body: string;
  headers: Record<string, string>;
}

/** Everybody may read the first two; whoever may not read the last one must not learn its name or that of its branch. */
export const repositories = ['octo/simulated-1', 'octo/simulated-2', 'octo/hushed'] as const;
export const hushed = repositories[2];
const firstId = 81_000;
const endings: Conclusion[] = ['success', 'success', 'failure', 'failure', 'cancelled', 'timed_out'];

/** Adds the repositories to the world, with a week of runs and merges. */
export function fillWorld(double: Double, now: number): void {
  for (const [index, name] of repositories.entries()) {
    const isHidden = name === hushed;
    const access = isHidden ? { collaborators: ['bo'], members: ['ann'] } : {};
    const facts = {
      id: firstId + index,
      ...(isHidden && { private: true, visibility: 'private' as const, defaultBranch: 'hushed-branch' }),
    };
    double.addRepository({ name, facts, ...access });
    const window = { from: now - 7 * day, to: now - minute };
    double.addRuns(name, 40, { ...window, firstId: (firstId + index) * 1000 });
    double.addPullRequests(name, 5, { ...window, first: 1 });
  }
}

/** Lets something happen in one of the repositories, and answers what the platform says about it. */
export function letHappen(double: Double, now: number, nextId: () => number, dice: Dice): Event[] {
  const name = repositories[dice(repositories.length)] as string;
  const latest = latestRuns(repositoryOf(double.world, name));
  const open = latest.filter(({ status }) => status !== 'completed');
  const ended = latest.filter(({ status, createdAt }) => status === 'completed' && createdAt > now - 20 * day);
  const states: LiveWorkflowRun[] = [];
  for (const run of open)
    if (dice(3) > 0) states.push(double.completeRun(name, run.id, endings[dice(endings.length)] ?? 'success', now));
  for (let begun = dice(4); begun > 0; begun--) {
    const id = nextId();
    const common = { id, createdAt: now, startedAt: now + dice(20) * second };
    states.push(double.putRun(name, { ...common, status: 'queued', updatedAt: now }));
    states.push(double.putRun(name, { ...common, status: 'in_progress', updatedAt: common.startedAt }));
  }
  if (ended.length > 0 && dice(4) === 0) {
    const { id } = ended[dice(ended.length)] as LiveWorkflowRun;
    states.push(double.rerun(name, id, now));
  }
  if (dice(5) === 0) double.addPullRequests(name, 1 + dice(3), { from: now - minute, to: now, first: nextId() });
  const repository = repositoryOf(double.world, name);
  return states.map((run, index) => {
    const id = `${run.id}-${run.attempt}-${run.status}-${now}-${index}`;
    return { id, repository: name, run, ...delivered(runEvent(repository, run), { delivery: id }) };
  });
}
