import pino from 'pino';

/** Structured log lines on standard output. Tokens, keys and addresses of people are never passed in. */
export type Log = pino.Logger;

/**
 * Lines are handed over without waiting for them to be written: what comes while one is being written goes out together
 * with the next. What is left is written when the process ends, by itself or by a crash.
 */
export const createLog = (level: string): Log => pino({ level, base: undefined }, pino.destination({ sync: false }));
