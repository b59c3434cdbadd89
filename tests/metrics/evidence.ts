import { expect } from 'vitest';
import type { Metric } from '../../server/metrics/kernel/metric.ts';

/** The value is that of the counted facts, no fact is lost, every reason is said, and no rate leaves 0 to 100. */
export function opensEvidence<Fact>(metric: Metric<Fact>, facts: Fact[]): void {
  const { counted, excluded } = metric.evidence(facts);
  const measured = metric(facts);
  expect(metric.reduce(counted)).toBe(measured.value);
  expect(measured.sample).toBe(counted.length);
  expect(new Set([...counted, ...excluded.map(({ fact }) => fact)])).toEqual(new Set(facts));
  expect(counted.length + excluded.length).toBe(facts.length);
  expect(metric(counted)).toEqual(measured);
  expect(excluded.every(({ reason }) => reason !== '')).toBe(true);
  if (measured.value !== null) expect(measured.value >= 0).toBe(true);
  if (metric.unit === 'percent') expect((measured.value ?? 0) <= 100).toBe(true);
}
