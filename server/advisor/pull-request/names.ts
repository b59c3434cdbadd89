import { createHash } from 'node:crypto';
import type { Kind } from '../kind.ts';
import type { Recommendation } from '../recommend.ts';

/**
 * Contract of the advisor, section 7.5: the same changes of the same contents have the same branch, whoever asks. `only`
 * is the kind of one alone.
 */
export function branchName(ids: readonly string[], only: Pick<Kind, 'id'> | null, baseBlobs: BaseBlobs): string {
  const what = only?.id.toLowerCase() ?? `${ids.length}-changes`;
  return `advisor/${what}-${hashSubject(ids, baseBlobs).slice(0, 8)}`;
}

/** Ids of contents by the path of the file. */
export type BaseBlobs = Readonly<Record<string, string>>;

/** Of recommendations and of what they are to change, whatever their order. */
export function hashSubject(ids: readonly string[], baseBlobs: BaseBlobs): string {
  const blobs = Object.entries(baseBlobs).sort(([one], [other]) => (one < other ? -1 : 1));
  const subject = [[...ids].sort(), blobs];
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex');
}

/** The names that are tried while another branch has the one before. */
export const branchNames = (name: string): string[] => [
  name,
  ...Array.from({ length: 8 }, (_unused, index) => `${name}-${index + 2}`),
];

const maxHeadline = 72;

/** Of the commit, and of the pull request where nobody writes another one. */
export function headline(chosen: readonly { kind: Pick<Kind, 'title'> }[]): string {
  const [first] = chosen;
  if (chosen.length !== 1 || !first) return `CI: ${chosen.length} changes of workflow files`;
  const { title } = first.kind;
  return `CI: ${title.charAt(0).toLowerCase()}${title.slice(1)}`.slice(0, maxHeadline);
}

/** One line for each change. The platform acts on some words of a message, which the name of a file may hold. */
export const commitBody = (
  chosen: readonly (Pick<Recommendation, 'path' | 'line'> & { kind: Pick<Kind, 'title'> })[],
): string =>
  chosen
    .map(({ kind, path, line }) => `${kind.title}: ${plainPath.test(path) ? `${path}, ` : ''}line ${line}`)
    .join('\n');

const plainPath = /^[A-Za-z0-9._/-]+$/;

/** The id that git gives a file with this text. */
export const blobId = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
