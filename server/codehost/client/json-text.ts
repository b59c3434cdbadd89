/**
 * Replaces in every text of a JSON value the characters that are no text, NUL and the other control characters, and
 * half surrogate pairs, by U+FFFD: no database column keeps them, and no page shows them. Line breaks and tabs stay.
 */
export function withoutControlCharacters<T>(value: T): T {
  if (typeof value === 'string') return value.replace(controlCharacter, '\ufffd').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(withoutControlCharacters) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutControlCharacters(one)])) as T;
}

/** Reads JSON of the platform, without control characters; throws `SyntaxError`. */
export function parseJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return mayHoldSome.test(json) ? withoutControlCharacters(value) : value;
}

const controlCharacter = /[\p{Cc}--[\t\n\r]]/gv;

/** Most answers hold none, and then need not be walked through. Below U+0020 they can only be escaped. */
const mayHoldSome = /\\(u(00[0189]|007f|d[89a-f])|b|f)|[\u007f-\u009f]/i;
