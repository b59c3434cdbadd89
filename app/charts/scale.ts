/** A straight scale from a domain to a range; a domain without extent maps to the middle of the range. */
export function linear([from, to]: [number, number], [start, end]: [number, number]): (value: number) => number {
  if (to === from) return () => (start + end) / 2;
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

/** Round marks from zero up to or beyond `highest`, about `wanted` of them; `factors` are the steps allowed. */
export function roundTicks(highest: number, wanted = 3, factors = [1, 2, 2.5, 5, 10]): number[] {
  if (!(highest > 0)) return [0, 1];
  const rough = highest / wanted;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = (factors.find((factor) => factor * magnitude >= rough * 0.999) ?? 10) * magnitude;
  const steps = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** A position across the drawing, which is as wide as the page allows: `12.34%`. */
export const across = (share: number) => `${Number((share * 100).toFixed(2))}%`;

/** A pixel position, short. */
export const px = (value: number) => Number(value.toFixed(1));

/** The highest known value; null when none is known. */
export function highest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length ? Math.max(...known) : null;
}
