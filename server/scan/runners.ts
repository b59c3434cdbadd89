import { memoize } from './memoize.ts';
import { findExpressions, type Job, valueIn } from './workflow.ts';
import { isNothing, type YamlNode, type YamlScalar } from './yaml.ts';

/** Whose machine a label selects; `unknown` may be a larger runner of the organization or a machine of its own. */
export type RunnerKind = 'hosted' | 'managed' | 'self-hosted' | 'unknown';

/** The labels of a job, those that a matrix lists included; what an expression computes is not known, so left out. */
export const listLabels = memoize(readLabels);

function readLabels(job: Job): readonly YamlScalar[] {
  const isComputed = ({ value }: YamlScalar) => value.includes('${{');
  const keys = new Set<string>();
  const labels = job.runsOn.flatMap((label) => {
    if (!isComputed(label)) return [label];
    const key = parseMatrixKey(label);
    if (key === null || keys.has(key)) return [];
    keys.add(key);
    return readMatrix(job).get(key) ?? [];
  });
  return labels.filter((label) => !isComputed(label));
}

/** The key in an expression which is nothing but `matrix.key`; null for any other. */
function parseMatrixKey(scalar: YamlScalar): string | null {
  const [expression, ...others] = findExpressions(scalar);
  const isComplete = others.length === 0 && /^\$\{\{[^}]*\}\}$/.test(scalar.value.trim());
  return isComplete ? (/^matrix\.([\w-]+)$/.exec(expression?.source ?? '')?.[1] ?? null) : null;
}

/** The texts that the matrix of a job lists for each key. */
const readMatrix = memoize((job: Job) => {
  const matrix = valueIn(job.strategy, 'matrix');
  const included = valueIn(matrix, 'include');
  const lists = listEntries(matrix).filter(({ value }) => value.kind === 'list');
  const more = (included?.kind === 'list' ? included.items : []).flatMap(listEntries);
  const byKey = Map.groupBy([...lists, ...more], ({ key }) => key.value);
  return new Map([...byKey].map(([key, entries]) => [key, entries.flatMap(({ value }) => listScalars(value))]));
});

const listEntries = (node: YamlNode | null) =>
  node?.kind === 'map' ? node.entries.filter(({ value }) => !isNothing(value)) : [];

/** Whose machine a label selects. Labels of larger runners are given, in any case. */
export function runnerKind(label: string, largerRunnerLabels: readonly string[]): RunnerKind {
  const name = label.trim().toLowerCase();
  if (name === 'self-hosted') return 'self-hosted';
  if (hosted.test(name) || largerRunnerLabels.some((one) => one.toLowerCase() === name)) return 'hosted';
  return managed.test(name) ? 'managed' : 'unknown';
}

/** Whether a job selects machines that its owner runs. */
export const isSelfHosted = (job: Job): boolean =>
  listLabels(job).some(({ value }) => runnerKind(value, []) === 'self-hosted');

const hosted = /^(ubuntu|windows|macos)-/;
/** Runners of hosting companies, new for each job. */
const managed =
  /^(blacksmith|buildjet|cirun|codebuild|codspeed|depot|namespace|nscloud|runs-on|ubicloud|warp|warpbuild)|^ghcr\.io\//;

function listScalars(node: YamlNode | null): YamlScalar[] {
  if (node?.kind === 'scalar') return [node];
  if (node?.kind === 'list') return node.items.flatMap(listScalars);
  return node?.kind === 'map' ? listScalars(valueIn(node, 'labels')) : [];
}
