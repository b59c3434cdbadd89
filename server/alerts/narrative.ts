import { count } from '../domain/quantity.ts';
import { mean, roundTo } from '../metrics/kernel/statistics.ts';
import type { Row } from '../reports/scorecard/row.ts';

/** What rules make of a week's scores, in sentences. */
export interface Narrative {
  /** How all of them stand, with their mean score. */
  summary: string;
  highlights: string[];
  /** The worst first: at most eight lines about single repositories, and two about all of them. */
  concerns: string[];
  /** Repositories with a score. */
  scored: number;
  /** Those of them that are at risk or on watch. */
  needAttention: number;
}

const maxNames = 5;
const maxLines = 8;
const unread = 'partial data';

/** Summarizes the state of an organization's repositories. Where none has a score it states that, and nothing else. */
export function narrative(rows: readonly Row[]): Narrative {
  const scored = rows.filter(isScored).toSorted(worstFirst);
  const of = (band: Row['riskBand']) => scored.filter(({ riskBand }) => riskBand === band);
  const [atRisk, watch, healthy] = [of('at_risk'), of('watch'), of('healthy')];
  const totals = { scored: scored.length, needAttention: atRisk.length + watch.length };
  const average = mean(scored.map(({ compositeScore }) => compositeScore));
  if (average === null) return { summary: 'No repository could be scored.', highlights: [], concerns: [], ...totals };
  const named = (before: string, some: readonly Row[], formatName = ({ repo }: Row) => repo): string[] =>
    some.length === 0 ? [] : [`${before}: ${listed(some.map(formatName))}.`];
  return {
    summary: `${verdict(atRisk.length, watch.length, scored.length)} The mean score is ${roundTo(average, 0)} of 100.`,
    highlights: [
      ...named('Merging more than before', trending(rows, 'up')),
      ...named('Healthy', healthy.toReversed(), ({ repo, partial }) => (partial ? `${repo} (${unread})` : repo)),
    ],
    concerns: [
      ...lines([...atRisk, ...watch]),
      ...named('Merging less than before', trending(rows, 'down')),
      ...named('Single-owner modules', lonely(rows), ({ repo, criticalModules }) => {
        return `${repo} (${criticalModules})`;
      }),
    ],
    ...totals,
  };
}

type ScoredRow = Row & { compositeScore: number };

const isScored = (row: Row): row is ScoredRow => row.compositeScore !== null;

const byName = (a: Row, b: Row) => a.repo.localeCompare(b.repo, 'en');

const worstFirst = (a: ScoredRow, b: ScoredRow) => a.compositeScore - b.compositeScore || byName(a, b);

const trending = (rows: readonly Row[], trend: Row['trend']) =>
  rows.filter((row) => row.trend === trend).toSorted(byName);

const lonely = (rows: readonly Row[]) =>
  rows
    .filter(({ criticalModules }) => (criticalModules ?? 0) > 0)
    .toSorted((a, b) => (b.criticalModules ?? 0) - (a.criticalModules ?? 0) || byName(a, b));

function verdict(atRisk: number, watch: number, scored: number): string {
  const all = `of ${count(scored, 'scored repository', 'scored repositories')}`;
  const are = (number: number) => (number === 1 ? 'is' : 'are');
  if (atRisk > 0) return `${atRisk} ${all} ${are(atRisk)} at risk${watch > 0 ? `, ${watch} on watch` : ''}.`;
  if (watch > 0) return `None ${all} is at risk, ${watch} on watch.`;
  return scored === 1 ? 'The only scored repository is healthy.' : `All ${scored} scored repositories are healthy.`;
}

/** One line each; what does not fit in is counted in the last, those at risk apart. */
function lines(some: readonly ScoredRow[]): string[] {
  if (some.length <= maxLines) return some.map(formatLine);
  const rest = some.slice(maxLines - 1);
  const listBand = (band: Row['riskBand'], label: string) => {
    const those = rest.filter(({ riskBand }) => riskBand === band).map(({ repo }) => repo);
    return those.length === 0 ? [] : [`${those.length} more ${label}: ${listed(those)}.`];
  };
  const last = [...listBand('at_risk', 'at risk'), ...listBand('watch', 'on watch')].join(' ');
  return [...some.slice(0, maxLines - 1).map(formatLine), last];
}

const formatLine = (row: ScoredRow): string => {
  const { repo, compositeScore, riskBand, doraLevel, overallBusFactor: authors, criticalModules, partial } = row;
  const state = riskBand === 'at_risk' ? 'is at risk' : 'is on watch';
  const parts = [
    `score ${compositeScore}`,
    `delivery ${doraLevel ?? 'unknown'}`,
    `bus factor ${authors ?? 'unknown'}`,
    ...(criticalModules === null
      ? []
      : [criticalModules === 0 ? 'no critical module' : count(criticalModules, 'critical module')]),
    ...(partial ? [unread] : []),
  ];
  return `${repo} ${state}: ${parts.join(', ')}.`;
};

const listed = (names: readonly string[]): string => {
  const rest = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};
