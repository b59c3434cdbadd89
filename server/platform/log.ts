import { format } from 'node:util';
import pino from 'pino';

/** Structured log lines, on standard output where no file is named. Tokens, keys and addresses of people are never passed in. */
export type Log = pino.Logger;

/** Each line is written before the next thing happens: what is still in a buffer when a process ends is what matters most. */
export const createLog = (level: string, file: string | number = 1): Log =>
  pino({ level, base: undefined, hooks: { streamWrite: withoutTokens } }, pino.destination({ dest: file, sync: true }));

/** An access token that somebody put into an address is not logged, as it is or percent-encoded. */
const withoutTokens = (line: string): string =>
  line.replace(/(?:d|%64)(?:a|%61)(?:s|%73)(?:[a-z]|%[67][0-9a-f])(?:_|%5f)[0-9a-z%]{6,}/gi, '***');

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error', trace: 'debug' } as const;

/**
 * Writes whatever libraries and Node itself would print from now on as lines of the log: texts of the console,
 * warnings, and the error that ends the process.
 */
export function logEverything(log: Log): void {
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, (typeof levels)[keyof typeof levels]][])
    console[method] = (...printed: unknown[]) => {
      const err = printed.find((one) => one instanceof Error);
      log[level](err ? { err } : {}, format(...printed.filter((one) => one !== err)) || 'printed by a library');
    };
  process.removeAllListeners('warning').on('warning', (err) => log.warn({ err }, 'a warning of Node'));
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an uncaught error ends the process');
    process.exit(1);
  });
}
