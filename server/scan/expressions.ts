import { Lexer, Parser } from '@actions/expressions';
import {
  Binary,
  ContextAccess,
  type Expr,
  FunctionCall,
  Grouping,
  IndexAccess,
  Literal,
  Logical,
  Star,
  Unary,
} from '@actions/expressions/ast';
import { LRUCache } from 'lru-cache';
import { memoize } from './memoize.ts';

/** An expression in a text of a workflow. */
export interface Expression {
  /** Without `${{` and `}}`, trimmed. */
  source: string;
  /** Where it begins in the text's value, `${{` included. */
  at: number;
  /** null when it does not parse. */
  tree: Expr | null;
  /**
   * What it reads, such as `github.event.issue.title`, in lower case; `*` is every element, `?` an index
   * that is computed. The longest path of each access only.
   */
  paths: string[];
}

/** The expressions of a text, in their order. */
export function expressionsIn(text: string): Expression[] {
  const found: Expression[] = [];
  for (let at = text.indexOf('${{'); at >= 0; ) {
    const end = findEnd(text, at + 3);
    if (end < 0) break;
    found.push(toExpression(text.slice(at + 3, end), at));
    at = text.indexOf('${{', end + 2);
  }
  return found;
}

/** A condition: an expression also without `${{`. */
export function parseCondition(text: string): Expression[] {
  return text.includes('${{') ? expressionsIn(text) : [toExpression(text, 0)];
}

/** Every node of a tree. */
export const listNodes = (tree: Expr | null): readonly Expr[] => (tree === null ? [] : nodesIn(tree));

const nodesIn = memoize((tree: Expr) => {
  const nodes: Expr[] = [];
  const open = [tree];
  for (let expr = open.pop(); expr !== undefined; expr = open.pop()) {
    nodes.push(expr);
    open.push(...listParts(expr).toReversed());
  }
  return nodes;
});

/** The path that an access reads, such as `secrets.token`; null for anything else. */
export const getPath = memoize(readPath);

function readPath(expr: Expr): string | null {
  if (expr instanceof ContextAccess) return expr.name.lexeme.toLowerCase();
  if (expr instanceof Grouping) return getPath(expr.group);
  if (!(expr instanceof IndexAccess)) return null;
  const base = getPath(expr.expr);
  return base === null ? null : `${base}.${formatIndex(expr.index)}`;
}

/** The text of a literal string; null for anything else. */
export function getLiteral(expr: Expr | undefined): string | null {
  return expr instanceof Literal && typeof expr.token.value === 'string' ? expr.token.value : null;
}

const contexts = ['github', 'env', 'vars', 'job', 'jobs', 'steps', 'runner', 'secrets', 'strategy', 'matrix'];
const inputContexts = ['needs', 'inputs'];
const functions = ['hashFiles', 'success', 'failure', 'always', 'cancelled'].map((name) => ({
  name,
  minArgs: 0,
  maxArgs: 255,
}));

function toExpression(raw: string, at: number): Expression {
  const source = raw.trim();
  const { tree, paths } = parsed.get(source) ?? parse(source);
  return { source, at, tree, paths };
}

type Parsed = Pick<Expression, 'tree' | 'paths'>;

/** The same few expressions occur in most files. */
const parsed = new LRUCache<string, Parsed>({ maxSize: 1_000_000 });

function parse(source: string): Parsed {
  const tree = parseTree(source);
  const read: Parsed = { tree, paths: tree === null ? [] : [...longestPaths(tree)] };
  parsed.set(source, read, { size: 100 + source.length });
  return read;
}

function parseTree(source: string): Expr | null {
  if (source === '') return null;
  try {
    return new Parser(new Lexer(source).lex().tokens, [...contexts, ...inputContexts], functions).parse();
  } catch {
    return null;
  }
}

function* longestPaths(tree: Expr): Generator<string> {
  const path = getPath(tree);
  if (path !== null) yield path;
  for (const part of path === null ? listParts(tree) : listIndexes(tree)) yield* longestPaths(part);
}

function listParts(expr: Expr): Expr[] {
  if (expr instanceof Unary) return [expr.expr];
  if (expr instanceof FunctionCall || expr instanceof Logical) return expr.args;
  if (expr instanceof Binary) return [expr.left, expr.right];
  if (expr instanceof Grouping) return [expr.group];
  if (expr instanceof IndexAccess) return [expr.expr, expr.index];
  return [];
}

/** What is computed inside the brackets of an access. */
function listIndexes(expr: Expr): Expr[] {
  if (expr instanceof Grouping) return listIndexes(expr.group);
  return expr instanceof IndexAccess ? [expr.index, ...listIndexes(expr.expr)] : [];
}

function formatIndex(index: Expr): string {
  const word = getLiteral(index) ?? (index instanceof Literal ? index.token.lexeme : null);
  if (word !== null) return word.toLowerCase();
  return index instanceof Star ? '*' : '?';
}

/** Where `}}` ends an expression; quoted ones do not. */
function findEnd(text: string, from: number): number {
  let quoted = false;
  for (let at = from; at < text.length - 1; at++) {
    if (text[at] === "'") quoted = !quoted;
    else if (!quoted && text[at] === '}' && text[at + 1] === '}') return at;
  }
  return -1;
}
