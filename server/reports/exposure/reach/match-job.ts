import { fits, partsOfName } from '../../../scan/job-names.ts';
import type { FileJob } from './file-jobs.ts';

/**
 * The job of a file that a job of a run is, by its name; null where several may be it, or none: then any of the file may
 * be it.
 */
export function matchJob(jobs: readonly FileJob[], name: string): FileJob | null {
  const [only, ...others] = jobs.filter((job) => isNamed(job, name));
  return only && others.length === 0 ? only : null;
}

/** As the platform names it: calls with a slash between them, and behind each what its matrix says. */
const separator = ' / ';

/** In one pass over the name: anybody may write these files. */
function isNamed({ names, isWhole }: FileJob, name: string): boolean {
  const own = names.flatMap(toLevels);
  // What a matrix says may have such a slash too.
  if (own.length === 1 && own[0] && isOfMatrix(name, own[0])) return true;
  const logged = name.split(separator);
  const isLonger = logged.length > own.length;
  const isFit = own.every((parts, index) => isOfMatrix(logged[index] ?? '', parts));
  if (isFit && (isLonger ? !isWhole : logged.length === own.length)) return true;
  // What an expression becomes may have such slashes too.
  return isLonger && own.some((parts) => parts.length > 1) && fits(name, toLooseParts(own));
}

/** The parts of a name; a slash in it reads like one between names. */
function toLevels(name: string): string[][] {
  const levels: string[][] = [[]];
  for (const part of partsOfName(name)) {
    const [first = '', ...others] = part.split(separator);
    levels.at(-1)?.push(first);
    levels.push(...others.map((other) => [other]));
  }
  return levels;
}

const isOfMatrix = (text: string, parts: readonly string[]): boolean =>
  fits(text, parts) || fits(text, [...parts.slice(0, -1), `${parts.at(-1)} (`, ')']);

const toLooseParts = (levels: readonly string[][]): string[] => [
  ...levels.flatMap(([first = '', ...others], level) => [level === 0 ? first : `${separator}${first}`, ...others]),
  '',
];
