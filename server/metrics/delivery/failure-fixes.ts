import type { PullRequest } from '../kernel/delivery-facts.ts';

/**
 * True for a pull request that undoes or mends a change that went wrong, as far as title, labels and branch show. null
 * where its labels could not be read, whatever the others show: else only those that are fixes would be known.
 */
export function isFailureFix({
  isRevert,
  labels,
  headBranch,
}: Pick<PullRequest, 'isRevert' | 'labels' | 'headBranch'>): boolean | null {
  if (labels === null) return null;
  return isRevert || labels.some((label) => fixLabels.has(label.toLowerCase())) || isFixBranch(headBranch);
}

/** Why a pull request whose labels could not be read is in no figure about fixes. */
export const unreadLabels = { unknown: 'its labels could not be read' };

/** Whether a pull request's title names a revert; see `isRevert` of the fact. */
export function isRevertTitle(title: string): boolean {
  return /^revert(?: "|:|\()/i.test(title);
}

const fixLabels: ReadonlySet<string> = new Set(['hotfix', 'incident', 'rollback']);
const fixTokens: ReadonlySet<string> = new Set(['hotfix', 'revert', 'rollback', 'emergency']);
/** `feature/revert-button` is about a button. */
const ordinaryWork: ReadonlySet<string> = new Set(['feature', 'feat', 'chore', 'docs', 'refactor', 'test']);

/** Whether a branch is named as one that puts something right in a hurry. */
export function isFixBranch(branch: string): boolean {
  const segments = branch.toLowerCase().split('/');
  const [first = '', last = ''] = [segments[0], segments.at(-1)];
  return startsLikeFix(first) || (!ordinaryWork.has(first) && startsLikeFix(last));
}

function startsLikeFix(segment: string): boolean {
  return fixTokens.has(segment.split(/[-_]/)[0] ?? '');
}
