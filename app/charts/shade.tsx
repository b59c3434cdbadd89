import { figures } from '../../server/domain/quantity.ts';
import { unreadPaint } from './hatch.tsx';
import { type LegendEntry, markPlace } from './legend.tsx';

/** How strong the accent is for each step of a cell: none, and four above zero. */
const strengths = [0, 0.25, 0.5, 0.75, 1];

export interface Shading {
  /** 0 for zero, 1 to 4 above; null for unknown. */
  step(count: number | null): number | null;
  /** Which counts a step holds, `3–5`; only steps that hold any. */
  legend: { step: number; label: string }[];
}

/** Shades counts in five steps: zero, and above it the quartiles of the counts that occur. */
export function shading(counts: readonly (number | null)[]): Shading {
  const positive = counts
    .filter((count) => count !== null && count > 0)
    .map(Number)
    .sort((one, other) => one - other);
  const quartile = (part: number) => positive[Math.ceil((positive.length * part) / 4) - 1] ?? 0;
  const bounds = positive.length ? [...new Set([1, 2, 3, 4].map(quartile))] : [];
  const strength = (index: number) => Math.round(((index + 1) * 4) / bounds.length);
  const label = (index: number) => {
    const [from, to] = [(bounds[index - 1] ?? 0) + 1, bounds[index] ?? 0];
    return from === to ? figures(to) : `${figures(from)}–${figures(to)}`;
  };
  return {
    step: (count) => {
      if (count === null || count <= 0) return count === null ? null : 0;
      return strength(bounds.findIndex((bound) => count <= bound));
    },
    legend: [{ step: 0, label: '0' }, ...bounds.map((_, index) => ({ step: strength(index), label: label(index) }))],
  };
}

/** The paint of a cell; a count that is not known is hatched. `Hatches` of the same id must be in the drawing. */
export function cellPaint(step: number | null, id: string) {
  if (step === null) return { ...unreadPaint(id), className: 'cell' };
  return step === 0 ? { className: 'cell zero' } : { className: 'cell fill-one', fillOpacity: strengths[step] };
}

/** The steps from none to most, in numbers; `gaps`: whether any count is not known. */
export function shadeLegend(shades: Shading, noun: string, id: string, gaps: boolean): LegendEntry[] {
  const entries: { step: number | null; label: string }[] = [...shades.legend];
  if (gaps) entries.push({ step: null, label: 'no data' });
  const marked = entries.map(({ step, label }) => ({
    label,
    mark: <rect {...markPlace} {...cellPaint(step, id)} />,
  }));
  return [{ label: noun }, ...marked];
}
