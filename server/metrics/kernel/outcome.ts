import type { Conclusion } from './facts.ts';

/** What a run, job or step came to. Void ones carry no information about the code and stay out of every rate. */
export type Outcome = 'pass' | 'fail' | 'void' | 'running';

export function getOutcome(fact: { status: string; conclusion: Conclusion | null }): Outcome {
  if (fact.status !== 'completed') return 'running';
  if (fact.conclusion === 'success') return 'pass';
  return fails.has(fact.conclusion) ? 'fail' : 'void';
}

/** True when it ended in a pass or a fail. */
export function isConclusive(fact: { status: string; conclusion: Conclusion | null }): boolean {
  const outcome = getOutcome(fact);
  return outcome === 'pass' || outcome === 'fail';
}

const failures: readonly Conclusion[] = ['failure', 'timed_out', 'startup_failure'];

/** What a completed run, job or step ends with that passed or failed. */
export const conclusive: readonly Conclusion[] = ['success', ...failures];

const fails: ReadonlySet<Conclusion | null> = new Set(failures);
