import type { Instant } from '../kernel/facts.ts';

/** A line of a job's log. */
export interface LogLine {
  /** null for a line that does not begin with one, such as the rest of a text with several lines. */
  at: Instant | null;
  text: string;
}

/** What is read of a log: what comes after it does not count. */
export const maxLogBytes = 8 * 1024 * 1024;
/** No line that counts is longer; of others only the start is read. */
const maxLineBytes = 4096;

/**
 * Cuts a log that arrives in pieces into lines, in bounded memory. `push` answers false once enough was read; `end` gives
 * the line that lacks an end, and tells whether everything was read.
 */
export function logLines(onLine: (line: LogLine) => void) {
  const line = new Uint8Array(maxLineBytes);
  let length = 0;
  let read = 0;
  const add = (piece: Uint8Array) => {
    const room = piece.subarray(0, maxLineBytes - length);
    line.set(room, length);
    length += room.length;
  };
  const finish = () => {
    onLine(toLine(decoder.decode(line.subarray(0, length))));
    length = 0;
  };
  return {
    push(chunk: Uint8Array): boolean {
      const piece = chunk.subarray(0, maxLogBytes - read);
      let start = 0;
      for (let end = piece.indexOf(newLine); end !== -1; end = piece.indexOf(newLine, start)) {
        add(piece.subarray(start, end));
        finish();
        start = end + 1;
      }
      add(piece.subarray(start));
      read += chunk.length;
      return read <= maxLogBytes;
    },
    end(): { isWhole: boolean } {
      if (length > 0) finish();
      return { isWhole: read <= maxLogBytes };
    },
  };
}

const newLine = 0x0a;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Instants have seven decimals, and a mark of the encoding may stand before them. */
function toLine(raw: string): LogLine {
  const [, seconds, text] = /^\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*Z ?(.*)$/s.exec(raw) ?? [];
  const at = seconds === undefined ? Number.NaN : Date.parse(`${seconds}Z`);
  const isDated = Number.isFinite(at);
  const shown = isDated && text !== undefined ? text : raw;
  return { at: isDated ? at : null, text: shown.replace(/^\uFEFF/, '').replace(/\r$/, '') };
}
