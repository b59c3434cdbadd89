import type { Pricing } from '../metrics/cost/job-cost.ts';
import { type Predicted, type Prediction, predictEffects, type RepositoryPast } from './effects.ts';
import type { Certainty, Saves } from './kind.ts';
import { formatPath } from './patch/change.ts';
import { type Marginal, planRepository, type Saving, savingOf } from './plan.ts';
import type { PredictionReason } from './reasons.ts';
import { type AdvisedRepository, certaintyOf, dependsOnChecks, recommend } from './recommend.ts';
import type { Calibration } from './replay/calibrate.ts';
import { amountsByDay, type DayAmounts } from './replay/days.ts';
import type { NextDays } from './replay/figures.ts';
import type { Effect } from './replay/predict.ts';
import { type ProposedChange, toProposed } from './verdict/proposed.ts';

/** A repository to be judged in a thread of its own. */
export interface JudgeTask {
  repository: AdvisedRepository;
  pricing: Pricing;
  /** Ids of recommendations that people dismissed. */
  dismissed: readonly string[];
}

/** What the open recommendations of a repository come to, as it is stored. */
export interface JudgedPlan {
  /** Why nothing is predicted; null where it is. */
  reason: PredictionReason | null;
  /** null where none is certain to save anything. */
  total: Saving | null;
  /**
   * Minutes of all workflows as recorded and with the changes of the total, on the days that it rests on; on all covered
   * days where there is no total, and none where nothing is predicted.
   */
  days: DayAmounts[];
  /** Those that have a part in the total, the largest saving first, then the others. */
  rows: JudgedRow[];
}

/** A recommendation that is offered. */
export interface JudgedRow {
  id: string;
  workflowPath: string;
  /** The node of the file. */
  anchor: string;
  /** Id of the kind. */
  kind: string;
  certainty: Certainty;
  /** What it makes less of; null where nothing is predicted, not there of a plan from before this was stored. */
  saves?: Saves | null;
  /** By itself; null where nothing is predicted, and of what saves something else than minutes. */
  alone: Pick<NextDays, 'minutesSaved' | 'costSaved'> | null;
  /** Whether runs are predicted to end earlier; not there of a plan from before this was stored. */
  shortensRuns?: boolean;
  /** What it adds to the rows before it; null where it has no part in the total. */
  marginal: Marginal | null;
  /** As it would be proposed; not there of a plan from before this was stored. */
  proposed?: ProposedChange;
}

export interface Judgement {
  plan: JudgedPlan;
  /** Ids of all findings, of what is not offered too. */
  found: string[];
  /** Whether it may be another one once it is known which checks pull requests need. */
  dependsOnChecks: boolean;
}

/** Looks for recommendations and predicts what those that are open save. Pure, and its answer can be stored. */
export function judge({ repository, pricing, dismissed }: JudgeTask): Judgement {
  const found = recommend(repository);
  const prediction = predictEffects(repository, found, pricing);
  const open = prediction.recommendations.filter(({ id, reasons }) => reasons.length === 0 && !dismissed.includes(id));
  return {
    plan: judgePlan({ ...prediction, recommendations: open }, repository.files),
    found: found.map(({ id }) => id),
    dependsOnChecks: repository.requiredChecks === null && dependsOnChecks(found),
  };
}

/** What recommendations come to, all of which are open. */
export function judgePlan(
  { calibration, recommendations, past }: Prediction,
  files: AdvisedRepository['files'],
): JudgedPlan {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const { total, rows } = planRepository(recommendations, past);
  const others = recommendations.filter((one) => rows.every(({ recommendation }) => recommendation !== one));
  const reason = reasonOf(calibration);
  const saved = total && savingOf(total);
  return {
    reason,
    total: saved?.saving ?? null,
    days: saved?.days ?? (reason === null ? unchangedDays(past) : []),
    rows: [
      ...rows.map(({ recommendation, marginal }) => toRow(recommendation, marginal, texts)),
      ...others.map((recommendation) => toRow(recommendation, null, texts)),
    ],
  };
}

function reasonOf(calibration: Calibration | null): PredictionReason | null {
  if (calibration === null) return 'history_absent';
  return calibration.state === 'failed' ? 'minutes_not_reproduced' : null;
}

/** As if nothing were changed. */
const unchangedDays = ({ ofRepository, days, priceOf }: RepositoryPast): DayAmounts[] =>
  amountsByDay(days, { before: ofRepository, after: ofRepository }, priceOf);

/** Of another runner money where that is certain: else it is offered because runs end earlier. */
function savesFor({ next, saves, wall }: Effect): Saves | null {
  if (next === null || (saves === 'wall time' && wall === null)) return null;
  return saves === 'cost' && (next.costSaved?.low ?? 0) <= 0 ? 'wall time' : saves;
}

function toRow(recommendation: Predicted, marginal: Marginal | null, texts: ReadonlyMap<string, string>): JudgedRow {
  const { id, kind, path, anchor, effect } = recommendation;
  const { next } = effect;
  return {
    id,
    workflowPath: path,
    anchor: formatPath(anchor),
    kind: kind.id,
    certainty: certaintyOf(recommendation),
    saves: savesFor(effect),
    // What lets runs end earlier or cost less may take more minutes.
    alone: next && effect.saves === 'minutes' ? { minutesSaved: next.minutesSaved, costSaved: next.costSaved } : null,
    shortensRuns: savesFor(effect) === 'wall time',
    marginal,
    proposed: toProposed(recommendation, texts.get(path) ?? ''),
  };
}
