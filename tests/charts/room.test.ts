import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anchor, besideLabels, besideValues, fittingClass, labelClasses, wordWidth } from '../../app/charts/room.ts';

const boxes = [250, 320, 480, 720];
const shownIn = (box: number, found: string | undefined | null) =>
  found === undefined || (found !== null && box >= Number(found.slice('from-'.length)));

test('labels that are shown never touch, in a box of any width', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 250, max: 1400 }),
      fc.constantFrom(besideValues, besideLabels),
      fc.string({ minLength: 1, maxLength: 8 }),
      (shares, box, sides, label) => {
        const text = shares.sort((one, other) => one - other).map((share) => ({ share, label }));
        const classes = labelClasses(text, sides);
        const width = box - sides(box);
        const long = wordWidth(label);
        const starts = text
          .filter((_, index) => shownIn(box, classes[index]))
          .map(({ share }) => share * width - { start: 0, middle: long / 2, end: long }[anchor(share)]);
        for (const [index, start] of starts.entries())
          if (index) expect(start).toBeGreaterThanOrEqual((starts[index - 1] ?? 0) + long);
        expect(classes[0]).toBeUndefined();
      },
    ),
  ));

test('six weeks fit a wide box whole and a narrow one in part', () => {
  const text = ['8 Jun', '15 Jun', '22 Jun', '29 Jun', '6 Jul', '13 Jul'];
  const classes = labelClasses(
    text.map((label, index) => ({ share: 0.1 + index * 0.15, label })),
    besideLabels,
  );
  const shown = (box: number) => text.filter((_, index) => shownIn(box, classes[index]));
  expect(boxes.map((box) => shown(box).length)).toEqual([2, 3, 3, 6]);
  expect(shown(480)).toEqual(['8 Jun', '22 Jun', '6 Jul']);
});

test('a word is shown in its part only where the part is wide enough', () => {
  const beside = () => 0;
  expect(fittingClass('20 h', 0.5, beside)).toBeUndefined();
  expect(fittingClass('20 h', 0.08, beside)).toBe('from-480');
  expect(fittingClass('20 h', 0.001, beside)).toBeNull();
});
