import { newestFirst } from './delivery.ts';
import type { DoubleRepository } from './world.ts';

/** A tag, or a branch beside the default one. */
export interface DoubleRef {
  kind: 'heads' | 'tags';
  name: string;
  /** Ids of the commits it leads to, its own first. */
  commits: string[];
  /** Id of the tag itself, where it has a message. */
  object?: string;
  /** It has no commit in common with the others, as branches for pages alone. */
  isUnrelated?: true;
  /** Texts that its newest commit changed, by path, where it was added by GraphQL; and what that commit says. */
  files?: Map<string, string>;
  message?: { headline: string; body?: string | null };
}

/** An advisory about an action, as the platform published it. */
export interface DoubleAdvisory {
  id: string;
  /** The name of the repository, in its own letters. */
  package: string;
  range: string;
  patched: string | null;
  withdrawn?: true;
}

export const refName = ({ kind, name }: DoubleRef) => `refs/${kind}/${name}`;

/** The default branch; null in an empty repository. */
export function defaultRef({ empty, facts, commits }: DoubleRepository): DoubleRef | null {
  if (empty || facts.defaultBranch === null) return null;
  return { kind: 'heads', name: facts.defaultBranch, commits: newestFirst(commits).map(({ sha }) => sha) };
}

/** Every branch and tag, the default branch first. */
export const refsOf = (one: DoubleRepository): DoubleRef[] => [defaultRef(one) ?? [], one.refs].flat();

/** How a commit stands to a ref; null where the two cannot be compared. */
export function mergeStatus(one: DoubleRepository, { commits, isUnrelated }: DoubleRef, commit: string) {
  const behind = commits.indexOf(commit);
  if (behind >= 0) return { aheadBy: 0, behindBy: behind };
  if (isUnrelated) return null;
  const isKnown = one.forkCommits.includes(commit) || refsOf(one).some((ref) => ref.commits.includes(commit));
  return isKnown ? { aheadBy: 1, behindBy: 1 } : null;
}

/** How a commit of a ref stands to another of any ref, by what leads to them; null where one of them is not there. */
export function compareByRefs(one: DoubleRepository, base: string, head: string) {
  const [before, now] = [base, head].map((id) => ancestorsOf(one, id));
  if (!before || !now) return null;
  const [ahead, behind] = [now.filter((id) => !before.includes(id)), before.filter((id) => !now.includes(id))];
  const status =
    ahead.length === 0 ? (behind.length === 0 ? 'identical' : 'behind') : behind.length > 0 ? 'diverged' : 'ahead';
  return { status, ahead, behind };
}

/** A commit and all before it; null where no ref and no fork has it. */
function ancestorsOf(one: DoubleRepository, id: string): string[] | null {
  const line = refsOf(one).find(({ commits }) => commits.includes(id))?.commits;
  if (line) return line.slice(line.indexOf(id));
  return one.forkCommits.includes(id) ? [id] : null;
}
