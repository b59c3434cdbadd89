export interface CleanedText {
  text: string;
  truncated: boolean;
}

/**
 * Controls, marks that change the direction or the visibility of text, tags, and surrogates without their other half:
 * nothing of it is seen, and all of it has been used to hide instructions.
 */
const invisible = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** Printable ASCII with single spaces stays as it is: nearly every name, and a tenth of the time. */
const plain = /^(?:[!-~]| (?! ))*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text that somebody else wrote, fit to be passed on as data: in composed form (NFC), without what cannot be seen, with
 * single spaces, and cut between two graphemes at `maxCodePoints` at the latest.
 */
export function cleanText(text: string, maxCodePoints: number): CleanedText {
  if (text.length <= maxCodePoints && plain.test(text)) return { text, truncated: false };
  const read = text.slice(0, maxRead);
  const cleaned = read.normalize('NFC').replace(invisible, '').replace(/\s+/g, ' ');
  const cut = cutAt(cleaned, maxCodePoints);
  return { text: cut, truncated: cut.length < cleaned.length || read.length < text.length };
}

/** UTF-16 code units of a text that are looked at: far more than any name has. */
const maxRead = 20_000;

function cutAt(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text;
  let end = 0;
  let codePoints = 0;
  for (const { segment } of graphemes.segment(text)) {
    codePoints += [...segment].length;
    if (codePoints > maxCodePoints) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
