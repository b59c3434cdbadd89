import type { ActionUse } from './action-knowledge.ts';

/** What is used of a repository of actions or reusable workflows: names in lower case, refs as written. */
export interface UsedRef extends Pick<ActionUse, 'kind' | 'ref'> {
  /** `owner/repo`. */
  actionKey: string;
}

/** Counts in how many of these files each ref is used, whatever path of its repository they name. */
export function countUses(files: readonly (readonly ActionUse[])[]): (UsedRef & { workflows: number })[] {
  const counted = new Map<string, UsedRef & { workflows: number }>();
  for (const uses of files) {
    const refs = new Map(uses.map(toUsedRef).map((used) => [`${used.actionKey} ${used.kind} ${used.ref}`, used]));
    for (const [key, used] of refs) {
      const { workflows = 0 } = counted.get(key) ?? {};
      counted.set(key, { ...used, workflows: workflows + 1 });
    }
  }
  return [...counted.values()];
}

const toUsedRef = ({ owner, repo, kind, ref }: ActionUse): UsedRef => ({
  actionKey: `${owner}/${repo}`.toLowerCase(),
  kind,
  ref,
});

/** Whether a ref is the id of a commit, which leads nowhere else. */
export const isCommitId = (ref: string): boolean => /^[0-9a-f]{40}$/.test(ref);
