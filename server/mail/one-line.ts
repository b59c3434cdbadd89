/**
 * A text that stays within its line: no control characters, no line ends of any script, no marks that change the
 * direction of writing.
 */
export const oneLine = (text: string): string => text.replace(breaking, ' ').replace(/ {2,}/g, ' ').trim();

const breaking = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
