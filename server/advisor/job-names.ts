import { type Job, valueIn, type Workflow } from '../scan/workflow.ts';

/**
 * Finds the job of a file that a recorded job of this name ran; null for none, and where several could be meant.
 * Contract of the advisor, section 3.3.
 */
export function createJobFinder({ jobs }: Workflow): (name: string) => Job | null {
  const patterns = jobs.map((job) => ({ job, matches: toMatcher(job) }));
  const known = new Map<string, Job | null>();
  const find = (name: string) => {
    const found = patterns.filter(({ matches }) => matches(name));
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
function toMatcher(job: Job): (name: string) => boolean {
  const parts = (job.name ?? job.id).split(/\$\{\{(?:(?!\$\{\{).)*?\}\}/s);
  const isMatrix = valueIn(job.strategy, 'matrix') !== null && parts.length === 1;
  return (name) => {
    const own = job.uses === null ? name : name.slice(0, Math.max(0, name.indexOf(' / ')));
    return fits(own, parts) || (isMatrix && own.endsWith(')') && own.startsWith(`${parts[0]} (`));
  };
}

/** Whether a text has these parts in their order, with anything between them; in one pass. */
function fits(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
