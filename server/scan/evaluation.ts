import { Binary, type Expr, FunctionCall, Grouping, Literal, Logical, Unary } from '@actions/expressions/ast';
import { getLiteral, getPath } from './expressions.ts';
import { isOfPullRequest } from './triggers.ts';

/**
 * Whose doing starts the workflow: anyone's, as far as is known; that of somebody with a fork; or that of an outsider,
 * to whom nobody has given a label or a role.
 */
export type Doer = 'anyone' | 'fork' | 'outsider';

/** Whether who acts is compared with the name of a bot, which anyone can make true. */
export function isBotComparison({ left, operator, right }: Binary): boolean {
  const [path, name] = [getPath(left) ?? getPath(right), getLiteral(left) ?? getLiteral(right)];
  return operator.lexeme === '==' && triggering.test(path ?? '') && (name ?? '').endsWith('[bot]');
}

/** What is supposed of a run. */
export interface World {
  event: string;
  doer: Doer;
  /** Of a comment, whether it is on a pull request; without it that is not supposed. */
  isOnPullRequest?: boolean;
}

/** A value; undefined when it is not known. */
type Known = string | boolean | undefined;

/** Values that equal no text a condition could name, and differ from each other. */
const [own, foreign] = ['\u0000own', '\u0000foreign'];

/** Whether a known value keeps something from running. */
export const isFalse = (value: Known): boolean => value === false || value === '';

/** What is known of the value of an expression in a world. */
export function evaluate(expr: Expr, world: World): Known {
  const literal = getLiteral(expr);
  if (literal !== null) return literal;
  if (expr instanceof Literal) return truths[expr.token.lexeme.toLowerCase()];
  if (expr instanceof Grouping) return evaluate(expr.group, world);
  if (expr instanceof Unary) return negated(evaluate(expr.expr, world));
  if (expr instanceof Logical) return joined(expr, world);
  if (expr instanceof Binary) return compared(expr, world);
  if (expr instanceof FunctionCall) return called(expr, world);
  const path = getPath(expr);
  return path === null ? undefined : getFact(path, world);
}

/** Nothing is as good as an empty text. */
const truths: Record<string, boolean | string> = { true: true, false: false, null: '' };

const negated = (value: Known): Known => (value === undefined ? undefined : isFalse(value));

function joined({ operator, args }: Logical, world: World): Known {
  const values = args.map((arg) => evaluate(arg, world));
  const decisive = values.find((value) => negated(value) === (operator.lexeme === '&&'));
  if (decisive !== undefined) return decisive;
  return values.includes(undefined) ? undefined : values.at(-1);
}

function compared(comparison: Binary, world: World): Known {
  if (isBotComparison(comparison)) return undefined;
  const { left, operator, right } = comparison;
  const isEqual = areEqual(evaluate(left, world), evaluate(right, world));
  if (operator.lexeme === '==') return isEqual;
  return operator.lexeme === '!=' ? negated(isEqual) : undefined;
}

function areEqual(one: Known, other: Known): boolean | undefined {
  if (one === undefined || other === undefined || typeof one !== typeof other) return undefined;
  // A repository that a condition calls by its name may be this one.
  if (one !== other && [one, other].includes(own) && ![one, other].includes(foreign)) return undefined;
  return String(one).toLowerCase() === String(other).toLowerCase();
}

function called({ functionName, args: [first, second] }: FunctionCall, world: World): Known {
  const name = functionName.lexeme.toLowerCase();
  if (name === 'always') return true;
  if (!first || !second || !/^(contains|startswith|endswith)$/.test(name)) return undefined;
  const [text, part] = [evaluate(first, world), evaluate(second, world)];
  if (text === foreign && part !== '') return false;
  if (typeof part !== 'string') return undefined;
  const given = parseList(first);
  if (given && name === 'contains') return given.some((one) => one.toLowerCase() === part.toLowerCase());
  if (typeof text !== 'string' || text === own || part === own) return undefined;
  const [searched, piece] = [text.toLowerCase(), part.toLowerCase()];
  if (name === 'startswith') return searched.startsWith(piece);
  return name === 'endswith' ? searched.endsWith(piece) : searched.includes(piece);
}

/** The texts of a list written as `fromJSON('[…]')`. */
function parseList(expr: Expr): string[] | null {
  if (!(expr instanceof FunctionCall) || expr.functionName.lexeme.toLowerCase() !== 'fromjson') return null;
  try {
    const list: unknown = JSON.parse(getLiteral(expr.args[0]) ?? '');
    return Array.isArray(list) ? list.map(String) : null;
  } catch {
    return null;
  }
}

const ownRepository = /^github\.(repository|repository_owner|event\.repository\.(full_name|owner\.login|id))$/;
const baseRepository = /^github\.event\.pull_request\.base\.repo\.(full_name|owner\.login|id)$/;
const headRepository =
  /^github\.event\.(pull_request\.head\.repo|workflow_run\.head_repository)\.(full_name|owner\.login|id)$/;
const headOwner = /^github\.event\.pull_request\.head\.user\.login$/;
const isFork = /^github\.event\.(pull_request\.head\.repo|workflow_run\.head_repository)\.fork$/;
const labels = /^github\.event\.(label|pull_request\.labels\.\*)\.name$/;
const commented = /^github\.event\.issue\.(pull_request(\..*)?|labels\.\*\.name)$/;
const people = /^github\.event\.(sender|(pull_request|issue|comment|review)\.user|workflow_run\.actor)\.login$/;
const triggering = /^github\.(actor|triggering_actor)$/;

function getFact(path: string, world: World): Known {
  const { event, doer } = world;
  if (path === 'github.event_name') return event;
  if (ownRepository.test(path) || baseRepository.test(path)) return own;
  if (path === 'github.ref_type' && event.startsWith('pull_request')) return 'branch';
  if (path === 'github.ref' && /^pull_request(_review|_review_comment)?$/.test(event)) return 'refs/pull/1/merge';
  if (doer === 'anyone') return undefined;
  if (headRepository.test(path) || headOwner.test(path)) return foreign;
  if (isFork.test(path)) return true;
  if (path === 'github.event.workflow_run.event') return 'pull_request';
  if (path === 'github.event.pull_request.merged') return false;
  if (doer === 'fork') return undefined;
  if (path.endsWith('.author_association')) return 'NONE';
  // Templates give labels to issues of anyone; to a pull request only people with a role give one.
  if (commented.test(path)) return factOfComment(path, world);
  if (labels.test(path)) return isOfPullRequest(event) ? foreign : undefined;
  return people.test(path) || triggering.test(path) ? foreign : undefined;
}

/** Of what is commented: that it is a pull request, something of that, or its labels. */
function factOfComment(path: string, { isOnPullRequest }: World): Known {
  if (path.endsWith('.labels.*.name')) return isOnPullRequest ? foreign : undefined;
  if (isOnPullRequest === false) return '';
  return isOnPullRequest && path.endsWith('.pull_request') ? true : undefined;
}
