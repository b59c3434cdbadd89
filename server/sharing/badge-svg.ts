// A badge as an image: a fixed template, with nothing in it that a browser would load or run.

export type BadgeTone = 'pass' | 'fail' | 'figure' | 'none';

export interface BadgeText {
  label: string;
  message: string;
  /** Value, sample, window and age, for pointing devices and screen readers. */
  title: string;
  tone: BadgeTone;
  style: 'flat' | 'square';
}

/** Each has 4.5 : 1 with white. */
const colours: Record<BadgeTone, string> = { pass: '#1a7f37', fail: '#c4232d', figure: '#0a62c4', none: '#57606a' };

const labelColour = '#3d444d';
const height = 20;
const padding = 6;
const baseline = 14;

export function drawBadge({ label, message, title, tone, style }: BadgeText): string {
  const [left, right] = [measure(label), measure(message)];
  const split = left + 2 * padding;
  const width = split + right + 2 * padding;
  const corner = style === 'flat' ? 3 : 0;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<clipPath id="c"><rect width="${width}" height="${height}" rx="${corner}"/></clipPath>`,
    '<g clip-path="url(#c)">',
    `<rect width="${split}" height="${height}" fill="${labelColour}"/>`,
    `<rect x="${split}" width="${width - split}" height="${height}" fill="${colours[tone]}"/>`,
    '</g>',
    '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    `<text x="${padding}" y="${baseline}" textLength="${left}" lengthAdjust="spacingAndGlyphs">${escapeXml(label)}</text>`,
    `<text x="${split + padding}" y="${baseline}" textLength="${right}" lengthAdjust="spacingAndGlyphs">${escapeXml(message)}</text>`,
    '</g>',
    '</svg>',
  ].join('');
}

/** What XML 1.0 has no character for is dropped, the rest cannot leave the text it stands in. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Advance widths of Verdana in thousandths of its size, for the characters from the space to the tilde. */
const advances = [
  352, 394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 454, 454, 818, 818, 818, 545, 1000, 684, 686, 698, 771, 632, 575, 775, 751, 421, 455, 693, 557, 843,
  748, 787, 603, 787, 695, 684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 818, 636, 636, 601, 623, 521, 623,
  596, 352, 623, 633, 274, 344, 592, 274, 973, 633, 607, 623, 623, 427, 521, 394, 633, 592, 818, 592, 592, 525, 635,
  454, 635, 818,
];
const widest = 1000;

/** The width of a text in pixels; other browsers' fonts are stretched to it. */
function measure(text: string): number {
  const thousandths = [...text.replaceAll('\u00a0', ' ')].reduce(
    (sum, character) => sum + (advances[(character.codePointAt(0) ?? 0) - 0x20] ?? widest),
    0,
  );
  return Math.max(1, Math.round((thousandths * 11) / 1000));
}
