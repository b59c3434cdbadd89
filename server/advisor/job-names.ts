import { fits, partsOfName } from '../scan/job-names.ts';
import { type Job, valueIn, type Workflow } from '../scan/workflow.ts';

/**
 * Finds the job of a file that a recorded job of this name ran; null for none, and where several could be meant.
 * Contract of the advisor, section 3.3.
 */
export function createJobFinder(workflow: Workflow): (name: string) => Job | null {
  const match = createJobMatcher(workflow);
  return (name) => {
    const [job, ...others] = match(name);
    return job && others.length === 0 ? job : null;
  };
}

/**
 * Finds the jobs of a file that a recorded job of this name may have run. A name that is an expression alone fits every
 * name, and so counts only where nothing else fits.
 */
export function createJobMatcher({ jobs }: Workflow): (name: string) => readonly Job[] {
  const patterns = jobs.map((job) => ({ job, ...toPattern(job) }));
  const known = new Map<string, readonly Job[]>();
  const match = (name: string) => {
    const fitting = patterns.filter(({ matches }) => matches(name));
    const telling = fitting.filter(({ fitsAll }) => !fitsAll);
    return (telling.length > 0 ? telling : fitting).map(({ job }) => job);
  };
  return (name) => {
    const found = known.get(name) ?? match(name);
    known.set(name, found);
    return found;
  };
}

/** Whether a file says something of the name that runs give a job. */
export const isNameKnown = (job: Job): boolean => !toPattern(job).fitsAll;

interface Pattern {
  matches: (name: string) => boolean;
  /** Whether nothing of the name is known. */
  fitsAll: boolean;
}

/** The names that runs give a job: its own, with the values of a matrix behind it, or those of a called workflow. */
function toPattern(job: Job): Pattern {
  const parts = partsOfName(job.name ?? job.id);
  const fitsAll = parts.every((part) => part.trim() === '');
  const isMatrix = valueIn(job.strategy, 'matrix') !== null && parts.length === 1;
  const matches = (name: string) => {
    const own = job.uses === null ? name : name.slice(0, Math.max(0, name.indexOf(' / ')));
    return fits(own, parts) || (isMatrix && own.endsWith(')') && own.startsWith(`${parts[0]} (`));
  };
  return { matches, fitsAll };
}
