import type { Instant } from '../../../metrics/kernel/facts.ts';

/**
 * Whether a job used what was compromised, the worst first. `proven`: a record names it. `possible`: it was in reach,
 * and no record shows another commit. `unknown`: something needed could not be read. `no`: a record shows that it did
 * not.
 */
export const verdicts = ['proven', 'possible', 'unknown', 'no'] as const;
export type Verdict = (typeof verdicts)[number];

/** What shows that it ran. */
export const proofsOfUse = ['log_line', 'referenced_workflow', 'pinned_in_file'] as const;

/**
 * What shows that it did not run. `N0`: nothing ran at all, and the list of runs is complete. `N1`: the log names
 * everything that was downloaded. `N2`: the file and what it uses in turn do not name it. `N3`: the job never began.
 * `N4`: pinned to another commit. `N5`: the tag of an immutable release. `N6`: at another time.
 */
export const proofsOfAbsence = ['N0', 'N1', 'N2', 'N3', 'N4', 'N5', 'N6'] as const;

export const reasons = [
  'between_observations',
  'log_expired',
  'log_unread',
  'ledger_gap',
  'commit_not_known',
  'downloaded_step_skipped',
  'indirect_unpinned',
  'log_cut',
  'named_in_step',
  'clock',
  'expression',
  'local_action_not_in_tree',
  'unreadable_action',
  'unreadable_file',
  'graph_limit',
  'merge_commit_gone',
  'job_not_matched',
  'required_workflow',
  'version_not_comparable',
  'coverage',
] as const;
export type Reason = (typeof reasons)[number];

/** How likely it is that a ref led to a compromised commit; it sorts, and never changes a verdict. */
export const likelihoods = ['likely', 'open', 'unlikely'] as const;
export type Likelihood = (typeof likelihoods)[number];

export interface Proof<Kind extends string> {
  kind: Kind;
  at: Instant;
  detail: string;
}

/** A verdict with what stands behind it: none says `no` without its proof. */
export type Judgement =
  | { verdict: 'proven'; proof: Proof<(typeof proofsOfUse)[number]> }
  | { verdict: 'possible' | 'unknown'; reasons: Reason[]; likelihood: Likelihood | null }
  | { verdict: 'no'; proof: Proof<(typeof proofsOfAbsence)[number]> };

/** The worst first, and of those the likely before the unlikely. */
export const compareJudgements = (one: Judged, other: Judged): number => rank(one) - rank(other);

interface Judged {
  verdict: Verdict;
  likelihood?: Likelihood | null;
}

const rank = ({ verdict, likelihood = null }: Judged): number =>
  verdicts.indexOf(verdict) * 10 + (likelihood === null ? likelihoods.length : likelihoods.indexOf(likelihood));

/** The worst of several; null for none. Of the same the first. */
export function findWorst<One extends Judged>(all: readonly One[]): One | null {
  const [first = null, ...rest] = all;
  return rest.reduce((worst, one) => (worst && compareJudgements(one, worst) < 0 ? one : worst), first);
}

/**
 * The verdict on a repository of those on its attempts in the window. `isComplete`: every attempt of the window is
 * known; without that there is no `no`.
 */
export function judgeRepository(attempts: readonly Judgement[], isComplete: boolean, now: Instant): Judgement {
  const worst = findWorst(attempts);
  if (worst && worst.verdict !== 'no') return worst;
  if (!isComplete) return { verdict: 'unknown', reasons: ['coverage'], likelihood: null };
  return worst ?? { verdict: 'no', proof: { kind: 'N0', at: now, detail: 'No run at that time.' } };
}
