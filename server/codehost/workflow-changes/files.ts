import type { WorkflowFileChange } from './client.ts';

/** Files by path with the id of their content. null: the platform does not list them. */
export type DirectoryFiles = ReadonlyMap<string, string> | null;

export const workflowDirectory = '.github/workflows';

/** Marks a commit that has no such directory at all. */
export const noDirectory: DirectoryFiles = new Map();

/** Whether a name inside of the directory is that of a workflow. */
export const isWorkflowFile = (name: string): boolean => /\.ya?ml$/.test(name);

/**
 * The workflow files that a commit changed, found by the directory's content after it and in each of its parents. A
 * merge changed what differs from all of them. null where one of the contents is not known, and where none shows the
 * directory although the commit is in its history.
 */
export function changedFiles(after: DirectoryFiles, parents: readonly DirectoryFiles[]): WorkflowFileChange[] | null {
  if (after === null || parents.some((parent) => parent === null)) return null;
  if ([after, ...parents].every((each) => each === noDirectory)) return null;
  const before = parents.filter((parent) => parent !== null);
  const paths = new Set([after, ...before].flatMap((files) => [...files.keys()]));
  return [...paths].sort().flatMap((path): WorkflowFileChange[] => {
    const now = after.get(path);
    const earlier = before.map((files) => files.get(path));
    if (earlier.some((one) => one === now) || (earlier.length === 0 && now === undefined)) return [];
    if (now === undefined) return [{ path, change: 'removed' }];
    return [{ path, change: earlier.every((one) => one === undefined) ? 'added' : 'modified' }];
  });
}
