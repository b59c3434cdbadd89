import type { Pricing } from '../metrics/cost/job-cost.ts';
import { type Predicted, type Prediction, predictEffects, predictTogether } from './effects.ts';
import type { RecordedAttempt } from './history.ts';
import type { Certainty, Kind } from './kind.ts';
import { patchRecommendations, type RecommendedPatch } from './patch-recommendations.ts';
import { planTotal, type Saving, savingOf } from './plan.ts';
import { type AdvisedRepository, certaintyOf, dependsOnChecks, recommend } from './recommend.ts';
import type { Calibration } from './replay/calibrate.ts';
import { attemptMinutes } from './replay/days.ts';
import type { Effect } from './replay/predict.ts';
import { isMeasured, type JointPromise } from './verdict/proposed.ts';

/** Which recommendations of a repository are requested, and how much of them. */
export interface AdviseTask {
  repository: AdvisedRepository;
  pricing: Pricing;
  /** Whether findings about security are shown. */
  seesSecurity: boolean;
  /** Ids of those that have no part in the total; null where no total is requested. */
  dismissed: readonly string[] | null;
  /** Ids of those whose runs and change are requested. */
  chosen: readonly string[];
  /** Whether it was tried to read which checks pull requests need. */
  hasReadChecks: boolean;
  /** Whether computing it took too long before, so that history is left aside. */
  isTooLarge: boolean;
}

/** A recommendation as data alone. */
export interface AdvisedItem extends Omit<Predicted, 'kind' | 'counterfactual' | 'evidence' | 'effect'> {
  kind: Pick<Kind, 'id' | 'title' | 'certainty' | 'definition'>;
  certainty: Certainty;
  effect: PlainEffect;
  /** Runs that it rests on, the newest first; of a chosen one alone, and no more than 1,000. */
  evidence: AdvisedRun[];
  /** Whether there are more. */
  isTruncated: boolean;
}

export type PlainEffect = Omit<Effect, 'minutesAfter'>;

/** A run that a finding rests on, with its minutes. */
export interface AdvisedRun {
  attempt: Omit<RecordedAttempt, 'jobs'>;
  why: string;
  /** null where not all of its jobs are stored. */
  minutesBefore: number | null;
  /** With the change; null where nothing is predicted. */
  minutesAfter: number | null;
}

export interface AdvisedChanges extends RecommendedPatch {
  /** What is predicted of the changes that can be made, together, of the workflows that they change. */
  together: PlainEffect;
  /** Of those that one workflow has several of, by its id. */
  jointly: ReadonlyMap<number, JointPromise>;
}

/** What could be changed in a repository. */
export interface Advised {
  /** null without a usable window; with the first 20 failures alone. */
  calibration: Calibration | null;
  recommendations: AdvisedItem[];
  /** Kinds of findings about security that are not shown. */
  hiddenKinds: string[];
  /** null where none is certain to save anything, or none is requested. */
  total: { recommendations: number; saving: Saving | null } | null;
  /** The changes of the chosen ones that are offered. */
  changes: AdvisedChanges;
}

/**
 * Looks for recommendations, predicts what they save and makes the changes of the chosen ones. Pure, and its answer is
 * data alone. null where one depends on the checks that pull requests need, which were not read yet.
 */
export function advise(task: AdviseTask): Advised | null {
  const repository = task.isTooLarge ? { ...task.repository, attempts: null, days: [] } : task.repository;
  const found = recommend(repository);
  if (!task.hasReadChecks && repository.requiredChecks === null && dependsOnChecks(found)) return null;
  const prediction = predictEffects(repository, found, task.pricing);
  const isHidden = ({ kind }: Predicted) => !task.seesSecurity && kind.certainty === 'risk';
  const shown = prediction.recommendations.filter((one) => !isHidden(one));
  const { dismissed } = task;
  const total =
    dismissed &&
    planTotal(
      shown.filter(({ id }) => !dismissed.includes(id)),
      prediction.past,
    );
  return {
    calibration: prediction.calibration && {
      ...prediction.calibration,
      failures: prediction.calibration.failures.slice(0, maxFailures).map(withoutJobs),
    },
    recommendations: shown.map((one) => toItem(one, task)),
    hiddenKinds: [...new Set(prediction.recommendations.filter(isHidden).map(({ kind }) => kind.id))],
    total: total && { recommendations: total.selected.length, saving: savingOf(total)?.saving ?? null },
    changes: changesOf(shown, prediction, { ...task, repository }),
  };
}

const maxFailures = 20;

const withoutJobs = (failure: Calibration['failures'][number]): Calibration['failures'][number] => ({
  ...failure,
  attempt: { ...failure.attempt, jobs: null },
});

function changesOf(shown: readonly Predicted[], { past }: Prediction, { repository, chosen, isTooLarge }: AdviseTask) {
  const offered = shown.filter(({ id, reasons }) => chosen.includes(id) && reasons.length === 0);
  const patch = patchRecommendations(repository, offered);
  const made = offered.filter(({ id }) => patch.refused.every((one) => one.id !== id));
  return {
    ...patch,
    together: toPlain(predictTogether(made, past, { of: 'changed workflows' }), isTooLarge),
    jointly: promiseJointly(made, past),
  };
}

/** What is promised of workflows that several changes are made to. */
function promiseJointly(made: readonly Predicted[], past: Prediction['past']): Map<number, JointPromise> {
  const measured = made.filter(({ kind }) => isMeasured({ kind: kind.id }));
  const several = [...Map.groupBy(measured, ({ workflowId }) => workflowId)].filter(([, group]) => group.length > 1);
  return new Map(
    several.flatMap(([id, group]): [number, JointPromise][] => {
      const savesMinutes = group.some(({ effect }) => effect.next !== null && effect.saves === 'minutes');
      const next = savesMinutes ? predictTogether(group, past, { of: 'changed workflows' }).next : null;
      return id === null ? [] : [[id, { promised: next?.reductionPct ?? null, promisedFrom: next?.from ?? null }]];
    }),
  );
}

const toPlain = ({ minutesAfter, ...effect }: Effect, isTooLarge: boolean): PlainEffect =>
  isTooLarge && effect.reason === 'history_absent' ? { ...effect, reason: 'too_large' } : effect;

function toItem(predicted: Predicted, { chosen, isTooLarge }: AdviseTask): AdvisedItem {
  const { kind, counterfactual, evidence, effect, ...one } = predicted;
  const { id, title, certainty, definition } = kind;
  const runs = chosen.includes(one.id) ? evidence : [];
  const newest = runs.toSorted((some, other) => other.attempt.arrivedAt - some.attempt.arrivedAt);
  return {
    ...one,
    reasons: isTooLarge ? one.reasons.map((code) => (code === 'history_absent' ? 'too_large' : code)) : one.reasons,
    kind: { id, title, certainty, definition },
    certainty: certaintyOf(predicted),
    effect: toPlain(effect, isTooLarge),
    evidence: newest.slice(0, maxRuns).map((run) => toRun(run, effect)),
    isTruncated: newest.length > maxRuns,
  };
}

const maxRuns = 1000;

function toRun({ attempt, why }: Predicted['evidence'][number], { days, minutesAfter }: Effect): AdvisedRun {
  const { jobs, ...facts } = attempt;
  const minutes = jobs === null ? null : attemptMinutes(attempt);
  return {
    attempt: facts,
    why,
    minutesBefore: minutes,
    minutesAfter: days.length === 0 ? null : (minutesAfter.get(attempt) ?? minutes),
  };
}
