import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { ComparisonResult, OutcomeResult } from '../../metrics/ai-authorship/comparison/compare-gathered.ts';
import type { ComparedClass } from '../../metrics/ai-authorship/comparison/gather.ts';
import {
  type EffectUnit,
  type OutcomeKey,
  outcomeKeys,
  outcomes,
} from '../../metrics/ai-authorship/comparison/outcomes.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { invalidRequest } from '../../platform/problem.ts';
import type { AiAuthorshipSettings } from '../../settings/ai-authorship.ts';
import { type ComparedCells, listCells } from './cells.ts';
import type { AuthorshipComparison } from './comparison-schema.ts';
import { findSample } from './demo-comparison.ts';
import { type AuthorshipInput, type MarksReading, readMarks } from './source.ts';
import { type FoundComparison, findComparison } from './stored-comparison.ts';
import { describeReading } from './summary.ts';

export interface ComparisonInput extends AuthorshipInput, Partial<Pick<ComparedClass, 'class'>> {
  agent?: string | undefined;
}

type Answer = Domain<typeof AuthorshipComparison>;
type Outcome = Answer['outcomes'][number];

/** A comparison as it is stored, with what of its scope is compared. */
interface ReadComparison {
  reading: MarksReading;
  compared: ComparedClass;
  comparable: ComparedCells;
  found: FoundComparison;
}

/** Finds the comparison that is requested. */
export async function readComparison(
  input: ComparisonInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<ReadComparison> {
  const compared: ComparedClass = { class: input.class ?? 'agent_authored', agent: input.agent ?? null };
  if (compared.agent !== null && compared.class !== 'agent_authored')
    throw invalidRequest([{ field: 'agent', reason: 'invalid', message: 'agent is of agent_authored alone.' }]);
  // The sample compares its usual months alone, so that it is computed once.
  const { from, to, ...scope } = input;
  const reading = await readMarks(context.isDemo ? scope : { ...scope, from, to }, settings, context);
  const { facts } = context.services;
  const comparable = await listCells(reading, compared, context.isDemo ? null : facts);
  return { reading, compared, comparable, found: await find(comparable, { reading, compared, context }) };
}

/** How marked pull requests fare beside others that are like them. */
export async function authorshipComparison(
  input: ComparisonInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<Answer> {
  const read = await readComparison(input, settings, context);
  const { compared, comparable, found } = read;
  const stored = found.stored?.answer ?? null;
  const isAll = stored !== null && stored.cells === comparable.considered;
  return {
    ...compared,
    ...describe(stored, compared),
    repositoryMonths: {
      compared: stored?.cells ?? 0,
      leftOut: comparable.considered - (stored?.cells ?? 0),
    },
    suppressed: stored === null ? isCompared(found) : !isAll || stored.outcomes.length < stored.known.length,
    ...describeProgress(read),
  };
}

/** Whether what is missing is hidden or not known, rather than not computed yet. */
export const isCompared = ({ stored, progress }: FoundComparison): boolean => stored !== null || progress === 'done';

/** What every answer about a comparison says of how it was computed. */
export const describeProgress = ({ reading, comparable, found }: ReadComparison) => ({
  computing: found.progress === 'computing',
  failed: found.progress === 'failed',
  comparedTo: lastMonth(comparable),
  ...describeReading(reading),
  ...(found.stored && { asOf: found.stored.computedAt }),
});

const nothing: FoundComparison = { stored: null, progress: 'done' };

/** One agent alone is compared from so many of its pull requests on. */
export const minOfAgent = 100;

interface Requested {
  reading: MarksReading;
  compared: ComparedClass;
  context: Context;
}

async function find(comparable: ComparedCells, { reading, compared, context }: Requested): Promise<FoundComparison> {
  const { cells } = comparable;
  if (cells.length === 0) return nothing;
  const { agent } = compared;
  if (agent !== null && countOfAgent(reading, comparable, agent) < minOfAgent) return nothing;
  const scope = { cells, tableVersion: reading.tableVersion, ...compared };
  if (!context.isDemo) return findComparison(scope, context, reading.calendar);
  return agent === null ? findSample(scope, reading, context.services) : nothing;
}

/** Of what is compared. */
export function countOfAgent(
  { groups }: Pick<MarksReading, 'groups'>,
  { cells }: ComparedCells,
  agent: string,
): number {
  const months = new Map(cells.map((one) => [one.repository.id, one.months]));
  return groups
    .filter((one) => one.class === 'agent_authored' && one.agent === agent)
    .filter(({ repositoryId, month }) => months.get(repositoryId)?.includes(month))
    .reduce((sum, { prs }) => sum + prs, 0);
}

const lastMonth = ({ cells }: ComparedCells): string | null =>
  cells.reduce<string | null>((last, { months }) => {
    const own = months.at(-1) ?? null;
    return own !== null && (last === null || own > last) ? own : last;
  }, null);

function describe(stored: ComparisonResult | null, compared: ComparedClass) {
  if (stored === null)
    return {
      outcomes: [],
      balance: [],
      matchedSharePct: null,
      placebo: { p1ClaimsPct: null, p2: 'not_run' as const },
      raw: [],
      excluded: [],
    };
  const found = new Map(stored.outcomes.map((one) => [one.key, one]));
  return {
    outcomes: outcomeKeys.map((key) => toOutcome(key, found.get(key) ?? null, stored)),
    balance: stored.balance.map((one) => ({ ...one, before: round(one.before, 2), after: round(one.after, 2) })),
    matchedSharePct: round(stored.matchedSharePct, 0),
    placebo: {
      p1ClaimsPct: stored.outcomes.length === 0 ? null : stored.placebo.claimsPct,
      p2: stored.placebo.context,
    },
    raw: stored.raw.map(({ isMarked, key, value, prs }) => ({
      class: isMarked ? compared.class : ('unmarked' as const),
      key,
      value: roundTo(value, digitsOf(key)),
      prs,
    })),
    excluded: stored.excluded.map(([reason, prs]) => ({ reason, prs })),
  };
}

function toOutcome(key: OutcomeKey, found: OutcomeResult | null, { known }: ComparisonResult): Outcome {
  const { label, unit, effectUnit, better } = outcomes[key];
  const about = { key, label, unit, effectUnit, better };
  if (found === null)
    return {
      ...about,
      matchedSets: null,
      clusters: null,
      repositories: null,
      marked: { value: null, prs: null },
      comparable: { value: null, prs: null },
      effect: null,
      interval: null,
      centre: null,
      mantelHaenszel: null,
      verdict: 'not_comparable',
      reasons: [known.includes(key) ? 'hidden' : 'not_known'],
      eValue: null,
    };
  const ofEffect = digitsOfEffect(effectUnit);
  return {
    ...about,
    matchedSets: found.sets,
    clusters: found.clusters,
    repositories: found.repositories,
    marked: { value: round(found.marked.value, digitsOf(key)), prs: found.marked.prs },
    comparable: { value: round(found.comparable.value, digitsOf(key)), prs: found.comparable.prs },
    effect: roundTo(found.effect, ofEffect),
    interval: { low: roundTo(found.interval.low, ofEffect), high: roundTo(found.interval.high, ofEffect) },
    centre: round(found.centre, ofEffect),
    mantelHaenszel: round(found.mantelHaenszel, ofEffect),
    verdict: found.verdict,
    reasons: found.reasons,
    eValue: round(found.eValue, 1),
  };
}

export const digitsOfEffect = (unit: EffectUnit): number => (unit === 'rounds' ? 2 : 1);

/** Shares are whole percents. */
const digitsOf = (key: OutcomeKey): number => ({ percent: 0, hours: 1, minutes: 1, rounds: 2 })[outcomes[key].unit];

const round = (value: number | null, digits: number): number | null => (value === null ? null : roundTo(value, digits));
