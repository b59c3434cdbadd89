import { credentialBeginning, credentialShapes } from './credentials.ts';

/** A credential in a text. */
export interface Key {
  at: number;
  value: string;
  /** With its article. */
  kind: string;
}

/** Finds credentials by the shape their issuers give them. What is made up for documents and tests is left out. */
export function keysIn(text: string): Key[] {
  if (!credentialBeginning.test(text)) return [];
  return credentialShapes.flatMap(({ kind, shape, isRandomFrom }) =>
    [...text.matchAll(shape)].flatMap((found) => {
      const [value] = found;
      const isReal = isRandomFrom === null || (isRandom(value.slice(isRandomFrom)) && !/example|dummy/i.test(value));
      return isReal ? [{ at: found.index, value, kind }] : [];
    }),
  );
}

/** Whether a text looks random: long, of several kinds of characters, none of them often. */
export function isRandom(text: string): boolean {
  if (text.length < 16 || /\s/.test(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  return bitsPerCharacter(text) >= 3 && !/(.)\1{4}|1234|abcd|qwerty|xxxx/i.test(text);
}

/** Shannon's entropy of the characters. */
function bitsPerCharacter(text: string): number {
  const counts = [...Map.groupBy(text, (email) => email).values()].map(({ length }) => length / text.length);
  return -counts.reduce((sum, share) => sum + share * Math.log2(share), 0);
}
