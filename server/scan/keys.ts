/** A credential that stands in a text. */
export interface Key {
  at: number;
  value: string;
  /** With its article. */
  kind: string;
}

/** Finds credentials by the shape their issuers give them. What is made up for documents and tests is left out. */
export function keysIn(text: string): Key[] {
  if (!beginning.test(text)) return [];
  return shapes.flatMap(({ kind, shape, isRandomFrom }) =>
    [...text.matchAll(shape)].flatMap((found) => {
      const [value] = found;
      const isReal = isRandomFrom === null || (isRandom(value.slice(isRandomFrom)) && !/example|dummy/i.test(value));
      return isReal ? [{ at: found.index, value, kind }] : [];
    }),
  );
}

/** Whether a text looks drawn by lot: long, of several kinds of letters, none of them often. */
export function isRandom(text: string): boolean {
  if (text.length < 16 || /\s/.test(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  return bitsPerLetter(text) >= 3 && !/(.)\1{4}|1234|abcd|qwerty|xxxx/i.test(text);
}

/** Shannon's entropy of the letters. */
function bitsPerLetter(text: string): number {
  const counts = [...Map.groupBy(text, (letter) => letter).values()].map(({ length }) => length / text.length);
  return -counts.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** How one of the shapes begins: most texts have nothing of the kind. */
const beginning =
  /A[KS]IA|gh[pousr]_|github_pat_|glpat-|xox|hooks\.slack|[rs]k_live|npm_|pypi-|dckr_|AIza|SG\.|sk-|-----B/;

/** From where a value is drawn by lot; null when the shape alone is enough. */
const shapes: readonly { kind: string; shape: RegExp; isRandomFrom: number | null }[] = [
  { kind: 'an access key id of a cloud', shape: /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g, isRandomFrom: 4 },
  { kind: 'a token of the platform', shape: /\bgh[pousr]_[A-Za-z0-9]{36,}\b/g, isRandomFrom: 4 },
  { kind: 'a token of the platform', shape: /\bgithub_pat_[A-Za-z0-9_]{70,}\b/g, isRandomFrom: 11 },
  { kind: 'a token of a code host', shape: /\bglpat-[A-Za-z0-9_-]{20,}/g, isRandomFrom: 6 },
  { kind: 'a token of a chat', shape: /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/g, isRandomFrom: 5 },
  {
    kind: 'the address of a chat hook',
    shape: /https:\/\/hooks\.slack\.com\/services\/T\w{8,}\/B\w{8,}\/\w{20,}/g,
    isRandomFrom: 34,
  },
  { kind: 'a key of a payment service', shape: /\b[rs]k_live_[A-Za-z0-9]{20,}\b/g, isRandomFrom: 8 },
  { kind: 'a token of a package registry', shape: /\bnpm_[A-Za-z0-9]{36}\b/g, isRandomFrom: 4 },
  { kind: 'a token of a package registry', shape: /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}/g, isRandomFrom: 5 },
  { kind: 'a token of an image registry', shape: /\bdckr_pat_[A-Za-z0-9_-]{24,}/g, isRandomFrom: 9 },
  { kind: 'a key of a cloud', shape: /\bAIza[A-Za-z0-9_-]{35}\b/g, isRandomFrom: 4 },
  { kind: 'a key of a mail service', shape: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/g, isRandomFrom: 3 },
  { kind: 'a key of a model service', shape: /\bsk-(ant|proj)-[A-Za-z0-9_-]{40,}/g, isRandomFrom: 8 },
  {
    kind: 'a private key',
    shape: /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(\s|\\n){1,20}[A-Za-z0-9+/=\s\\]{64,}/g,
    isRandomFrom: null,
  },
];
