import type { Instant } from '../metrics/facts.ts';
import type { Measurement, Unit } from '../metrics/metric.ts';
import type { Store } from '../store/orm.ts';

/** What a rule is evaluated over: one repository, in a window up to now. */
export interface Watched {
  repoId: number;
  defaultBranch: string | null;
  since: Instant;
  now: Instant;
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
  /** The unrounded value and its sample, from stored facts. */
  measure(watched: Watched, store: Store): Promise<Pick<Measurement, 'value' | 'sample'>>;
}

export const alertMetric = (spec: AlertMetric): AlertMetric => Object.freeze(spec);
