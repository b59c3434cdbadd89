import { type Expr, FunctionCall, Grouping, Logical } from '@actions/expressions/ast';
import { evaluate, isFalse, type World } from './evaluation.ts';
import { type Expression, getLiteral, getPath } from './expressions.ts';
import { memoize } from './memoize.ts';
import { findExpressions, type Job, valueIn } from './workflow.ts';
import { isNothing, type YamlNode, type YamlScalar } from './yaml.ts';

/** Whose machine a label selects; `unknown` may be a larger runner of the organization or a machine of its own. */
export type RunnerKind = 'hosted' | 'managed' | 'self-hosted' | 'unknown';

/** A label with where it is written. */
export type Label = Pick<YamlScalar, 'value' | 'offset'>;

/** Labels that are selected together. */
type Selection = readonly Label[];

/** The labels of a job, those that a matrix lists included; what an expression computes is not known, so left out. */
export const listLabels = memoize((job: Job): readonly Label[] =>
  selections(job, ({ tree }) => (tree && matrixChoices(job, tree)) ?? []).flat(2),
);

/**
 * Of each entry of `runs-on` what it may select in a world, or in any without one: one selection for each value of a
 * matrix and for each text of an expression. What an expression takes from elsewhere is not known, so left out.
 */
export const labelChoices = (job: Job, world: World | null): Selection[][] =>
  selections(job, ({ tree }, { offset }) => (tree ? choicesOf(tree, { job, world, offset }) : []));

function selections(job: Job, compute: (expression: Expression, label: Label) => Selection[]): Selection[][] {
  const seen = new Set<string>();
  return job.runsOn.map((label) => {
    if (!isComputed(label)) return [[label]];
    const expression = completeExpression(label);
    if (expression === null || seen.has(expression.source)) return [];
    seen.add(expression.source);
    return compute(expression, label);
  });
}

/** What a matrix lists for the key that an expression is; null for any other. */
function matrixChoices(job: Job, expr: Expr): Selection[] | null {
  const [, key] = /^matrix\.([\w-]+)$/.exec(getPath(expr) ?? '') ?? [];
  return key === undefined ? null : (readMatrix(job).get(key) ?? []);
}

const isComputed = ({ value }: Label) => value.includes('${{');

/** The expression that a text is nothing but; null for any other text. */
function completeExpression(scalar: YamlScalar): Expression | null {
  const [expression, ...others] = findExpressions(scalar);
  if (expression === undefined || others.length > 0) return null;
  const isComplete = scalar.value.trim().endsWith('}}') && scalar.value.slice(0, expression.at).trim() === '';
  return isComplete ? expression : null;
}

interface Place {
  job: Job;
  world: World | null;
  /** Of the expression. */
  offset: number;
}

/** What an expression may select: texts that flow into its result, as far as conditions let them. */
function choicesOf(expr: Expr, place: Place): Selection[] {
  const { job, offset } = place;
  const text = getLiteral(expr);
  if (text !== null) return text === '' ? [] : [[{ value: text, offset }]];
  if (expr instanceof Grouping) return choicesOf(expr.group, place);
  if (expr instanceof Logical) return logicalChoices(expr, place);
  if (expr instanceof FunctionCall && expr.functionName.lexeme.toLowerCase() === 'fromjson')
    return expr.args.flatMap((arg) => choicesOf(arg, place)).flatMap(parseSelection);
  return matrixChoices(job, expr) ?? [];
}

/** `a && b` may be `b`, and `a || b` either, but for what the world excludes. */
function logicalChoices({ operator, args }: Logical, place: Place): Selection[] {
  const mayBe = (arg: Expr, wanted: boolean) => {
    const value = place.world ? evaluate(arg, place.world) : undefined;
    return value === undefined || isFalse(value) !== wanted;
  };
  if (operator.lexeme === '&&')
    return args.slice(0, -1).every((arg) => mayBe(arg, true))
      ? args.slice(-1).flatMap((arg) => choicesOf(arg, place))
      : [];
  const decisive = args.findIndex((arg) => !mayBe(arg, false));
  const reached = decisive < 0 ? args : args.slice(0, decisive + 1);
  return reached.filter((arg) => mayBe(arg, true)).flatMap((arg) => choicesOf(arg, place));
}

/** A text, or a list of them, in a text of JSON. */
function parseSelection(texts: Selection): Selection[] {
  return texts.flatMap(({ value, offset }): Selection[] => {
    try {
      const parsed: unknown = JSON.parse(value);
      const all: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
      const labels = all.flatMap((one) => (typeof one === 'string' ? { value: one, offset } : []));
      return labels.length === 0 ? [] : [labels];
    } catch {
      return [];
    }
  });
}

/** What the matrix of a job lists for each key, in lower case, as far as it is not computed. */
const readMatrix = memoize((job: Job) => {
  const matrix = valueIn(job.strategy, 'matrix');
  const included = valueIn(matrix, 'include');
  const lists = listEntries(matrix).flatMap(({ key, value }) =>
    value.kind === 'list' ? value.items.map((item) => ({ key, value: item })) : [],
  );
  const more = (included?.kind === 'list' ? included.items : []).flatMap(listEntries);
  const byKey = Map.groupBy([...lists, ...more], ({ key }) => key.value.toLowerCase());
  return new Map(
    [...byKey].map(([key, entries]): [string, Selection[]] => [
      key,
      entries
        .map(({ value }) => listScalars(value).filter((label) => !isComputed(label)))
        .filter((labels) => labels.length > 0),
    ]),
  );
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

/** Whether a job may select machines that its owner runs. */
export const isSelfHosted = (job: Job): boolean =>
  labelChoices(job, null)
    .flat(2)
    .some(({ value }) => runnerKind(value, []) === 'self-hosted');

const hosted = /^(ubuntu|windows|macos)-/;
/** Runners of hosting companies, new for each job. */
const managed =
  /^(blacksmith|buildjet|cirun|codebuild|codspeed|depot|namespace|nscloud|runs-on|ubicloud|warp|warpbuild)|^ghcr\.io\//;

function listScalars(node: YamlNode | null): YamlScalar[] {
  if (node?.kind === 'scalar') return [node];
  if (node?.kind === 'list') return node.items.flatMap(listScalars);
  return node?.kind === 'map' ? listScalars(valueIn(node, 'labels')) : [];
}
