import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shading } from '../../app/charts/shade.tsx';

test('more is never lighter; zero and unknown stand apart; the most is the darkest', () =>
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(60)), { maxLength: 80 }), (counts) => {
      const { step } = shading(counts);
      const known = counts.filter((count) => count !== null).sort((one, other) => one - other);
      for (const [index, count] of known.entries()) {
        expect(step(count)).toBeGreaterThanOrEqual(step(known[index - 1] ?? 0) ?? 0);
        expect(step(count) === 0).toBe(count === 0);
      }
      expect(step(null)).toBeNull();
      if ((known.at(-1) ?? 0) > 0) expect(step(known.at(-1) ?? 0)).toBe(4);
    }),
  ));

test('steps hold about as many counts each, and say which', () => {
  const { step, legend } = shading([1, 2, 3, 4, 5, 6, 7, 80, 0, null]);
  expect([1, 2, 3, 4, 5, 6, 7, 80].map(step)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(legend).toEqual([
    { step: 0, label: '0' },
    { step: 1, label: '1–2' },
    { step: 2, label: '3–4' },
    { step: 3, label: '5–6' },
    { step: 4, label: '7–80' },
  ]);
});

test('counts that are all alike take one step, and nothing takes none', () => {
  expect(shading([3, 3, 3, 0]).legend).toEqual([
    { step: 0, label: '0' },
    { step: 4, label: '1–3' },
  ]);
  expect(shading([null, 0]).legend).toEqual([{ step: 0, label: '0' }]);
});
