import { applyPatch, createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** A unified diff of one file with three lines of context. */
export const formatDiff = (path: string, before: string, after: string): string =>
  createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });

/** What a diff makes of a text; null when it does not apply. */
export function applyDiff(before: string, diff: string): string | null {
  const after = applyPatch(before, diff, { autoConvertLineEndings: false });
  return after === false ? null : after;
}

/** What stands at the head of a patch to download. */
export interface PatchHead {
  repository: string;
  /** The commit that it applies to. */
  commit: string;
  /** One line of each recommendation. */
  lines: readonly string[];
}

/** The diffs of a repository's files as one patch, in the order of their paths. */
export function joinDiffs(head: PatchHead, files: readonly { path: string; diff: string }[]): string {
  const comments = [`${head.repository} at ${head.commit}`, ...head.lines].map((line) => `# ${toOneLine(line)}\n`);
  const inOrder = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return [...comments, ...inOrder.map(({ diff }) => diff)].join('');
}

const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
