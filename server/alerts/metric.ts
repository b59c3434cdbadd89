import type { Instant } from '../metrics/kernel/facts.ts';
import type { Measurement, Unit } from '../metrics/kernel/metric.ts';
import { hourMs, type Window } from '../metrics/kernel/window.ts';
import type { People } from '../metrics/people/people.ts';
import type { Store } from '../store/orm.ts';

/** What a rule is evaluated over: one repository. */
export interface MeasuredScope {
  /** The database's own id. */
  repoId: number;
  defaultBranch: string | null;
  /** Who is who, and who is a bot. */
  people: People;
}

/** A moment of evaluation and how far it looks back: over [now − window, now). */
export interface Moment {
  now: Instant;
  windowHours: number;
}

/** Everything from the first to the last moment of evaluation, each with a window of these hours. */
export interface Range extends MeasuredScope {
  from: Instant;
  until: Instant;
  windowHours: number;
}

/** The unrounded value and its sample. */
export interface Evaluation extends Pick<Measurement, 'value' | 'sample'> {
  /** Not all facts were read: why the value is unknown and null, or only a lower bound. */
  incomplete?: string;
  /** It is known that there is nothing to measure: that never fires, and ends what fired. */
  isNone?: true;
  /** By what an event can be traced: the workflow of a streak, the number of a pull request. */
  details?: Record<string, string | number>;
}

/** A value that cannot be reported, and why. */
export const unknown = (incomplete: string): Evaluation => ({ value: null, sample: 0, incomplete });

/** Which facts must be fresh before the metric is evaluated. */
export type Feed =
  | 'workflow-runs'
  | 'pull-requests'
  | 'commits'
  | 'advisor-verdicts'
  | 'actions'
  | 'exposure'
  | 'merge-queue';

/** What was read from the store for all moments of a range. */
export interface AlertFacts {
  /** The first moment whose value has all the facts it needs behind it. */
  knownFrom: Instant;
  /** When runs ended, or changes were measured, oldest first: each was a moment of evaluation. Empty where nights are. */
  endings: readonly Instant[];
}

interface About {
  key: string;
  label: string;
  /** What the value is, in plain sentences. */
  definition: string;
  unit: Unit;
  /** Of runs, or of the work of people, where bots are excluded. */
  group: 'ci' | 'people';
  dataSource: Feed;
  /** Under this sample a rule never fires. */
  minSample: number;
  /** Of the moment: the window only determines how long a rule is quiet after it fired. */
  isPointInTime?: true;
}

interface Spec<Facts extends AlertFacts, Source> extends About {
  /** A shorter window would be meaningless, so it is extended to this. */
  shortestHours?: number;
  load(range: Range, source: Source): Promise<Facts>;
  measure(facts: Facts, at: Moment): Evaluation;
}

/** Something an alert rule can watch; `Source` is what of the store it is read from. */
export interface AlertMetric<Facts = AlertFacts, Source = Store> extends About {
  /** The window really used, in hours. */
  effectiveHours(windowHours: number): number;
  /** Reads once, from stored facts alone, what any moment of the range needs. */
  load(range: Range, source: Source): Promise<Facts>;
  /** The value as it was then: nothing that happened or ended later counts. */
  measure(facts: Facts, at: Moment): Evaluation;
}

/** Declares an alert metric: what is loaded and measured gets the window that is really used. */
export function alertMetric<Facts extends AlertFacts, Source = Store>(
  spec: Spec<Facts, Source>,
): AlertMetric<Facts, Source> {
  const { shortestHours = 0, load, measure, ...about } = spec;
  const effectiveHours = (windowHours: number) => Math.max(windowHours, shortestHours);
  const effective = <At extends { windowHours: number }>(at: At): At => ({
    ...at,
    windowHours: effectiveHours(at.windowHours),
  });
  return Object.freeze({
    ...about,
    effectiveHours,
    load: (range: Range, source: Source) => load(effective(range), source),
    measure: (facts: Facts, at: Moment) => measure(facts, effective(at)),
  });
}

/** The value now. */
export async function measureNow(
  metric: AlertMetric,
  scope: MeasuredScope & Moment,
  store: Store,
): Promise<Evaluation> {
  const { now, windowHours } = scope;
  return metric.measure(await metric.load({ ...scope, from: now, until: now }, store), { now, windowHours });
}

/** The milliseconds of [now − window, now). */
export const getWindow = ({ now, windowHours }: Moment): Window => ({ from: now - windowHours * hourMs, to: now - 1 });
