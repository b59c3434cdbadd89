import { memoize } from './memoize.ts';
import type { Job, Step, Workflow } from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

/** What a `uses` names. Names are in lower case; what does not apply is empty. */
export interface Uses {
  kind: 'action' | 'workflow' | 'local' | 'docker';
  owner: string;
  repo: string;
  /** Below the repository, or the local path: in the workspace, or with `$/` in the workflow's own commit. */
  path: string;
  /** As written; null when none is. */
  ref: string | null;
  isSha: boolean;
  /** Such as `v4`, `1.2.3`, `tool-v2` or the version branch `release/v1`. */
  isVersion: boolean;
  /** Made by the platform itself. */
  isPlatformOwned: boolean;
  /** A container image with its digest. */
  digest: boolean;
  /** Of a container image, without `docker://`. */
  image: string;
}

/** Reads a `uses`; null when it holds an expression or names nothing that could be used. */
export const parseUses = memoize(readUses);

function readUses({ value }: YamlScalar): Uses | null {
  const text = value.trim();
  if (text === '' || text.length > longestName || text.includes('${{')) return null;
  if (text.startsWith('docker://')) {
    const image = text.slice('docker://'.length);
    return { ...nothing, kind: 'docker', image, digest: hasDigest(image) };
  }
  if (/^(\.\.?|\$)\//.test(text)) return { ...nothing, kind: 'local', path: text };
  const [, name = '', path = '', ref = null] = /^([^/@\s]+\/[^/@\s]+)(\/[^@\s]*)?(?:@(\S+))?$/.exec(text) ?? [];
  const [owner = '', repo = ''] = name.toLowerCase().split('/');
  if (repo === '') return null;
  return {
    ...nothing,
    kind: workflowFile.test(path) ? 'workflow' : 'action',
    owner,
    repo,
    path: path.slice(1).toLowerCase(),
    ref,
    isSha: ref !== null && /^[0-9a-f]{40}$/i.test(ref),
    isVersion: ref !== null && isVersionName(ref),
    isPlatformOwned: owner === 'actions' || owner === 'github',
  };
}

/** The action that a step uses, as `owner/repo` or `owner/repo/path` in lower case; null when it uses none. */
export function getAction(step: Step): string | null {
  const uses = step.uses && parseUses(step.uses);
  if (uses?.kind !== 'action') return null;
  const name = `${uses.owner}/${uses.repo}`;
  return uses.path === '' ? name : `${name}/${uses.path}`;
}

export const isCheckout = (step: Step): boolean => getAction(step) === 'actions/checkout';

/** Everything that a workflow uses: actions of steps and called workflows, with what they name. */
export function* usedIn({ jobs }: Workflow): Generator<{ scalar: YamlScalar; uses: Uses; job: Job; step?: Step }> {
  for (const job of jobs) {
    const called = job.uses && parseUses(job.uses);
    if (job.uses && called) yield { scalar: job.uses, uses: called, job };
    for (const step of job.steps) {
      const uses = step.uses && parseUses(step.uses);
      if (step.uses && uses) yield { scalar: step.uses, uses, job, step };
    }
  }
}

/** The numbers of the version that is used, from the ref or the comment behind it; null when neither names one. */
export function getVersion(workflow: Workflow, scalar: YamlScalar): number[] | null {
  const uses = parseUses(scalar);
  if (!uses?.ref) return null;
  return versionNumbers((uses.isSha ? commentBehind(workflow, scalar) : uses.ref) ?? '');
}

/** The word in the comment behind a `uses` in which its version is named, where one is; null without a comment. */
export function commentBehind({ text }: Workflow, { end }: YamlScalar): string | null {
  const behind = text.slice(end, end + longestName);
  return /^["']?[ \t]+#[ \t]*(?:tag[ :=]|ratchet:\S+@)?[ \t]*(\S+)/.exec(behind)?.[1] ?? null;
}

/** The numbers in the name of a version, such as `v1.2.3` or `tool-v1.2`; null when it is none. */
export const versionNumbers = (name: string): number[] | null => versionIn(name)?.numbers ?? null;

/** The same with its prefix, such as `tool-`; empty for nothing. */
export function versionIn(name: string): { prefix: string; numbers: number[] } | null {
  const found = /^([a-z][\w./@-]*[/@-])?v?(\d+(?:\.\d+)*)(?:[+_-][\w.+-]*)?$/i.exec(name);
  const [, prefix = '', numbers] = found ?? [];
  return numbers === undefined ? null : { prefix, numbers: numbers.split('.').map(Number) };
}

/** Whether an action checks the tag it was called by, and so cannot be called by a commit. */
export const needsTag = ({ owner, repo, path }: Uses): boolean =>
  owner === 'slsa-framework' && repo === 'slsa-github-generator' && path !== '';

/** Whether an image is named with the digest of its content. */
export const hasDigest = (image: string): boolean => /@sha(256|512):[0-9a-f]{64,128}$/i.test(image.trim());

/** No repository, path and ref together are longer. */
const longestName = 500;

const nothing: Uses = {
  kind: 'action',
  owner: '',
  repo: '',
  path: '',
  ref: null,
  image: '',
  isSha: false,
  isVersion: false,
  isPlatformOwned: false,
  digest: false,
};
const workflowFile = /^\/\.github\/workflows\/[^/]+\.ya?ml$/i;
const branch = /^(refs\/)?heads\//i;
const version = /^(?:(?:refs\/)?tags\/)?(?:releases?\/|[\w.]+@)?v?\d+(?:[.+_-][\w.+-]*)?$/i;
/** Behind another name it has its `v` or a dot, unlike `patch-1`. */
const namedVersion = /^(?:[\w.]+[/@-])+(?:v\d+|\d+\.\d+)(?:[.+_-][\w.+-]*)?$/i;

const isVersionName = (ref: string) => !branch.test(ref) && (version.test(ref) || namedVersion.test(ref));
