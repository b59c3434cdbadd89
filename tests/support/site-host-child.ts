// A process in which the built service is loaded once, and opened for each site that a test starts.
import { pathToFileURL } from 'node:url';
import type { open } from '../../server/main.ts';
import { fixedClock } from '../../server/platform/clock.ts';
import { createLog, logEverything } from '../../server/platform/log.ts';
import { demoDay } from './demo-day.ts';
import { reusedMemory } from './reused-memory.ts';

export type SiteRequest =
  | { id: number; open: { variables: Record<string, string>; logFile: string } }
  | { id: number; close: number };

export interface SiteReply {
  id: number;
  /** Why it could not be done. */
  error?: string;
}

const [, , bundle = ''] = process.argv;
const built: { open: typeof open } = await import(pathToFileURL(bundle).href);
const servers = new Map<number, Awaited<ReturnType<typeof open>>>();

// What is printed is of no site in particular.
logEverything(createLog('info'));

async function handle(request: SiteRequest): Promise<void> {
  if ('close' in request) {
    const server = servers.get(request.close);
    servers.delete(request.close);
    return server?.close();
  }
  const { variables, logFile } = request.open;
  const log = createLog(variables.LOG_LEVEL ?? 'info', logFile);
  const server = await built.open(variables, { openMemory: reusedMemory, log, demoClock: fixedClock(demoDay) });
  servers.set(request.id, server);
  await server.listen(Number(variables.PORT), variables.HOST ?? '127.0.0.1');
}

process.on('message', (request: SiteRequest) => {
  const reply = (error?: unknown) =>
    process.send?.({ id: request.id, ...(error !== undefined && { error: String(error) }) });
  handle(request).then(() => reply(), reply);
});
process.once('disconnect', () => process.exit(0));
process.send?.({ id: 0 });
