import { lastBeginning } from './bisection.ts';
import type { YamlScalar } from './yaml.ts';

/**
 * Where a place of a text's value is in the file. Exact for literal blocks and for what is written as it is read;
 * where lines are folded or characters escaped, it is where the same word is.
 */
export function findOffset(text: string, scalar: YamlScalar, at: number): number {
  const { offset, end, style, value } = scalar;
  if (style === 'literal') return placeInBlock(computeLayout(text, scalar), at);
  if (end - offset === value.length) return offset + at;
  const word = /^\S{1,40}/.exec(value.slice(at, at + 40))?.[0];
  if (word === undefined || value.length > longestSearched) return offset;
  const raw = text.slice(offset, end);
  let found = -1;
  for (let before = value.indexOf(word); before >= 0 && before <= at; before = value.indexOf(word, before + 1)) {
    const next = raw.indexOf(word, found + 1);
    if (next < 0) break;
    found = next;
  }
  return found < 0 ? offset : offset + found;
}

/** Nobody folds longer texts by hand. */
const longestSearched = 10_000;

/** Where each line of a literal block begins, in its value and in the file. */
interface Layout {
  inValue: number[];
  inFile: number[];
}

const layouts = new WeakMap<YamlScalar, Layout>();

function computeLayout(text: string, scalar: YamlScalar): Layout {
  const known = layouts.get(scalar);
  if (known) return known;
  const layout: Layout = { inValue: [], inFile: [] };
  const written = text.slice(scalar.offset, scalar.end);
  const raw = written.split(lineBreak);
  const breaks = written.matchAll(lineBreak);
  let [value, file] = [0, scalar.offset];
  for (const [index, line] of scalar.value.split('\n').entries()) {
    layout.inValue.push(value);
    // What a line has more in the file is its indentation.
    layout.inFile.push(file + Math.max(0, (raw[index]?.length ?? 0) - line.length));
    value += line.length + 1;
    file += (raw[index]?.length ?? 0) + (breaks.next().value?.[0].length ?? 0);
  }
  layouts.set(scalar, layout);
  return layout;
}

const lineBreak = /\r\n|\n|\r/g;

function placeInBlock({ inValue, inFile }: Layout, at: number): number {
  const line = Math.max(
    0,
    lastBeginning(inValue, at, (start) => start),
  );
  return (inFile[line] as number) + at - (inValue[line] as number);
}
