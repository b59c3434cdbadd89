import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { ComparedOutcome, ComparedSide } from '../../metrics/ai-authorship/comparison/compare.ts';
import type { ComparedClass } from '../../metrics/ai-authorship/comparison/gather.ts';
import type { KeptComparison } from '../../metrics/ai-authorship/comparison/kept-comparison.ts';
import { type OutcomeKey, outcomeKeys, outcomes } from '../../metrics/ai-authorship/comparison/outcomes.ts';
import {
  countPullRequests,
  hasEnoughAuthors,
  minAuthors,
  minPullRequests,
} from '../../metrics/ai-authorship/floors.ts';
import { agentCell, findHiddenCells } from '../../metrics/ai-authorship/hidden-cells.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { invalidRequest } from '../../platform/problem.ts';
import type { AiAuthorshipSettings } from '../../settings/ai-authorship.ts';
import type { AuthorshipComparison } from './comparison-schema.ts';
import { type FoundComparison, findComparison } from './kept-comparison.ts';
import { type AuthorshipInput, type MarksReading, readMarks } from './source.ts';
import { describeReading } from './summary.ts';

interface ComparisonInput extends AuthorshipInput, Partial<Pick<ComparedClass, 'class'>> {
  agent?: string | undefined;
}

type Answer = Domain<typeof AuthorshipComparison>;
type Outcome = Answer['outcomes'][number];

/** One agent alone is compared from so many of its pull requests on. */
export const minOfAgent = 100;

/** How marked pull requests fare beside others that are like them. */
export async function authorshipComparison(
  input: ComparisonInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<Answer> {
  const compared: ComparedClass = { class: input.class ?? 'agent_authored', agent: input.agent ?? null };
  if (compared.agent !== null && compared.class !== 'agent_authored')
    throw invalidRequest([{ field: 'agent', reason: 'invalid', message: 'agent is of agent_authored alone.' }]);
  const reading = await readMarks(input, settings, context);
  const { repositories, months, tableVersion } = reading;
  const scope = { repositories, months, tableVersion, ...compared };
  const found: FoundComparison = mayCompare(reading, compared)
    ? await findComparison(scope, reading, context)
    : { kept: null, isComputing: false };
  const { kept, isComputing } = found;
  return {
    ...compared,
    ...describe(kept?.answer ?? null, compared),
    computing: isComputing,
    suppressed: kept === null ? !isComputing : isAnyHidden(kept.answer, compared),
    ...describeReading(reading),
    ...(kept && { tableVersion: kept.tableVersion, asOf: kept.computedAt }),
  };
}

/** Whether the scope is of enough people, and the numbers of both sides may be known. */
function mayCompare({ groups, rest }: MarksReading, compared: ComparedClass): boolean {
  if (!hasEnoughAuthors(groups.filter((one) => one.class !== 'automation'))) return false;
  const hidden = findHiddenCells(groups, rest);
  if (hidden.has(compared.class) || hidden.has('unmarked')) return false;
  if (compared.agent === null) return true;
  const own = groups.filter((one) => one.class === compared.class && one.agent === compared.agent);
  return countPullRequests(own) >= minOfAgent && !hidden.has(agentCell(compared.agent));
}

function describe(kept: KeptComparison | null, compared: ComparedClass) {
  if (kept === null)
    return {
      outcomes: [],
      balance: [],
      matchedSharePct: null,
      placebo: { p1ClaimsPct: null, p2: 'not_run' as const },
      raw: [],
      excluded: [],
    };
  const found = new Map(kept.outcomes.map((one) => [one.key, one]));
  return {
    outcomes: outcomeKeys.map((key) => toOutcome(key, found.get(key) ?? null, compared)),
    balance: kept.balance.map((one) => ({ ...one, before: round(one.before, 2), after: round(one.after, 2) })),
    matchedSharePct: roundTo(kept.matchedSharePct, 0),
    placebo: { p1ClaimsPct: kept.placebo.claimsPct, p2: kept.placebo.context },
    raw: kept.raw.map((one) => {
      const isShown = isEnough(one, one.isMarked ? compared : null);
      return {
        class: one.isMarked ? compared.class : ('unmarked' as const),
        key: one.key,
        value: isShown ? round(one.value, digitsOf(one.key)) : null,
        prs: isShown ? one.prs : null,
      };
    }),
    excluded: kept.excluded.map(([reason, prs]) => ({ reason, prs: prs < minPullRequests ? null : prs })),
  };
}

/** Enough pull requests of enough people; of those that agents opened alone, enough pull requests. */
const isEnough = ({ prs, authors }: Pick<ComparedSide, 'prs' | 'authors'>, compared: ComparedClass | null): boolean =>
  prs === 0 ||
  (prs >= minPullRequests && (authors >= minAuthors || (authors === 0 && compared?.class === 'agent_authored')));

const isShown = ({ marked, comparable }: ComparedOutcome, compared: ComparedClass): boolean =>
  isEnough(marked, compared) && isEnough(comparable, null);

const isAnyHidden = (kept: KeptComparison, compared: ComparedClass): boolean =>
  kept.outcomes.some((one) => !isShown(one, compared)) ||
  kept.raw.some((one) => !isEnough(one, one.isMarked ? compared : null)) ||
  kept.excluded.some(([, prs]) => prs < minPullRequests);

function toOutcome(key: OutcomeKey, found: ComparedOutcome | null, compared: ComparedClass): Outcome {
  const { label, unit, effectUnit, better } = outcomes[key];
  const about = { key, label, unit, effectUnit, better };
  if (found === null || !isShown(found, compared))
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
      reasons: [found === null ? 'not_known' : 'hidden'],
      eValue: null,
    };
  const ofEffect = effectUnit === 'rounds' ? 2 : 1;
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

/** Shares are whole percents. */
const digitsOf = (key: OutcomeKey): number => ({ percent: 0, hours: 1, minutes: 1, rounds: 2 })[outcomes[key].unit];

const round = (value: number | null, digits: number): number | null => (value === null ? null : roundTo(value, digits));
