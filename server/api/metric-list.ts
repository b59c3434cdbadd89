import { alertMetrics } from '../alerts/metrics.ts';
import { quantity, type Unit } from '../domain/quantity.ts';
import { listHighlights } from '../metrics/runs/tips.ts';

/** A metric as rules watch it. */
export interface AlertUse {
  label: string;
  definition: string;
  unit: Unit;
  minSample: number;
}

/** Every metric that a rule can watch, by its key. */
export const alertUses: ReadonlyMap<string, AlertUse> = new Map(
  alertMetrics.map(({ key, label, definition, unit, minSample }) => [key, { label, definition, unit, minSample }]),
);

/** From which values on a metric is highlighted, in words: `Critical below 50 %`; null where it never is. */
export function describeHighlights(metric: string, unit: Unit): string | null {
  const highlights = listHighlights(metric);
  if (highlights.length === 0) return null;
  const parts = highlights.map(({ level, comparison, at }) => `${levels[level]} ${comparison} ${quantity(at, unit)}.`);
  const minSample = Math.max(...highlights.map((one) => one.minSample));
  return [...parts, minSample > 1 ? `None with fewer than ${minSample} runs.` : ''].join(' ').trim();
}

const levels = { critical: 'Critical', warning: 'Warning', info: 'Info' };
