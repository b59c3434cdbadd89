import pino from 'pino';

/** Structured log lines on standard output. Tokens, keys and addresses of people are never passed in. */
export type Log = pino.Logger;

/** Each line is written before the next thing happens: what is still in a buffer when a process ends is what matters most. */
export const createLog = (level: string): Log => pino({ level, base: undefined }, pino.destination({ sync: true }));
