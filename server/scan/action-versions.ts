import semver from 'semver';
import { versionIn } from './actions.ts';

/**
 * The full version that is used: the ref itself where it is one, else the highest among the tags on its commit; null
 * when neither is. A shortened one such as `v4` moves, so it names no version by itself.
 */
export function versionUsed(ref: string, tags: readonly string[]): string | null {
  const named = semver.parse(ref.replace(/^refs\/tags\//, ''));
  if (named) return named.version;
  return semver.rsort(tags.flatMap((tag) => semver.parse(tag) ?? []))[0]?.version ?? null;
}

/** Whether a version lies in a range as advisories write it: `<= 1.0.8`, `= 0.2.0`, `>= 4.3.0, < 4.3.5`. */
export const isAffected = (version: string, range: string): boolean =>
  semver.satisfies(version, range.replaceAll(',', ' '), { includePrerelease: true });

/** Whether a name is a version that a range can be compared with: all its numbers, and no prefix but `v`. */
export const isComparable = (name: string): boolean => semver.valid(name) !== null;

/** Whether a range of an advisory can be understood. */
export const isRange = (range: string): boolean => semver.validRange(range.replaceAll(',', ' ')) !== null;

/** Whether one version may stand for the other: `v4` for `v4.1.2`, `1.2` for `tool-v1.2`. */
export function areSameVersion(one: string, other: string): boolean {
  const [numbers, others] = [versionIn(one)?.numbers, versionIn(other)?.numbers];
  if (!numbers || !others) return one === other;
  return numbers.slice(0, others.length).every((number, index) => number === others[index]);
}

/** Whether both are versions of the same thing, where a repository counts those of several. */
export const areComparable = (one: string, other: string): boolean =>
  versionIn(one) !== null && versionIn(one)?.prefix === versionIn(other)?.prefix;

/** Whether a version has all its numbers: such a tag is not expected to move. */
export const isFullVersion = (name: string): boolean => (versionIn(name)?.numbers.length ?? 0) >= 3;
