import { parseUses } from './actions.ts';
import { textIn, valueIn, type Workflow } from './workflow.ts';
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

/** Scopes of a job's token, as workflow files write them; `*` for every scope. What is not listed is not granted. */
export type TokenPermissions = Record<string, 'read' | 'write'>;

export const reachedRunners = ['hosted', 'self_hosted', 'unknown'] as const;

/** Secrets by name, in upper case as the platform keeps them, without the token of the job. */
export interface NamedSecrets {
  secrets: string[];
  /** Whether every secret that is offered may be read: `toJSON(secrets)`, a computed name, `secrets: inherit`. */
  allSecrets: boolean;
}

/** What a job of a workflow file has in reach, as far as its text says it: names alone, no values. */
export interface JobReach extends NamedSecrets {
  id: string;
  /** As written, with its expressions; null where it has none. */
  name: string | null;
  /** As written; null for none. */
  environment: string | null;
  /** null where neither the job nor its file has any: the default of the repository counts then. */
  permissions: TokenPermissions | null;
  runner: (typeof reachedRunners)[number];
  /** The workflow that it calls instead of steps; of the same repository without `actionKey` and `ref`. */
  calls: UsedRef | null;
  /** What is handed to each action, image or called workflow by its inputs and variables. */
  handed: (UsedRef & NamedSecrets)[];
}

/** What a workflow file or an action uses, as far as its text says it. */
export interface FileUses {
  /** Of others, each once. */
  refs: UsedRef[];
  /** What is not in another repository, and what an expression names, or is not written as a name, as written. */
  unknown: { reason: 'local_action' | 'expression'; text: string }[];
  /** Called workflows of the same repository, by path. */
  localWorkflows: string[];
  /** What its jobs have in reach; missing where that was not read. */
  jobs?: JobReach[];
}

/** Everything that a workflow file, or the file of a composite or container action, uses. */
export function usesIn({ jobs, root }: Workflow): FileUses {
  const runs = valueIn(root, 'runs');
  const own = runs?.kind === 'map' ? runs : null;
  const steps = valueIn(own, 'steps');
  const used = [
    ...jobs.flatMap(({ uses, steps: ofJob }) => [uses, ...ofJob.map((step) => step.uses)]),
    ...(steps?.kind === 'list' ? steps.items : []).map((step) => (step.kind === 'map' ? textIn(step, 'uses') : null)),
  ].filter((scalar) => scalar !== null);
  const builtImage = textIn(own, 'image');
  const images = [
    ...jobs.flatMap(({ container, services }) => [container?.image, ...services.map(({ image }) => image)]),
    builtImage?.value.startsWith(imagePrefix) ? builtImage : null,
  ].flatMap((scalar) => scalar ?? []);
  const refs = [
    ...used.flatMap((scalar) => toUsedRef(scalar) ?? []),
    ...images.flatMap(({ value }) => toImage(value) ?? []),
  ];
  const unknown = [
    ...used.flatMap((scalar) => (isNamed(scalar) ? [] : toUnknown(scalar))),
    ...images.flatMap((scalar) => (toImage(scalar.value) ? [] : toUnknown(scalar))),
  ];
  return {
    refs: [...new Map(refs.map((one) => [usedRefKey(one), one])).values()],
    unknown: [...new Map(unknown.map((one) => [one.text, one])).values()],
    localWorkflows: [
      ...new Set(used.flatMap(({ value }) => (localWorkflow.test(value.trim()) ? value.trim().slice(2) : []))),
    ],
  };
}

const isNamed = (scalar: YamlScalar): boolean => toUsedRef(scalar) !== null || localWorkflow.test(scalar.value.trim());

/** Whatever names nothing of others for certain is unknown: the platform may accept what is not understood here. */
function toUnknown({ value }: YamlScalar): FileUses['unknown'][number] {
  const text = value.trim();
  const isLocal = /^[.$]/.test(text) && !text.includes('${{');
  return { reason: isLocal ? 'local_action' : 'expression', text: text.slice(0, longestText) };
}

const longestText = 200;
const localWorkflow = /^(?:\.|\$)\/\.github\/workflows\/[^/]+\.ya?ml$/i;

/** What a `uses` names of others; null for what is of the same repository, and for what has no certain ref. */
export function toUsedRef(scalar: YamlScalar): UsedRef | null {
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
export function toImage(written: string): UsedRef | null {
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

/** Whether a ref is written as that of a branch, which no tag of the same name stands for. */
export const isBranchName = (ref: string): boolean => /^(?:refs\/)?heads\//.test(ref);

/** Whether a ref is the id of a commit, which leads nowhere else. */
export const isCommitId = (ref: string): boolean => /^[0-9a-f]{40}$/.test(ref);

/** A day, or a moment of it, as tags are named by. */
const date = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?\*?$/;

/**
 * Whether what is written looks like the beginning of a commit's id, which another commit may share on purpose. A date is
 * a tag's; other digits alone may be either: taken for a tag, an id would find nothing.
 */
export const isShortSha = (written: string): boolean => /^[0-9a-f]{7,39}\*?$/i.test(written) && !date.test(written);

/** Whether a ref leads to the same for good: the id of a commit, or the digest of an image. */
export const isFixed = (ref: string): boolean => isCommitId(ref) || /^sha(?:256|512):[0-9a-f]{64,128}$/.test(ref);
