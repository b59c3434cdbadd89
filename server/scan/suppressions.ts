import { itemAround } from './bisection.ts';
import type { Lines } from './lines.ts';
import type { Workflow } from './workflow.ts';
import { textsBelow } from './yaml.ts';

/**
 * A comment that suppresses a finding, or a recommendation: `# scan: ignore SEC-0NN <reason> [until=YYYY-MM-DD]`, and
 * `ADV-NN` alike.
 */
export interface Suppression {
  /** Only an active one has an effect. */
  state: 'active' | 'expired' | 'without reason' | 'unknown date';
  reason: string | null;
  /** The last day on which it holds, UTC; null for ever. */
  until: string | null;
}

/** Finds the suppression of a rule on a line; null without one. */
export type SuppressionOf = (line: number, ruleId: string) => Suppression | null;

/** Reads the suppressing comments of a file; in a block text a shell's comment counts, in quotes nothing does. */
export function suppressionsIn(workflow: Workflow, lines: Lines, now: number): SuppressionOf {
  const found = new Map<string, Suppression>();
  const comments = [...workflow.text.matchAll(comment)];
  const quoted = comments.length > 0 ? quotedSpans(workflow) : [];
  for (const { 0: match, 1: ids = '', 2: rest = '', index } of comments) {
    const at = index + match.indexOf('#');
    if (itemAround(quoted, at)) continue;
    const suppression = parseSuppression(rest, now);
    const line = lines.of(at);
    for (const id of ids.split(/\s*,\s*/)) found.set(`${line} ${id}`, suppression);
  }
  return (line, ruleId) => found.get(`${line} ${ruleId}`) ?? null;
}

const comment =
  /(?:^|[ \t])#[ \t]*scan:[ \t]*ignore[ \t]+((?:SEC-\d{3}|ADV-\d{2})(?:[ \t]*,[ \t]*(?:SEC-\d{3}|ADV-\d{2}))*)(?![\w-])([^\r\n]*)/gm;

const quotedSpans = ({ root }: Workflow) =>
  (root === null ? [] : textsBelow(root))
    .filter(({ style }) => style === 'quoted')
    .map(({ offset: at, end }) => ({ at, end }))
    .sort((one, other) => one.at - other.at);

function parseSuppression(rest: string, now: number): Suppression {
  const until = /(?:^|\s)until=(\S*)/.exec(rest)?.[1] ?? null;
  const reason = rest.replace(/(?:^|\s)until=\S*/, ' ').trim() || null;
  if (until !== null && !isDay(until)) return { state: 'unknown date', reason, until };
  if (reason === null) return { state: 'without reason', reason, until };
  const isOver = until !== null && now >= Date.parse(`${until}T00:00:00Z`) + dayMs;
  return { state: isOver ? 'expired' : 'active', reason, until };
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

const dayMs = 86_400_000;
