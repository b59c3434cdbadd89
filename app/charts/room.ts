/** Widths of a chart's box in pixels from which more words are shown; the style sheet has the same ones. */
const boxes = [250, 320, 480, 720] as const;

/** What the words of a drawing may take away from the width of its box. */
export type Sides = (box: number) => number;

/** The values at the left; with `labelled` also the names at the ends of the lines. */
export const besideValues: Sides = () => 56;
export const besideLabels: Sides = (box) => (box < 480 ? 152 : 200);
const besideShortLabels: Sides = () => 120;

/** About as wide as 12 px type sets it; rather too wide than too narrow. */
export const wordWidth = (text: string) => text.length * 6.6;

/** How much the names at the ends of lines take, and the class that gives it to them. */
export function roomForLabels(labels: readonly string[]): { sides: Sides; className: string } {
  if (labels.length < 2) return { sides: besideValues, className: '' };
  const isShort = labels.every((label) => wordWidth(label) <= 64);
  return isShort
    ? { sides: besideShortLabels, className: 'labelled short' }
    : { sides: besideLabels, className: 'labelled' };
}

/** Where words begin and end that must not leave the drawing. */
export const anchor = (share: number) => (share < 0.05 ? 'start' : share > 0.95 ? 'end' : 'middle');

export interface PlacedWord {
  /** Across the drawing, 0 to 1. */
  share: number;
  label: string;
}

/**
 * For each label, in their order from left to right, the class that shows it in boxes wide enough: none for always,
 * null for never. A box shows every label, or every second, fourth …, so that no two of them touch.
 */
export function labelClasses(placed: readonly PlacedWord[], sides: Sides): (string | undefined | null)[] {
  const every = boxes.map((box) => thinning(placed, box - sides(box)));
  return placed.map((_, index) => {
    const first = boxes.findIndex((_, box) => index % (every[box] ?? 1) === 0);
    return first < 0 ? null : boxClass(first);
  });
}

/** The class that shows words of this length in a part of the drawing once the part is wide enough; null: it never is. */
export function fittingClass(text: string, share: number, sides: Sides): string | undefined | null {
  const first = boxes.findIndex((box) => wordWidth(text) + 4 <= share * (box - sides(box)));
  return first < 0 ? null : boxClass(first);
}

const boxClass = (index: number) => (index === 0 ? undefined : `from-${boxes[index]}`);

function thinning(placed: readonly PlacedWord[], width: number): number {
  let every = 1;
  while (every < placed.length && touching(placed, width, every)) every *= 2;
  return every;
}

const apart = 6;

function touching(placed: readonly PlacedWord[], width: number, every: number): boolean {
  let end = Number.NEGATIVE_INFINITY;
  for (const { share, label } of placed.filter((_, index) => index % every === 0)) {
    const length = wordWidth(label);
    const start = share * width - { start: 0, middle: length / 2, end: length }[anchor(share)];
    if (start < end + apart) return true;
    end = start + length;
  }
  return false;
}
