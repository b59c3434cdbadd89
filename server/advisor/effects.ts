import { findMinutePrice, type Pricing } from '../metrics/cost/job-cost.ts';
import type { AdvisedRepository, Recommendation } from './recommend.ts';
import { type Calibration, calibrate } from './replay/calibrate.ts';
import { type Effect, predict, type RecordedPast, unpredicted } from './replay/predict.ts';

/** A recommendation with what is to be expected of it. */
export interface Predicted extends Recommendation {
  effect: Effect;
}

export interface Prediction {
  /** null without a usable window. */
  calibration: Calibration | null;
  recommendations: Predicted[];
}

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
  const past: Omit<RecordedPast, 'attempts' | 'seed'> = {
    ofRepository: repository.attempts ?? [],
    days: repository.days,
    priceOf: (job) => findMinutePrice(job, pricing).usdPerMinute,
  };
  return {
    calibration,
    recommendations: recommendations.map((one) => {
      const attempts = byWorkflow.get(one.workflowId ?? 0) ?? [];
      const seed = [repository.id, one.id, repository.days.at(-1) ?? 0];
      return withEffect(one, toEffect(one, calibration, { ...past, attempts, seed }));
    }),
  };
}

function toEffect(
  { counterfactual, reasons }: Recommendation,
  calibration: Calibration | null,
  past: RecordedPast,
): Effect {
  if (reasons.length > 0) return unpredicted('not_offered');
  if (calibration === null) return unpredicted('history_absent');
  if (calibration.state === 'failed') return unpredicted('minutes_not_reproduced');
  return counterfactual === null ? unpredicted('nothing_to_compare') : predict(counterfactual, past);
}

const minPercent = 1;
/** In 28 days. */
const minMinutes = 30;

function withEffect(recommendation: Recommendation, effect: Effect): Predicted {
  const { reasons, kind } = recommendation;
  const { next } = effect;
  const isSmall =
    !kind.limitsRisk && next !== null && next.reductionPct.low < minPercent && next.minutesSaved.low < minMinutes;
  return { ...recommendation, effect, reasons: isSmall ? [...reasons, 'below_materiality'] : reasons };
}
