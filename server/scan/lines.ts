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
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) starts.push(at + 1);
  }
  const start = (line: number) => starts[line - 1] ?? text.length;
  return {
    start,
    of: (offset) => Math.max(1, lastBeginning(starts, offset, (at) => at) + 1),
    text: (line) => text.slice(start(line), start(line + 1)).replace(/[\r\n]+$/, ''),
  };
}

const [lineFeed, carriageReturn] = [10, 13];
