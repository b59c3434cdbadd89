import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { CsvParts } from './csv.ts';

/**
 * A table of many answers, one of which is held at a time: the next is read once the one before was sent, and the
 * requests of others come first. Fails where one of them does, so that half a file never looks like a whole one.
 */
export function streamPages(
  parts: CsvParts,
  first: unknown,
  readNext: (body: unknown) => Promise<unknown>,
): ReadableStream<Uint8Array> {
  // Whoever sends the bytes pulls them outside of the request that they belong to.
  const inRequest = AsyncLocalStorage.snapshot();
  const texts = writePages(parts, first, readNext);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await inRequest(() => texts.next());
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* writePages(
  { head, toLines }: CsvParts,
  first: unknown,
  readNext: (body: unknown) => Promise<unknown>,
): AsyncGenerator<string, void, void> {
  let before: ReadonlySet<string> = new Set();
  let text = head;
  for (let body = first; body !== null; body = await readNext(body)) {
    const lines = new Set<string>();
    let written = 0;
    for (const line of toLines(body)) {
      lines.add(line);
      // What came on top meanwhile moves rows onto the next page.
      if (!before.has(line)) text += line;
      if (++written % linesAtOnce > 0) continue;
      yield text;
      text = '';
      await afterOthers();
    }
    yield text;
    text = '';
    before = lines;
    await afterOthers();
  }
}

/** A table that is computed as a whole has up to 100 times as many. */
const linesAtOnce = 1000;
