import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { Predicted } from '../effects.ts';
import type { RecordedAttempt } from '../history.ts';
import { findsNextStep, type Kind } from '../kind.ts';
import type { Band } from '../replay/band.ts';
import { attemptsWithin, coveredDaysOf, findUsableWindow } from '../usable-window.ts';
import { measureDays } from './measured-days.ts';
import { type Measure, unitsOf, updateKey } from './measures.ts';
import { isLikeAfter, type TouchedNode, touchedNodes, touchedState, withTouchedState } from './touched-nodes.ts';
import type { Baseline, Withdrawal } from './verdict.ts';

/** A change as its pull request proposed it, with what was predicted then. */
export interface ProposedChange {
  /** Of the recommendation. */
  id: string;
  kind: string;
  title: string;
  path: string;
  workflowId: number | null;
  /** The reduction of the minutes of the workflow, in percent; null where nothing was predicted. */
  promised: Band | null;
  /** Start of the first day that the prediction rests on; neither this nor `touched` is known of older ones. */
  promisedFrom?: Instant | null;
  /** The nodes that show whether the change is in place; empty where only the finding does. */
  touched?: TouchedNode[];
  /** What was predicted of all changes of the workflow that were proposed together; not there of one alone. */
  jointly?: JointPromise;
  /** Changes of the same workflow that were merged with it: the promise and the result are of all of them. */
  others?: Pick<ProposedChange, 'id' | 'kind' | 'title'>[];
}

/** What is predicted of the changes of a workflow together. */
export interface JointPromise {
  /** The reduction of its minutes, in percent; null where nothing was predicted. */
  promised: Band | null;
  /** Start of the first day that the prediction rests on. */
  promisedFrom: Instant | null;
}

/** The kinds that a promise and a result are of. */
const kindsOf = ({ kind, others = [] }: ProposedChange): string[] => [kind, ...others.map((one) => one.kind)];

interface Proposable extends Pick<Predicted, 'id' | 'path' | 'workflowId' | 'changes'> {
  kind: Pick<Kind, 'id' | 'title'>;
  effect: Pick<Predicted['effect'], 'next' | 'saves'>;
}

/** A recommendation as it is proposed for a file of this text. */
export function toProposed({ id, kind, path, workflowId, effect, changes }: Proposable, text: string): ProposedChange {
  const change = { id, kind: kind.id, title: kind.title, path, workflowId };
  return {
    ...change,
    // What lets runs end earlier promises no fewer minutes.
    promised: effect.saves === 'minutes' ? (effect.next?.reductionPct ?? null) : null,
    promisedFrom: effect.next?.from ?? null,
    touched: isMeasured(change) ? touchedNodes(text, changes) : [],
  };
}

/** Security, and what is stored: neither takes minutes, so that it is only seen whether the change is in place. */
const unmeasured = new Set(['ADV-12', 'ADV-20', 'ADV-21', 'ADV-22']);

export const isMeasured = ({ kind }: Pick<ProposedChange, 'kind'>): boolean => !unmeasured.has(kind);

/** A change as it was merged, which may be in other words than it was proposed, by the text of its file since. */
export const asMerged = (change: ProposedChange, text: string): ProposedChange =>
  touchedState(change.touched ?? [], text) === 'other'
    ? { ...change, touched: withTouchedState(change.touched ?? [], text) }
    : change;

/**
 * Whether a file has a change that it had not, in these or in other words: what is written or left out at the nodes is
 * not what it was, and as much is there as after the change. The finding must be gone, too.
 */
export function isApplied({ touched = [] }: ProposedChange, text: string): boolean {
  const state = touchedState(touched, text);
  return state === 'after' || (state === 'other' && isLikeAfter(touched, text));
}

/** What the workflow file and the platform tell of a merged change. */
export interface Remains {
  /** The text of its file; null where that is not read. */
  text: string | null;
  /** Whether the finding is there again. */
  isFound: boolean;
  /** Whether the workflow is disabled, or its file is gone. */
  isDisabled: boolean;
}

/** Why a change is not in place as it was merged; null where it is. Contract of the advisor, section 5.2. */
export function findWithdrawal(change: ProposedChange, { text, isFound, isDisabled }: Remains): Withdrawal | null {
  if (isDisabled) return 'disabled';
  const state = touchedState(change.touched ?? [], text);
  if (state === 'after') return null;
  if (state === 'before' || (isFound && !findsNextStep(change.kind))) return 'reverted';
  return state === 'other' ? 'changed_again' : null;
}

const units: Readonly<Record<string, Measure['per']>> = {
  'ADV-01': 'update',
  'ADV-02': 'commit',
  'ADV-03': 'day',
  'ADV-04': 'update',
};

/** Units that fewer changes move, last. */
const coarsest: readonly Measure['per'][] = ['day', 'commit', 'update'];

/** What is measured of it, such that the changes cannot move how many units there are; contract, section 5.3. */
function measureOf(change: ProposedChange, workflowId: number): Measure {
  const pers = kindsOf(change).map((kind) => units[kind] ?? 'run');
  return { per: coarsest.find((per) => pers.includes(per)) ?? 'run', workflowId, without: null };
}

const minRuns = 20;

/** What the change cannot move; null where there is no such thing. Contract of the advisor, section 5.5. */
function controlOf(change: ProposedChange, workflowId: number, attempts: readonly RecordedAttempt[]): Measure | null {
  const kinds = kindsOf(change);
  if (kinds.every((kind) => kind === 'ADV-03')) return { per: 'run', workflowId, without: 'schedule' };
  if (kinds.every((kind) => /^ADV-0[12346]$/.test(kind))) return { per: 'passing job', workflowId, without: null };
  const others = Map.groupBy(
    attempts.filter((one) => one.workflowId !== workflowId),
    (one) => one.workflowId,
  );
  const [largest] = [...others].sort(([, some], [, more]) => more.length - some.length);
  return largest && largest[1].length >= minRuns ? { per: 'run', workflowId: largest[0], without: null } : null;
}

/** Of the updates that a change of filters may leave without any run, those that no other workflow ran for, at most. */
const maxUnseen = 0.01;

/**
 * Whether the updates that a change may leave without a run of its workflow are seen all the same: workflows that none
 * of the changes made together filters ran for them, too. Contract of the advisor, section 5.3.
 */
export function hasDenominator(
  change: ProposedChange,
  together: readonly ProposedChange[],
  { attempts, startAt }: { attempts: readonly RecordedAttempt[]; startAt: Instant },
): boolean {
  const { workflowId } = change;
  if (!kindsOf(change).includes('ADV-04')) return true;
  const filtered = new Set([workflowId, ...together.flatMap((one) => (one.kind === 'ADV-04' ? one.workflowId : []))]);
  const before = attempts.filter(({ arrivedAt }) => arrivedAt < startAt);
  const updatesOf = (some: readonly RecordedAttempt[]) => new Set(some.flatMap((one) => updateKey(one) ?? []));
  const own = [...updatesOf(before.filter((one) => one.workflowId === workflowId))];
  const seen = updatesOf(before.filter((one) => !filtered.has(one.workflowId)));
  return own.filter((update) => !seen.has(update)).length <= maxUnseen * own.length;
}

/** Days before the change that are looked at, at most. */
export const daysBefore = 90;

/** Those that the promise rests on, and those up to the merge: others may be of another level. */
function daysToMeasure({ promisedFrom }: ProposedChange, startAt: Instant): number {
  const from = promisedFrom ?? Number.NEGATIVE_INFINITY;
  return Math.min(daysBefore, Math.floor((startAt - from) / dayMs));
}

/**
 * What was measured before a change: attempts are all that are known of the repository. null where jobs of too few days
 * are stored, or the platform does not list the workflow.
 */
export function baselineOf(
  change: ProposedChange,
  {
    attempts,
    defaultBranch,
    startAt,
  }: { attempts: readonly RecordedAttempt[]; defaultBranch: string; startAt: number },
): Baseline | null {
  const { usable } = findUsableWindow(attempts, daysToMeasure(change, startAt), startAt);
  if (usable === null || change.workflowId === null) return null;
  const recorded = { attempts: attemptsWithin(attempts, usable), days: coveredDaysOf(usable), defaultBranch };
  const measured = (measure: Measure) => ({ measure, before: measureDays(unitsOf(measure, recorded), recorded.days) });
  const control = controlOf(change, change.workflowId, recorded.attempts);
  return { ...measured(measureOf(change, change.workflowId)), control: control && measured(control) };
}
