import type { PullRequest } from './delivery-facts.ts';

/**
 * True for a pull request that undoes or mends a change that went wrong, as far as its title, labels and branch tell.
 * Titles are not stored, so a stored one is known by the other two.
 */
export function isFailureFix({ title, labels, headBranch }: PullRequest): boolean {
  return (
    isRevertTitle(title ?? '') || labels.some((label) => fixLabels.has(label.toLowerCase())) || isFixBranch(headBranch)
  );
}

const fixLabels: ReadonlySet<string> = new Set(['hotfix', 'incident', 'rollback']);
const fixTokens: ReadonlySet<string> = new Set(['hotfix', 'revert', 'rollback', 'emergency']);
/** `feature/revert-button` is about a button. */
const ordinaryWork: ReadonlySet<string> = new Set(['feature', 'feat', 'chore', 'docs', 'refactor', 'test']);

function isRevertTitle(title: string): boolean {
  return /^revert(?: "|:|\()/i.test(title);
}

function isFixBranch(branch: string): boolean {
  const segments = branch.toLowerCase().split('/');
  const [first = '', last = ''] = [segments[0], segments.at(-1)];
  return startsLikeFix(first) || (!ordinaryWork.has(first) && startsLikeFix(last));
}

function startsLikeFix(segment: string): boolean {
  return fixTokens.has(segment.split(/[-_]/)[0] ?? '');
}
