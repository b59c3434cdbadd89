import { hash } from 'node:crypto';

/** One attempt of a run, by numbers that never change; `host` is that of the platform's web address, lower case. */
export interface AttemptIdentity {
  host: string;
  /** The platform's id of the repository. */
  repoId: number;
  runId: number;
  attempt: number;
}

/** The host of an address with its port where one is written, lower case. */
export const traceHost = (webUrl: string): string => new URL(webUrl).host.toLowerCase();

/** Trace id of an attempt: 32 hexadecimal digits (contract-open §4.3). */
export const traceId = (identity: AttemptIdentity): string => digest(['das:trace:v1', ...toParts(identity)], 16);

/** Span id of the attempt itself: 16 hexadecimal digits. */
export const attemptSpanId = (identity: AttemptIdentity): string => spanId('attempt', identity, []);

/** Span id of the wait of a job in the queue, by the platform's id of the job. */
export const queueSpanId = (identity: AttemptIdentity, jobId: number): string => spanId('queue', identity, [jobId]);

export const jobSpanId = (identity: AttemptIdentity, jobId: number): string => spanId('job', identity, [jobId]);

/** Span id of a step by its number, because names of steps may be equal. */
export const stepSpanId = (identity: AttemptIdentity, jobId: number, step: number): string =>
  spanId('step', identity, [jobId, step]);

const spanId = (kind: string, identity: AttemptIdentity, rest: readonly number[]) =>
  digest(['das:span:v1', kind, ...toParts(identity), ...rest], 8);

const toParts = ({ host, repoId, runId, attempt }: AttemptIdentity) => [host, repoId, runId, attempt];

const digest = (parts: readonly (string | number)[], bytes: number) =>
  withoutZero(hash('sha256', parts.join('|')).slice(0, 2 * bytes));

/** The format forbids ids of zeros alone. */
export const withoutZero = (id: string): string => (/^0+$/.test(id) ? `${id.slice(0, -1)}1` : id);
