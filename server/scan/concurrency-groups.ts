import { Binary, type Expr, FunctionCall, Grouping, Literal, Logical, Unary } from '@actions/expressions/ast';
import { getLiteral, getPath } from './expressions.ts';
import { findExpressions } from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

/**
 * Whether the runs of a pull request have the group to themselves, all of them and of this workflow alone. Not where it
 * holds what is read otherwise: a commit or a run makes it another one each time. Contract of the advisor, section 3.5.
 */
export function isOfOnePullRequest(group: YamlScalar): boolean {
  const values = findExpressions(group).map(({ tree }) => (tree === null ? null : evaluate(tree)));
  const text = values.join(' ');
  return !values.includes(null) && text.includes(workflow) && text.includes(pullRequest) && !text.includes(run);
}

/** A value in a run of a pull request; null when it is not known. */
type Known = string | boolean | null;

/** Values that equal no text a group could hold. */
const [workflow, pullRequest, run] = ['\0workflow', '\0pull request', '\0run'];

const facts: Readonly<Record<string, string>> = {
  'github.workflow': workflow,
  'github.ref': pullRequest,
  'github.head_ref': pullRequest,
  'github.event.number': pullRequest,
  'github.event.pull_request.number': pullRequest,
  'github.run_id': run,
  'github.event_name': 'pull_request',
};

function evaluate(expr: Expr): Known {
  if (expr instanceof Literal) return getLiteral(expr) ?? truths[expr.token.lexeme.toLowerCase()] ?? null;
  if (expr instanceof Grouping) return evaluate(expr.group);
  if (expr instanceof Logical) return joined(expr);
  if (expr instanceof Binary) return compared(expr);
  if (expr instanceof FunctionCall) return formatted(expr);
  if (expr instanceof Unary) return negated(evaluate(expr.expr));
  return facts[getPath(expr) ?? ''] ?? null;
}

const truths: Readonly<Record<string, boolean>> = { true: true, false: false };

const negated = (value: Known): Known => (value === null ? null : value === false || value === '');

/** The first value that decides, else the last one. */
function joined({ operator, args }: Logical): Known {
  const values = args.map(evaluate);
  const decides = (value: Known) => value === null || negated(value) === (operator.lexeme === '&&');
  return values.find(decides) ?? (values.some(decides) ? null : (values.at(-1) ?? null));
}

function compared({ left, operator, right }: Binary): Known {
  const isEqual = areEqual(evaluate(left), evaluate(right));
  if (operator.lexeme === '==') return isEqual;
  return operator.lexeme === '!=' ? negated(isEqual) : null;
}

function areEqual(one: Known, other: Known): boolean | null {
  if (typeof one !== 'string' || typeof other !== 'string') return null;
  const isVarying = [one, other].some((value) => value.startsWith('\0'));
  // No pull request has an empty name, or the ref of a branch.
  if (isVarying && ![one, other].some((value) => /^(refs\/heads\/.*)?$/i.test(value))) return null;
  return one.toLowerCase() === other.toLowerCase();
}

function formatted({ functionName, args }: FunctionCall): Known {
  const [pattern, ...values] = args.map(evaluate);
  if (functionName.lexeme.toLowerCase() !== 'format' || typeof pattern !== 'string' || values.includes(null))
    return null;
  return pattern.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}
