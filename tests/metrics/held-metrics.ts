import type { Metric } from '../../server/metrics/kernel/metric.ts';
import { opensEvidence } from './evidence.ts';

/** A metric over facts, and what the naive reading says of the same. */
export interface Held {
  key: string;
  unit: string;
  value: number | null;
  expected: number | null;
  /** Fails where the value is not that of its evidence. */
  opens(): void;
}

/** By the name the metric is exported under. */
export type HeldMetrics = Record<string, Held[]>;

/** Of so many facts it is unknown whether they count. */
export function held<Fact>(metric: Metric<Fact>, facts: Fact[], expected: number | null, undecided = 0): Held {
  const { value, unit } = metric(facts);
  return { key: metric.key, unit, value, expected, opens: () => opensEvidence(metric, facts, undecided) };
}

/** Whose every metric is what its twin says; the message names it. */
export const valuesOf = (metrics: HeldMetrics, of: 'value' | 'expected') =>
  Object.entries(metrics).map(([name, cases]) => [name, ...cases.map((each) => each[of])]);
