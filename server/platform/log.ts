import { format } from 'node:util';
import pino from 'pino';

/** Structured log lines, on standard output where no file is named. Tokens, keys and addresses of people are never passed in. */
export type Log = pino.Logger;

/** Each line is written before the next thing happens: what is still in a buffer when a process ends is what matters most. */
export const createLog = (level: string, file: string | number = 1): Log =>
  pino({ level, base: undefined }, pino.destination({ dest: file, sync: true }));

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
