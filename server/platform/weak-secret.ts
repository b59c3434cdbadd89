/**
 * Whether a secret of 32 characters or more is easily guessed for all its length: it repeats itself, or few of its
 * groups of three characters follow neither the alphabet, the digits nor the keyboard. It does not know words.
 * Generated secrets of at least ten different characters pass, at any length.
 */
export function isWeakSecret(secret: string): boolean {
  const text = secret.toLowerCase();
  const triples = new Set(toTriples(text));
  return repeatsItself(text) || [...triples].filter((triple) => !sequences.includes(triple)).length < minTriples;
}

const toTriples = (text: string) => Array.from({ length: text.length - 2 }, (_, at) => text.slice(at, at + 3));

/** Whether more than a quarter of the groups are there already. A long random text has every group in the end. */
function repeatsItself(text: string): boolean {
  const triples = toTriples(text.slice(0, 64));
  return new Set(triples).size < 0.75 * triples.length;
}

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const sequences = [...rows, ...rows.map((row) => [...row].reverse().join(''))].join('\n');
/** Of 32 random digits about 29 of 30 count. */
const minTriples = 20;
