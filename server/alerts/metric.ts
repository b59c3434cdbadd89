import type { Instant } from '../metrics/facts.ts';
import type { Measurement, Unit } from '../metrics/metric.ts';
import type { People } from '../metrics/people.ts';
import type { Store } from '../store/orm.ts';

/** What a rule is evaluated over: one repository, in a window up to now. */
export interface Watched {
  repoId: number;
  defaultBranch: string | null;
  since: Instant;
  now: Instant;
  /** Who is who, and who is a bot. */
  people: People;
}

/** The unrounded value and its sample. */
export interface Watch extends Pick<Measurement, 'value' | 'sample'> {
  /** Why the value cannot be told yet: not all facts of the window were read. It is null then. */
  incomplete?: string;
}

/** Which facts must be fresh before the metric is evaluated. */
export type Feed = 'workflow-runs' | 'pull-requests' | 'commits';

/** Something an alert rule can watch. */
export interface AlertMetric {
  key: string;
  label: string;
  unit: Unit;
  fedBy: Feed;
  /** Under this sample a rule never fires. */
  minSample: number;
  /** From stored facts alone. */
  measure(watched: Watched, store: Store): Promise<Watch>;
}

export const alertMetric = (spec: AlertMetric): AlertMetric => Object.freeze(spec);
