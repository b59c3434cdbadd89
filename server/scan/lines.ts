import { lastBeginning } from './bisection.ts';

/** The lines of a text, numbered from 1. */
export interface Lines {
  /** The line in which an offset lies. */
  of(offset: number): number;
  /** A line without its break. */
  text(line: number): string;
  /** Where a line begins. */
  start(line: number): number;
}

/** Finds lines by bisection; breaks are those of YAML: CR LF, LF and CR. */
export function splitLines(text: string): Lines {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  const start = (line: number) => starts[line - 1] ?? text.length;
  return {
    start,
    of: (offset) => Math.max(1, lastBeginning(starts, offset, (at) => at) + 1),
    text: (line) => text.slice(start(line), start(line + 1)).replace(/[\r\n]+$/, ''),
  };
}
