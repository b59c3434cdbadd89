import { type Job, valueIn, type Workflow } from '../scan/workflow.ts';

/**
 * Finds the job of a file that a recorded job of this name ran; null for none, and where several could be meant.
 * Contract of the advisor, section 3.3.
 */
export function createJobFinder({ jobs }: Workflow): (name: string) => Job | null {
  const patterns = jobs.map((job) => ({ job, pattern: toPattern(job) }));
  const known = new Map<string, Job | null>();
  const find = (name: string) => {
    const found = patterns.filter(({ pattern }) => pattern.test(name));
    return found.length === 1 ? (found[0]?.job ?? null) : null;
  };
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const job = find(name);
    known.set(name, job);
    return job;
  };
}

/** The names that runs give a job: its own, with the values of a matrix behind it, or those of a called workflow. */
function toPattern(job: Job): RegExp {
  const name = job.name ?? job.id;
  const parts = name.split(/\$\{\{.*?\}\}/s).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const cells = valueIn(job.strategy, 'matrix') !== null && parts.length === 1 ? '( \\(.*\\))?' : '';
  const called = job.uses === null ? '' : ' / .*';
  return new RegExp(`^${parts.join('.*')}${cells}${called}$`, 's');
}
