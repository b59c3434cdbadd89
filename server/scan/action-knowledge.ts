import { commentBehind, parseUses, usedIn, versionNumbers } from './actions.ts';
import type { Workflow } from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

/** A ref of another repository that a workflow uses; the path of the action below the repository is left out. */
export interface ActionUse {
  /** As written, like `repo`. */
  owner: string;
  repo: string;
  /** As written; the id of a commit in lower case. */
  ref: string;
  isSha: boolean;
  kind: 'action' | 'reusable_workflow';
  /** The version that the comment behind the id of a commit names; null without one. */
  comment: string | null;
}

/** A published, not withdrawn advisory about an action. */
export interface ActionAdvisory {
  /** Such as `GHSA-mrrh-fwg8-r2c3`. */
  id: string;
  /** Affected versions in the platform's notation, such as `>= 4.3.0, < 4.3.5`. */
  range: string;
  /** The first version without it; null when there is none. */
  patched: string | null;
}

/** What the platform reports of a public repository that is used at a ref. */
export interface KnownAction {
  isArchived: boolean;
  /** The ref is the name of a branch and of a tag. */
  isBranchAndTag: boolean;
  /** The commit that is used; null when the platform has none under this ref. */
  commit: string | null;
  /** Tags on that commit, as far as they are among the repository's newest hundred; null when not reported. */
  tags: readonly string[] | null;
  /** The commit of the tag that the comment names; null when there is no such tag. */
  commentedCommit: string | null;
  /** Whether a branch or a tag leads to the commit, of refs that are ids; null when unknown. */
  isReachable: boolean | null;
  /** null when not reported. */
  advisories: readonly ActionAdvisory[] | null;
}

/** By `actionUseKey`. What is not there is unknown. */
export type ActionKnowledge = ReadonlyMap<string, KnownAction>;

/** Whether nothing is missing that a rule needs. */
export const isFullyKnown = ({ isSha }: ActionUse, { tags, advisories, isReachable }: KnownAction): boolean =>
  tags !== null && advisories !== null && (!isSha || isReachable !== null);

/** Names a use; owners and repositories are case-insensitive, refs are not. */
export const actionUseKey = ({ owner, repo, ref, comment }: ActionUse): string =>
  `${owner}/${repo}`.toLowerCase() + (comment === null ? `@${ref}` : `@${ref} ${comment}`);

/** Everything of other repositories that a workflow uses, once. */
export const actionUsesIn = (workflow: Workflow): ActionUse[] => [
  ...new Map(
    [...usedIn(workflow)]
      .flatMap(({ scalar }) => actionUse(workflow, scalar) ?? [])
      .map((use) => [actionUseKey(use), use]),
  ).values(),
];

/** What a `uses` names of another repository; null for local actions, containers, and what has no certain ref. */
export function actionUse(workflow: Workflow, scalar: YamlScalar): ActionUse | null {
  const uses = parseUses(scalar);
  if (!uses || uses.ref === null || uses.owner === '') return null;
  const { ref, isSha } = uses;
  const kind = uses.kind === 'workflow' ? 'reusable_workflow' : 'action';
  const [owner = '', repo = ''] = scalar.value.trim().split(/[/@]/);
  const comment = isSha ? commentBehind(workflow, scalar) : null;
  const version = comment !== null && versionNumbers(comment) !== null ? comment : null;
  return { owner, repo, ref: isSha ? ref.toLowerCase() : ref, isSha, kind, comment: version };
}
