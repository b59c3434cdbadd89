import pino from 'pino';
import type { Services } from '../../server/access/context.ts';

type Line = Readonly<Record<string, unknown>>;

/** The lines that the log gets while this work is done. */
export async function logLines(services: Services, work: () => Promise<unknown>): Promise<Line[]> {
  const lines: Line[] = [];
  const before = services.log;
  services.log = pino({ base: undefined }, { write: (line) => lines.push(JSON.parse(line)) });
  try {
    await work();
  } finally {
    services.log = before;
  }
  return lines;
}
