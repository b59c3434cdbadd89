import { findMinutePrice, type Pricing } from '../metrics/cost/job-cost.ts';
import { type ReasonCode, reasonsWhere } from './reasons.ts';
import type { AdvisedRepository, Recommendation } from './recommend.ts';
import { type Band, predictedDays } from './replay/band.ts';
import { type Calibration, calibrate } from './replay/calibrate.ts';
import { type PlannedChange, predictCombined } from './replay/combined.ts';
import type { MinutePrice } from './replay/days.ts';
import type { NextDays, Seed } from './replay/figures.ts';
import { type Effect, predict, type RecordedPast, unpredicted } from './replay/predict.ts';

/** A recommendation with what is to be expected of it. */
export interface Predicted extends Recommendation {
  effect: Effect;
}

export interface Prediction {
  /** null without a usable window. */
  calibration: Calibration | null;
  recommendations: Predicted[];
  past: RepositoryPast;
}

/** What is recorded of all workflows of a repository, as predictions read it. */
export type RepositoryPast = Omit<RecordedPast, 'attempts' | 'seed'> & { repositoryId: number };

/**
 * Predicts the effect of each recommendation that is offered; one of too little effect then is not. Nothing is
 * predicted where the unchanged replay does not give the recorded minutes. Contract of the advisor, sections 2.1 and 3.6.
 */
export function predictEffects(
  repository: AdvisedRepository,
  recommendations: readonly Recommendation[],
  pricing: Pricing,
): Prediction {
  const calibration = repository.attempts && calibrate(repository.attempts);
  const byWorkflow = Map.groupBy(repository.attempts ?? [], ({ workflowId }) => workflowId);
  const past: RepositoryPast = {
    repositoryId: repository.id,
    ofRepository: repository.attempts ?? [],
    days: repository.days,
    priceOf: pricesBy(pricing),
  };
  return {
    calibration,
    past,
    recommendations: recommendations.map((one) => {
      const attempts = byWorkflow.get(one.workflowId ?? 0) ?? [];
      return withEffect(one, toEffect(one, calibration, { ...past, attempts, seed: seedOf(past, [one]) }));
    }),
  };
}

/** A recorded job has its price looked up once, in however many worlds it is as it was. */
function pricesBy(pricing: Pricing): MinutePrice {
  const known = new WeakMap<Parameters<MinutePrice>[0], number | null>();
  return (job) => {
    const before = known.get(job);
    if (before !== undefined) return before;
    const { usdPerMinute } = findMinutePrice(job, pricing);
    known.set(job, usdPerMinute);
    return usdPerMinute;
  };
}

const seedOf = ({ repositoryId, days }: RepositoryPast, chosen: readonly Recommendation[]): Seed => [
  repositoryId,
  ...chosen.map(({ id }) => id).sort(),
  days.at(-1) ?? 0,
];

/**
 * The effect of several recommendations together, of the minutes of all workflows of the repository, or of those that
 * they change. Those of which nothing is predicted have no part in it.
 */
export function predictTogether(
  chosen: readonly Predicted[],
  past: RepositoryPast,
  { of }: { of: 'repository' | 'changed workflows' },
): Effect {
  const changes = chosen.flatMap(toPlanned);
  if (changes.length === 0) return unpredicted(chosen[0]?.effect.reason ?? 'nothing_to_compare');
  const changed = new Set(changes.map(({ workflowId }) => workflowId));
  const attempts =
    of === 'repository' ? past.ofRepository : past.ofRepository.filter(({ workflowId }) => changed.has(workflowId));
  return predictCombined(changes, { ...past, attempts, seed: seedOf(past, chosen) });
}

/** As a change among others; none where nothing is predicted. */
export function toPlanned({ id, kind, workflowId, counterfactual, effect }: Predicted): PlannedChange[] {
  if (effect.next === null || counterfactual === null || workflowId === null) return [];
  const { change, bounds } = counterfactual;
  return [{ id: `${kind.id} ${id}`, workflowId, change, bounds, effect }];
}

function toEffect(
  { counterfactual, reasons, kind }: Recommendation,
  calibration: Calibration | null,
  past: RecordedPast,
): Effect {
  if (reasons.length > 0) return unpredicted('not_offered');
  if (calibration === null) return unpredicted('history_absent');
  if (calibration.state === 'failed') return unpredicted('minutes_not_reproduced');
  return counterfactual === null ? unpredicted('nothing_to_compare') : predict(counterfactual, past, kind.saves);
}

function whyNotMaterial(effect: Effect, next: NextDays): ReasonCode[] {
  switch (effect.saves) {
    case 'minutes':
      return whyNotLess(next);
    case 'wall time':
      return whyNotFaster(effect);
    case 'cost':
      return whyNotCheaper(effect, next);
  }
}

const minPercent = 1;
/** In 28 days. */
const minMinutes = 30;

function withEffect(recommendation: Recommendation, effect: Effect): Predicted {
  const { reasons, kind } = recommendation;
  if (kind.limitsRisk || effect.next === null) return { ...recommendation, effect };
  return { ...recommendation, effect, reasons: [...reasons, ...whyNotMaterial(effect, effect.next)] };
}

const whyNotLess = ({ reductionPct, minutesSaved }: NextDays): ReasonCode[] =>
  reasonsWhere({ below_materiality: reductionPct.low < minPercent && minutesSaved.low < minMinutes });

const minWallPercent = 5;
const minWallSeconds = 30;
const mostAddedPercent = 5;

/** Of a change that lets runs end earlier for some more minutes. */
const whyNotFaster = (effect: Effect): ReasonCode[] =>
  reasonsWhere({
    minutes_rise: (effect.history?.reductionPct ?? 0) < -mostAddedPercent,
    below_materiality: !isFelt(effect),
  });

/** Of another runner, which costs less, or about the same while runs end earlier. */
function whyNotCheaper(effect: Effect, { costSaved }: NextDays): ReasonCode[] {
  const usual = ((effect.history?.costBefore ?? 0) * predictedDays) / effect.days.length;
  const saved = costSaved?.low ?? 0;
  return reasonsWhere({ below_materiality: (saved <= 0 || saved < (minPercent * usual) / 100) && !isFelt(effect) });
}

function isFelt({ wall }: Effect): boolean {
  const isFaster = (band: Band | null | undefined, before = 0) =>
    -(band?.high ?? 0) >= Math.max(minWallSeconds, (minWallPercent * before) / 100);
  return isFaster(wall?.next.p50, wall?.history.p50Before) || isFaster(wall?.next.p90, wall?.history.p90Before);
}
