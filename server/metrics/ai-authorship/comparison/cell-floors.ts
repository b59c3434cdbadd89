import { isEnough } from '../floors.ts';
import { type ComparedPullRequest, cellOf } from './compared-pull-request.ts';
import { type ComparedClass, type GatheredPullRequest, toCompared } from './gather.ts';
import { matchSets } from './matching.ts';
import { type OutcomeKey, outcomeKeys } from './outcomes.ts';
import { type SetDifference, setDifferences } from './set-differences.ts';

/** An outcome, what runs cost, or `matching`: what is said of all sets, whatever came of them. */
type Shown = OutcomeKey | 'cost' | 'matching';

/** What of a comparison may be said, of whole cells alone, so that answers differ by whole cells. */
export interface FlooredComparison {
  /** Those that are compared. An outcome or cost is null in a cell of which it may not be said. */
  compared: ComparedPullRequest[];
  /**
   * Those of which averages may be said as well, for those without a match among them are none or enough; also of cells
   * without a marked one.
   */
  averaged: ComparedPullRequest[];
  /** Those of which it may be said how well they match. */
  described: ComparedPullRequest[];
  /** Outcomes of which all that are compared may be averaged. */
  whole: Set<OutcomeKey>;
  /** How many cells are compared, and how many are too small. */
  cells: { compared: number; small: number };
}

/**
 * Leaves out what would be of few pull requests or people. Each repository and month decides for itself: neither the
 * window nor the other repositories change whether it counts, so that two answers differ by cells that count, each of
 * which meets the floors on both sides.
 */
export function applyFloors(gathered: readonly GatheredPullRequest[], wanted: ComparedClass): FlooredComparison {
  const floored: FlooredComparison = {
    compared: [],
    averaged: [],
    described: [],
    whole: new Set(outcomeKeys),
    cells: { compared: 0, small: 0 },
  };
  for (const cell of Map.groupBy(gathered, cellOf).values()) {
    const { shown, averaged } = examineCell(cell, wanted);
    const outcomes = outcomeKeys.filter((key) => shown.has(key));
    const all = cell.flatMap((one) => toCompared(one, wanted) ?? []);
    floored.averaged.push(...all.map((one) => onlyOutcomes(one, averaged)));
    if (outcomes.length === 0) {
      if (all.some(({ isMarked }) => isMarked)) floored.cells.small += 1;
      continue;
    }
    floored.cells.compared += 1;
    floored.compared.push(...all.map((one) => onlyOutcomes(one, shown)));
    if (averaged.has('matching')) floored.described.push(...all);
    for (const key of outcomes) if (!averaged.has(key)) floored.whole.delete(key);
  }
  return floored;
}

function onlyOutcomes(one: ComparedPullRequest, shown: ReadonlySet<Shown>): ComparedPullRequest {
  const outcomes = outcomeKeys.map((key) => [key, shown.has(key) ? one.outcomes[key] : null]);
  return {
    ...one,
    outcomes: Object.fromEntries(outcomes) as ComparedPullRequest['outcomes'],
    cost: shown.has('cost') ? one.cost : null,
  };
}

interface CellFloors {
  shown: ReadonlySet<Shown>;
  averaged: ReadonlySet<Shown>;
}

/** Both classes and all agents are looked at together: what is said of one must not tell of few of another. */
function examineCell(cell: readonly GatheredPullRequest[], wanted: ComparedClass): CellFloors {
  const byNumber = new Map(cell.map((one) => [one.number, one]));
  const setsOf = (own: ComparedClass['class']) =>
    matchSets(cell.flatMap((one) => toCompared(one, { class: own, agent: null }) ?? []));
  const [authored, assisted] = [setsOf('agent_authored'), setsOf('ai_assisted')];
  const shown = new Set<Shown>();
  const averaged = new Set<Shown>();
  for (const key of [...outcomeKeys, 'cost', 'matching'] as const) {
    const read = ({ outcomes, cost }: Pick<GatheredPullRequest, 'outcomes' | 'cost'>) => {
      if (key === 'cost') return cost === null ? null : cost.usd;
      return key === 'matching' ? 0 : outcomes[key];
    };
    const known = cell.filter((one) => read(one) !== null);
    const said = whatMayBeSaid(
      setDifferences(authored, read).map((one) => toUse(one, byNumber)),
      setDifferences(assisted, read).map((one) => toUse(one, byNumber)),
    );
    const own = said[wanted.class];
    const isShown = own !== null && (wanted.agent === null || said.agents.length > 0);
    if (isShown) shown.add(key);
    // Of one agent it is never said: what is left of it would be of the others.
    const isAlone = cell.every((one) => one.class !== wanted.class);
    if (wanted.agent === null && (isShown || isAlone) && canBeAveraged(own ?? [], wanted.class, { known, said }))
      averaged.add(key);
  }
  return { shown, averaged };
}

/** A marked pull request, with how much each of those that it is compared with counts. */
interface Use {
  marked: GatheredPullRequest;
  weights: ReadonlyMap<GatheredPullRequest, number>;
}

function toUse({ pullRequest, comparable }: SetDifference, byNumber: ReadonlyMap<number, GatheredPullRequest>): Use {
  const find = (one: ComparedPullRequest): GatheredPullRequest => {
    const found = byNumber.get(one.number);
    if (!found) throw new Error('A matched pull request is not of its cell.');
    return found;
  };
  return {
    marked: find(pullRequest),
    weights: new Map(comparable.map((one) => [find(one.pullRequest), 1 / comparable.length])),
  };
}

/** null where nothing may be said of a class; of agents all or none. */
interface Said {
  agent_authored: readonly Use[] | null;
  ai_assisted: readonly Use[] | null;
  agents: readonly (readonly Use[])[];
}

function whatMayBeSaid(authored: readonly Use[], assisted: readonly Use[]): Said {
  const ofAuthored = areEnough(authored) ? authored : null;
  const ofAssisted =
    areEnough(assisted) && (ofAuthored === null || doDifferEnough(authored, assisted)) ? assisted : null;
  const byAgent = [...Map.groupBy(authored, ({ marked }) => marked.agent).values()];
  const others = ofAssisted === null ? byAgent : [...byAgent, ofAssisted];
  const areAgentsSaid =
    ofAuthored !== null &&
    byAgent.every(areEnough) &&
    byAgent.every((own, place) => others.slice(place + 1).every((other) => doDifferEnough(own, other)));
  return { agent_authored: ofAuthored, ai_assisted: ofAssisted, agents: areAgentsSaid ? byAgent : [] };
}

const areEnough = (uses: readonly Use[]): boolean =>
  uses.length > 0 && areMany(uses.map(({ marked }) => marked)) && areMany(weigh(uses).keys());

/** Those without a mark that count otherwise on one side than on the other are none or enough. */
function doDifferEnough(uses: readonly Use[], others: readonly Use[]): boolean {
  const [own, other] = [weigh(uses), weigh(others)];
  const all = new Set([...own.keys(), ...other.keys()]);
  return areMany([...all].filter((one) => Math.abs((own.get(one) ?? 0) - (other.get(one) ?? 0)) > rounding));
}

/** Sums of thirds and halves in another order. */
const rounding = 1e-9;

function weigh(uses: readonly Use[]): Map<GatheredPullRequest, number> {
  const weights = new Map<GatheredPullRequest, number>();
  for (const use of uses) for (const [one, weight] of use.weights) weights.set(one, (weights.get(one) ?? 0) + weight);
  return weights;
}

const areMany = (some: Iterable<GatheredPullRequest>): boolean =>
  isEnough(Array.from(some, ({ author, isOfMachine }) => ({ prs: 1, author, isOfMachine })));

interface Averaging {
  known: readonly GatheredPullRequest[];
  said: Said;
}

/** An average less what is said of the matched ones is of those without a match: none, or enough. */
function canBeAveraged(uses: readonly Use[], own: ComparedClass['class'], { known, said }: Averaging): boolean {
  const matched = new Set(uses.map(({ marked }) => marked));
  if (!areMany(known.filter((one) => one.class === 'unmarked'))) return false;
  if (!areMany(known.filter((one) => one.class === own && !matched.has(one)))) return false;
  return [said.agent_authored, said.ai_assisted, ...said.agents].every((some) => {
    const used = weigh(some ?? []);
    return some === null || areMany(known.filter((one) => one.class === 'unmarked' && !used.has(one)));
  });
}
