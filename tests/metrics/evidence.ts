import { expect } from 'vitest';
import type { Metric } from '../../server/metrics/kernel/metric.ts';

/**
 * The value is that of the counted facts, and none where it is unknown of some whether they count; no fact is lost, every
 * reason is said, and no rate leaves 0 to 100.
 */
export function opensEvidence<Fact>(metric: Metric<Fact>, facts: Fact[], undecided = 0): void {
  const { counted, excluded } = metric.evidence(facts);
  const measured = metric(facts);
  const known = { ...measured, value: metric.reduce(counted) };
  expect(measured).toEqual(undecided > 0 ? { ...known, value: null } : known);
  expect(measured.sample).toBe(counted.length);
  expect(new Set([...counted, ...excluded.map(({ fact }) => fact)])).toEqual(new Set(facts));
  expect(counted.length + excluded.length).toBe(facts.length);
  expect(metric(counted)).toEqual(known);
  expect(excluded.every(({ reason }) => reason !== '')).toBe(true);
  if (measured.value !== null) expect(measured.value >= 0).toBe(true);
  if (metric.unit === 'percent') expect((measured.value ?? 0) <= 100).toBe(true);
}
