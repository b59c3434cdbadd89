import type { FileJob } from './file-jobs.ts';

/**
 * The job of a file that a job of a run is, by its name; null where several may be it, or none: then any of the file may
 * be it.
 */
export function matchJob(jobs: readonly FileJob[], name: string): FileJob | null {
  const [only, ...others] = jobs.filter((job) => toPattern(job).test(name));
  return only && others.length === 0 ? only : null;
}

/** As the platform names it: calls with a slash between them, and behind each what its matrix says. */
const toPattern = ({ names, isWhole }: FileJob): RegExp => {
  const parts = names.map(
    (name) =>
      `${name
        .split(/\$\{\{.*?\}\}/s)
        .map(escaped)
        .join('.*')}(?: \\(.*\\))?`,
  );
  return new RegExp(`^${parts.join(' / ')}${isWhole ? '' : '(?: / .*)?'}$`, 's');
};

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
