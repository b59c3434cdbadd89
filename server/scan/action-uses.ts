import { parseUses } from './actions.ts';
import type { Workflow } from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

export const usedKinds = ['action', 'reusable_workflow', 'image'] as const;

/** What is used of a repository of actions or reusable workflows, or a container image. */
export interface UsedRef {
  /** `owner/repo` in lower case; of an image its name without tag or digest, behind `docker://`. */
  actionKey: string;
  /** Of the action or workflow file below the repository, as written; empty at its root, and for images. */
  path: string;
  kind: (typeof usedKinds)[number];
  /** As written; the id of a commit in lower case. Of an image its digest, else its tag. */
  ref: string;
}

/** Everything of others that a workflow file uses, each once. */
export function usedRefsIn({ jobs }: Workflow): UsedRef[] {
  const found = jobs.flatMap(({ uses, steps, container, services }) => [
    ...[uses, ...steps.map((step) => step.uses)].flatMap((scalar) => (scalar && toUsedRef(scalar)) ?? []),
    ...[container, ...services].flatMap((one) => (one?.image && toImage(one.image.value)) ?? []),
  ]);
  return [...new Map(found.map((used) => [usedRefKey(used), used])).values()];
}

/** What a `uses` names of others; null for what is of the same repository, and for what has no certain ref. */
function toUsedRef(scalar: YamlScalar): UsedRef | null {
  const uses = parseUses(scalar);
  if (uses?.kind === 'docker') return toImage(uses.image);
  if (!uses || uses.ref === null || uses.owner === '') return null;
  const [, path = ''] = /^[^/@]+\/[^/@]+\/?([^@]*)@/.exec(scalar.value.trim()) ?? [];
  return {
    actionKey: `${uses.owner}/${uses.repo}`,
    path: path.replace(/\/+$/, ''),
    kind: uses.kind === 'workflow' ? 'reusable_workflow' : 'action',
    ref: uses.isSha ? uses.ref.toLowerCase() : uses.ref,
  };
}

/** null for an expression, and for what names no image. */
function toImage(written: string): UsedRef | null {
  const text = written.trim().replace(/^docker:\/\//, '');
  const [, name, tag = 'latest', digest] = /^([^\s@]+?)(?::([\w][\w.-]*))?(?:@(\w+:[0-9a-f]+))?$/.exec(text) ?? [];
  if (name === undefined || text.includes('${{')) return null;
  return { actionKey: `${imagePrefix}${name.toLowerCase()}`, path: '', kind: 'image', ref: digest ?? tag };
}

/** Tells images from repositories. */
export const imagePrefix = 'docker://';

export const usedRefKey = ({ actionKey, path, kind, ref }: UsedRef): string => `${actionKey} ${path} ${kind} ${ref}`;

/** Counts in how many of these files each ref is used. */
export function countUses(files: readonly (readonly UsedRef[])[]): (UsedRef & { workflows: number })[] {
  const uses = Map.groupBy(files.flat(), usedRefKey);
  return [...uses.values()].flatMap((all) => (all[0] ? { ...all[0], workflows: all.length } : []));
}

/** A ref without what tells tags and branches apart. */
export const shortRefName = (ref: string): string => ref.replace(/^(?:refs\/)?(?:tags|heads)\//, '');

/** Whether a ref is the id of a commit, which leads nowhere else. */
export const isCommitId = (ref: string): boolean => /^[0-9a-f]{40}$/.test(ref);

/** Whether a ref leads to the same for good: the id of a commit, or the digest of an image. */
export const isFixed = (ref: string): boolean => isCommitId(ref) || /^sha(?:256|512):[0-9a-f]{64,128}$/.test(ref);
