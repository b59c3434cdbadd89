/**
 * Whether a secret of 32 characters or more is easily guessed for all its length: few of its groups of three characters
 * are new, or follow neither the alphabet, the digits nor the keyboard. It does not know words. Generated secrets of at
 * least ten different characters pass, at any length.
 */
export function isWeakSecret(secret: string): boolean {
  const text = secret.toLowerCase();
  const triples = new Set(Array.from({ length: text.length - 2 }, (_, at) => text.slice(at, at + 3)));
  return [...triples].filter((triple) => !sequences.includes(triple)).length < leastTriples;
}

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const sequences = [...rows, ...rows.map((row) => [...row].reverse().join(''))].join('\n');
/** Of 32 random digits about 29 of 30 count. */
const leastTriples = 20;
