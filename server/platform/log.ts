import pino from 'pino';

/** Structured log lines on standard output. Tokens, keys and addresses of people are never passed in. */
export type Log = pino.Logger;

export const createLog = (level: string): Log => pino({ level, base: undefined });
