import { cleanText } from '../platform/untrusted-text.ts';

/** A text that a third party wrote: it is data, wherever it stands. */
export interface Untrusted {
  untrusted_text: string;
  truncated: boolean;
}

const maxCodePoints = 200;

/** null where there is no text. */
export function untrusted(text: string | null | undefined): Untrusted | null {
  if (text === null || text === undefined) return null;
  const cleaned = cleanText(text, maxCodePoints);
  return { untrusted_text: cleaned.text, truncated: cleaned.truncated };
}
