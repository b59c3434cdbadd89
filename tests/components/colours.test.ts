import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { strongest } from '../../app/charts/stacked-bars.tsx';

const tokens = readFileSync(new URL('../../app/components/tokens.css', import.meta.url), 'utf8');
const colours = Object.fromEntries(
  [...tokens.matchAll(/--(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name as string,
    { light: light as string, dark: dark as string },
  ]),
);
const colourNames = ['ink', 'muted', 'accent', 'pass', 'fail', 'critical', 'warning', 'running', 'void'];
const lines = ['one', 'two', 'three', 'four', 'five'];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const colour = (name: string) => colours[name]?.[theme] ?? '';
  test.each([...colourNames, ...lines])('%s is readable on every ground', (name) => {
    for (const ground of ['page', 'surface', 'sunken'])
      expect(contrast(colour(name), colour(ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });
  test('words on the strongest shade of a cell or a part are readable', () => {
    expect(contrast(colour('ink'), mixed(colour('one'), colour('surface'), strongest))).toBeGreaterThanOrEqual(4.5);
  });
  test('edges of controls can be seen', () => {
    expect(contrast(colour('edge'), colour('surface'))).toBeGreaterThanOrEqual(3);
  });
});

/** A colour at this strength over another. */
const mixed = (over: string, under: string, strength: number) =>
  [1, 3, 5].reduce((colour, from) => {
    const [top = 0, bottom = 0] = [over, under].map((hex) => Number.parseInt(hex.slice(from, from + 2), 16));
    const part = Math.round(top * strength + bottom * (1 - strength));
    return `${colour}${part.toString(16).padStart(2, '0')}`;
  }, '#');

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((less, more) => less - more);
  return (high + 0.05) / (low + 0.05);
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((from) => Number.parseInt(hex.slice(from, from + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
