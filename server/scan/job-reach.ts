import {
  type JobReach,
  type NamedSecrets,
  type TokenPermissions,
  toImage,
  toUsedRef,
  type UsedRef,
} from './action-uses.ts';
import type { Expression } from './expressions.ts';
import { labelChoices, runnerKind } from './runners.ts';
import {
  findConditions,
  findExpressions,
  type Image,
  type Job,
  type Permissions,
  type Setting,
  type Step,
  textIn,
  type Workflow,
} from './workflow.ts';
import { textsBelow, type YamlNode, type YamlScalar } from './yaml.ts';

/** What each job of a workflow file has in reach. */
export function reachOfJobs(workflow: Workflow): JobReach[] {
  const ofWorkflow = findSecrets(textsOf(workflow.env));
  return workflow.jobs.map((job) => toReach(workflow, job, ofWorkflow));
}

function toReach(workflow: Workflow, job: Job, ofWorkflow: NamedSecrets): JobReach {
  const { id, name, node, uses, steps, permissions } = job;
  const isInherited = job.secrets.all !== null;
  // Variables of a workflow do not reach the workflows that it calls.
  const ofVariables = uses ? none : join(ofWorkflow, findSecrets(textsOf(job.env)));
  const conditions = [job.condition, ...steps.map(({ condition }) => condition)].flatMap(findConditions);
  const found = join(findSecrets(textsBelow(node), conditions), ofVariables);
  return {
    id,
    name,
    secrets: found.secrets,
    allSecrets: found.allSecrets || isInherited,
    environment: nameEnvironment(job.environment),
    permissions: toPermissions(permissions ?? workflow.permissions),
    runner: findRunner(job),
    calls: uses ? toCalled(uses) : null,
    handed: [
      ...(uses ? handOver(toUsedRef(uses), { ...found, allSecrets: found.allSecrets || isInherited }) : []),
      ...steps.flatMap((step) => handToStep(step, ofVariables)),
      ...[job.container, ...job.services].flatMap((image) => (image ? handToImage(image, ofVariables) : [])),
    ],
  };
}

const textsOf = (settings: readonly Setting[]): YamlScalar[] => settings.flatMap(({ value }) => textsBelow(value));

const handToStep = ({ uses, with: inputs, env }: Step, ofVariables: NamedSecrets): JobReach['handed'] =>
  uses ? handOver(toUsedRef(uses), join(ofVariables, findSecrets(textsOf([...inputs, ...env])))) : [];

const handToImage = ({ image, env, credentials }: Image, ofVariables: NamedSecrets): JobReach['handed'] =>
  image ? handOver(toImage(image.value), join(ofVariables, findSecrets(textsOf([...env, ...credentials])))) : [];

const none: NamedSecrets = { secrets: [], allSecrets: false };

/** More names than this are every secret: a file may not make what is stored of it grow with its square. */
const maxNamed = 200;

function join(one: NamedSecrets, other: NamedSecrets): NamedSecrets {
  const secrets = [...new Set([...one.secrets, ...other.secrets])].sort();
  return {
    secrets: secrets.slice(0, maxNamed),
    allSecrets: one.allSecrets || other.allSecrets || secrets.length > maxNamed,
  };
}

const handOver = (used: UsedRef | null, found: NamedSecrets): JobReach['handed'] =>
  used ? [{ ...used, ...found }] : [];

/** What cannot be read as a name is none that was read. */
const toCalled = (uses: YamlScalar): UsedRef =>
  toUsedRef(uses) ?? {
    actionKey: '',
    path: uses.value.trim().replace(/^[.$]\//, ''),
    kind: 'reusable_workflow',
    ref: '',
  };

function findSecrets(texts: readonly YamlScalar[], conditions: readonly Expression[] = []): NamedSecrets {
  const secrets = new Set<string>();
  let allSecrets = false;
  for (const { tree, source, paths } of [...texts.flatMap(findExpressions), ...conditions]) {
    // What is not understood may read any.
    if (tree === null && /\bsecrets\b/i.test(source)) allSecrets = true;
    for (const path of paths) {
      const [context, name] = path.split('.');
      if (context !== 'secrets' || name === 'github_token') continue;
      if (name === undefined || name === '*' || name === '?') allSecrets = true;
      else secrets.add(name.toUpperCase());
    }
  }
  const named = [...secrets].sort();
  return { secrets: named.slice(0, maxNamed), allSecrets: allSecrets || named.length > maxNamed };
}

const nameEnvironment = (node: YamlNode | null): string | null => {
  if (node?.kind === 'scalar') return node.value;
  return textIn(node, 'name')?.value ?? null;
};

function toPermissions(permissions: Permissions | null): TokenPermissions | null {
  if (permissions === null) return null;
  const { all, scopes } = permissions;
  if (all === 'write-all') return { '*': 'write' };
  if (all === 'read-all') return { '*': 'read' };
  if (all !== null) return null;
  return Object.fromEntries(
    scopes.flatMap(({ key, text }) => {
      const access = text?.value;
      return access === 'read' || access === 'write' ? [[key.value.toLowerCase(), access] as const] : [];
    }),
  );
}

/** Whose machine its labels select. */
function findRunner(job: Job): JobReach['runner'] {
  const kinds = labelChoices(job, null).flatMap((choices) =>
    choices.length === 0 ? (['unknown'] as const) : choices.flat().map(({ value }) => runnerKind(value, [])),
  );
  if (kinds.includes('self-hosted')) return 'self_hosted';
  return kinds.length > 0 && kinds.every((kind) => kind === 'hosted') ? 'hosted' : 'unknown';
}
