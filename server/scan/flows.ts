import {
  Binary,
  type Expr,
  FunctionCall,
  Grouping,
  IndexAccess,
  Literal,
  Logical,
  Unary,
} from '@actions/expressions/ast';
import { type Expression, expressionsIn, getPath, listNodes } from './expressions.ts';
import { memoize } from './memoize.ts';

/** Something an expression reads whose text becomes part of its result. */
export interface Flow {
  path: string;
  /** A complete object is written out. */
  isJson: boolean;
}

/**
 * What flows from an expression into the text around it. Comparisons and conditions read a value but do not pass
 * its text on.
 */
export const findFlows = ({ tree }: Expression): readonly Flow[] => (tree === null ? [] : findTreeFlows(tree));

const findTreeFlows = memoize((tree: Expr) => [...flowsFrom(tree, false)]);

/** What flows into a text from all of its expressions. */
export const flowsInto = (text: string): Flow[] => expressionsIn(text).flatMap(findFlows);

/** The calls of a function, by its name in lower case. */
export const findCalls = (tree: Expr | null, name: string): FunctionCall[] =>
  tree === null ? [] : callsIn(tree).filter(({ functionName }) => functionName.lexeme.toLowerCase() === name);

const callsIn = memoize((tree: Expr) => listNodes(tree).filter((node) => node instanceof FunctionCall));

const passThrough = new Set(['format', 'join', 'tojson', 'fromjson', 'case']);

function* flowsFrom(expr: Expr, isJson: boolean): Generator<Flow> {
  const path = getPath(expr);
  if (path !== null) yield { path, isJson };
  else if (expr instanceof Grouping) yield* flowsFrom(expr.group, isJson);
  else if (expr instanceof IndexAccess) yield* flowsFrom(expr.expr, isJson);
  else if (expr instanceof Logical) yield* logicalFlows(expr, isJson);
  else if (expr instanceof FunctionCall) {
    const name = expr.functionName.lexeme.toLowerCase();
    if (passThrough.has(name)) for (const arg of expr.args) yield* flowsFrom(arg, isJson || name === 'tojson');
  }
}

/** `a && b` is `b`, or an `a` that is as good as empty; `a || b` may be either. */
function* logicalFlows({ operator, args }: Logical, isJson: boolean): Generator<Flow> {
  for (const arg of operator.lexeme === '&&' ? args.slice(-1) : args) yield* flowsFrom(arg, isJson);
}

/** Whether nothing but what is written in the file decides the value. */
export function isConstant(expr: Expr): boolean {
  if (expr instanceof Literal) return true;
  if (expr instanceof Grouping) return isConstant(expr.group);
  if (expr instanceof Unary) return isConstant(expr.expr);
  if (expr instanceof Binary) return isConstant(expr.left) && isConstant(expr.right);
  return expr instanceof FunctionCall && expr.args.length > 0 && expr.args.every(isConstant);
}
