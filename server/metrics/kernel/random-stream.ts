/** A stream of numbers in [0, 1) that depends on nothing but its seed. */
export type RandomStream = () => number;

/** Starts a stream. The same parts give the same numbers, on every machine and in every process. */
export function randomStream(...seed: (string | number)[]): RandomStream {
  let state = hashText(seed.join('\n'));
  return () => {
    state = (state + 0x9e3779b9) | 0;
    const once = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    const twice = Math.imul(once ^ (once >>> 15), 0x735a2d97);
    return ((twice ^ (twice >>> 15)) >>> 0) / 2 ** 32;
  };
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
