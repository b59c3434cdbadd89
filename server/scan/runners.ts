import { expressionsOf, type Job, valueIn } from './workflow.ts';
import type { YamlNode, YamlScalar } from './yaml.ts';

/** Whose machine a label asks for; `unknown` may be a larger runner of the organization or a machine of its own. */
export type RunnerKind = 'hosted' | 'managed' | 'self-hosted' | 'unknown';

/** The labels of a job, those that a matrix lists included; what an expression computes is not known, so left out. */
export function labelsOf(job: Job): YamlScalar[] {
  const isComputed = ({ value }: YamlScalar) => value.includes('${{');
  const labels = job.runsOn.flatMap((label) => (isComputed(label) ? matrixValues(job, label) : [label]));
  return labels.filter((label) => !isComputed(label));
}

/** The texts that a matrix lists for an expression which is nothing but `matrix.key`; none for any other. */
export function matrixValues(job: Job, scalar: YamlScalar): YamlScalar[] {
  const [expression, ...others] = expressionsOf(scalar);
  const [, key] = /^matrix\.([\w-]+)$/.exec(expression?.source ?? '') ?? [];
  const isWhole = others.length === 0 && /^\$\{\{[^}]*\}\}$/.test(scalar.value.trim());
  if (key === undefined || !isWhole) return [];
  const matrix = valueIn(job.strategy, 'matrix');
  const included = listIn(matrix, 'include').map((one) => valueIn(one, key));
  return [...listIn(matrix, key), ...included].flatMap(textsOf);
}

/** Whose machine a label asks for. Labels of larger runners are given, in any letters. */
export function runnerKind(label: string, largerRunnerLabels: readonly string[]): RunnerKind {
  const name = label.trim().toLowerCase();
  if (name === 'self-hosted') return 'self-hosted';
  if (hosted.test(name) || largerRunnerLabels.some((one) => one.toLowerCase() === name)) return 'hosted';
  return managed.test(name) ? 'managed' : 'unknown';
}

/** Whether a job asks for machines that its owner runs. */
export const isSelfHosted = (job: Job): boolean =>
  labelsOf(job).some(({ value }) => runnerKind(value, []) === 'self-hosted');

const hosted = /^(ubuntu|windows|macos)-/;
/** Runners of hosting companies, new for each job. */
const managed =
  /^(blacksmith|buildjet|cirun|codebuild|codspeed|depot|namespace|nscloud|runs-on|ubicloud|warp|warpbuild)|^ghcr\.io\//;

const listIn = (node: YamlNode | null, key: string): YamlNode[] => {
  const value = valueIn(node, key);
  return value?.kind === 'list' ? value.items : [];
};

function textsOf(node: YamlNode | null): YamlScalar[] {
  if (node?.kind === 'scalar') return [node];
  if (node?.kind === 'list') return node.items.flatMap(textsOf);
  return node?.kind === 'map' ? textsOf(valueIn(node, 'labels')) : [];
}
