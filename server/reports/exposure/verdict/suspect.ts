import type { Instant } from '../../../metrics/kernel/facts.ts';
import { isCommitId, isFixed, shortRefName, type UsedRef } from '../../../scan/action-uses.ts';
import { isAffected, isComparable } from '../../../scan/action-versions.ts';

export const matchTypes = ['sha', 'ref', 'version_range', 'digest', 'any'] as const;

/** Where something was compromised: at a commit, a ref, the versions of a range, an image digest, or at every ref. */
export interface Match {
  type: (typeof matchTypes)[number];
  /** null for `any` alone. */
  value: string | null;
}

/** What was compromised, at which refs or commits, and when. */
export interface Suspect {
  /** null: the action and the reusable workflows of the repository. */
  kind: UsedRef['kind'] | null;
  /** `owner/repo` in lower case, of an image its name behind `docker://`: every name that it was seen under. */
  actionKeys: string[];
  /** Whether the platform's id of its repository is known: else any other name may be one of it. */
  hasKnownId: boolean;
  /** Of the action or workflow file below its repository; empty for all of them. */
  path: string;
  match: Match[];
  /** Whether every SHA in the list is known to be that of a commit: records never name a tag by its own id. */
  hasCommitsOnly: boolean;
  /** null from: everything that is stored. null to: until now. */
  window: { from: Instant | null; to: Instant | null };
}

/**
 * Whether a use is of what was compromised, at whatever ref: a path counts with what lies below it, and a listed commit
 * whatever name it is used under.
 */
export function isNamed(suspect: Suspect, used: UsedRef): boolean {
  const { kind, actionKeys, path } = suspect;
  if (isListed(suspect, used.ref)) return true;
  if (!actionKeys.includes(used.actionKey)) return false;
  if (kind !== null && kind !== used.kind) return false;
  const [wanted, own] = [path.toLowerCase(), used.path.toLowerCase()];
  return wanted === '' || own === wanted || own.startsWith(`${wanted}/`);
}

/** Whether a commit, or the digest of an image or a package, is among the compromised ones. */
export const isListed = ({ match }: Suspect, commit: string): boolean =>
  match.some(({ type, value }) => (type === 'sha' || type === 'digest') && value === commit);

/**
 * Whether a ref that may move is one at which it was compromised. `not_comparable`: a range of versions was given, and
 * the ref names no full version.
 */
export function matchRef({ match }: Suspect, written: string): 'matches' | 'other' | 'not_comparable' {
  const ref = shortRefName(written);
  const results = match.map(({ type, value }) => {
    if (type === 'ref') return isRef(shortRefName(value ?? ''), ref) ? 'matches' : 'other';
    if (type === 'version_range') return compareRange(value ?? '', ref);
    // It may have led to any commit.
    return 'matches';
  });
  if (results.includes('matches')) return 'matches';
  return results.includes('not_comparable') ? 'not_comparable' : 'other';
}

/** Refs are case-sensitive. */
const isRef = (wanted: string, ref: string): boolean =>
  wanted.endsWith('*') ? ref.startsWith(wanted.slice(0, -1)) : ref === wanted;

/** A shortened version such as `v4` may stand for any of its releases; one with a prefix counts something else. */
const compareRange = (range: string, ref: string): 'matches' | 'other' | 'not_comparable' => {
  if (!isComparable(ref)) return 'not_comparable';
  return isAffected(ref, range) ? 'matches' : 'other';
};

/** What certainly ran. */
export interface CertainCommit {
  /** A commit, or the digest of an image. */
  commit: string;
  /** The id of the tag that led to it, where it has a message. */
  tagObject: string | null;
  /** Whether it was seen before the time of the suspect: what it holds cannot have changed since. */
  isOlder: boolean;
}

/** Whether a commit is compromised; `unknown` where what is given of the suspect does not tell. */
export function classifyCommit(
  suspect: Suspect,
  ref: string,
  { commit, tagObject, isOlder }: CertainCommit,
): 'suspect' | 'clean' | 'unknown' {
  const { match, hasCommitsOnly } = suspect;
  const isAllListed = hasCommitsOnly && match.some(({ type }) => type === 'sha' || type === 'digest');
  if (isListed(suspect, commit) || (tagObject !== null && isListed(suspect, tagObject))) return 'suspect';
  const ranges = match.filter(({ type }) => type === 'version_range');
  if (ranges.some(({ value }) => compareRange(value ?? '', shortRefName(ref)) !== 'other')) return 'unknown';
  // Whoever lists commits lists all of them.
  return isAllListed || isOlder || ranges.length === match.length ? 'clean' : 'unknown';
}

/**
 * Whether a use of what was compromised may be one of it at a compromised ref or commit. Digests alone clear no commit, whose
 * package may be the listed one.
 */
export function mayMatch(suspect: Suspect, ref: string, isOlder: (commit: string) => boolean): boolean {
  if (!isFixed(ref)) return matchRef(suspect, ref) !== 'other';
  if (isCommitId(ref) && suspect.match.every(({ type }) => type === 'digest')) return !isOlder(ref);
  return classifyCommit(suspect, ref, { commit: ref, tagObject: null, isOlder: isOlder(ref) }) !== 'clean';
}
