import { isFailureFix, isRevertTitle } from '../delivery/failure-fixes.ts';
import type { RepositoryName } from '../kernel/facts.ts';
import type { CommitSigns } from './classify.ts';

export const linkKinds = ['reverts', 'fixes'] as const;

/** That a merged pull request names another one, and why. */
export interface PullRequestLink {
  /** A fix is one that puts something right, as estimated failures find it; each revert is a fix as well. */
  kind: (typeof linkKinds)[number];
  /** `#12`, or the first ten digits of a commit in lower case. */
  target: string;
}

/** What of a merged pull request can name another one. It is read, and never stored. */
export interface LinkWords {
  title: string;
  body: string;
  labels: readonly string[] | null;
  headBranch: string;
  commits: readonly Pick<CommitSigns, 'isMerge' | 'message'>[];
}

/** More are no names of what it is about. */
const maxLinks = 50;

/**
 * Which pull requests a merged one reverts, or names and puts right; contract of the three answers, section 3.4. Of one
 * that is neither a revert nor a fix there are none, and what else a revert names is named by a fix. Where its labels could
 * not be read, its title and branch decide.
 */
export function findLinks(words: LinkWords, { owner, repo }: RepositoryName): PullRequestLink[] {
  const { title, body, labels, headBranch } = words;
  const commits = words.commits.filter(({ isMerge }) => !isMerge);
  const isRevert =
    isRevertTitle(title) || (commits.length > 0 && commits.every(({ message }) => revertsCommit(message)));
  if (!isFailureFix({ isRevert, labels: [...(labels ?? [])], headBranch })) return [];
  const texts = [title, body, ...commits.map(({ message }) => message)];
  const own = `${owner}/${repo}`.toLowerCase();
  const reverted = isRevert
    ? [...numberInTitle(title), ...numbersReverted(body, own), ...texts.flatMap(shasReverted)]
    : [];
  const named = texts.flatMap((text) => [...numbersIn(text, own), ...shasIn(text)]);
  return [
    ...[...new Set(reverted)].map((target) => ({ kind: 'reverts' as const, target })),
    ...[...new Set(named)]
      .filter((target) => !reverted.includes(target))
      .map((target) => ({ kind: 'fixes' as const, target })),
  ].slice(0, maxLinks);
}

/** What names no commit may be a secret: of all no more is stored than finds a commit. */
const toCommit = (sha: string) => sha.slice(0, 10).toLowerCase();

const toTarget = (number: string) => `#${Number(number)}`;

/** `Revert "Revert "Add it (#1)" (#2)"` is about the last of them. */
const numberInTitle = (title: string): string[] =>
  [...title.matchAll(/\(#(\d{1,9})\)/g)].map(([, number = '']) => toTarget(number)).slice(-1);

/** `Reverts octo/web#12`, as the platform writes it. */
const numbersReverted = (text: string, own: string): string[] =>
  [...text.matchAll(/\breverts\s+(?:([\w.-]+\/[\w.-]+))?#(\d{1,9})\b/gi)].flatMap(([, name, number = '']) =>
    name === undefined || name.toLowerCase() === own ? toTarget(number) : [],
  );

const revertsCommit = (message: string): boolean => shasReverted(message).length > 0;

/** `This reverts commit …`, as git writes it. */
const shasReverted = (text: string): string[] =>
  [...text.matchAll(/\bthis reverts commit ([0-9a-f]{10,40})\b/gi)].map(([, sha = '']) => toCommit(sha));

/** Of this repository alone. */
const numbersIn = (text: string, own: string): string[] =>
  [...text.matchAll(/(?<![\w/#&-])(?:([\w.-]+\/[\w.-]+))?#(\d{1,9})\b/g)].flatMap(([, name, number = '']) =>
    name === undefined || name.toLowerCase() === own ? toTarget(number) : [],
  );

/** Digits alone may be the number of a telephone. */
const shasIn = (text: string): string[] =>
  [...text.matchAll(/\b(?=[0-9]*[a-f])[0-9a-f]{10,40}\b/gi)].map(([sha]) => toCommit(sha));
