import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Env } from '../platform/env.ts';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import type { Context } from './context.ts';

/**
 * Whether an address is the scheduler's, however it is mistyped after that: what is sent there as a bearer is
 * `CRON_SECRET`, so it is never taken for somebody's token.
 */
export const isForScheduler = ({ pathname }: URL): boolean => /^\/api\/+cron/i.test(pathname);

/** Whether a bearer is `CRON_SECRET`; never where none is configured. */
export function isCronSecret(given: string, { CRON_SECRET: secret }: Pick<Env, 'CRON_SECRET'>): boolean {
  return secret !== undefined && isSame(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));
}

/** @throws Problem `cron_unauthorized` unless the request carries `CRON_SECRET`; never where none is configured. */
export function assertCronBearer({ headers, services }: Context): void {
  const given = bearerToken(headers);
  if (given && isCronSecret(given, services.env)) return;
  throw new Problem('cron_unauthorized', 'Send the cron secret as a bearer token.');
}

const maxMetricsFailures = 60;

/**
 * Failures of an address are counted; whoever sends the token is answered there all the same.
 * @throws Problem `metrics_unauthorized` unless the request carries `METRICS_TOKEN`, `not_found` where none is
 * configured, `rate_limited` after 60 failures within a minute
 */
export async function assertMetricsBearer({ headers, services, address }: Context): Promise<void> {
  const { env, sessionLimits, clock } = services;
  if (env.METRICS_TOKEN === undefined) throw new Problem('not_found', 'Not found.');
  const [given, expected] = [bearerToken(headers) ?? '', env.METRICS_TOKEN];
  if (isSame(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))) return;
  assertWithinLimit(await sessionLimits.hit(`metrics:${address}`, maxMetricsFailures, 60_000, clock.now()));
  throw new Problem('metrics_unauthorized', 'Send the metrics token as a bearer token.');
}

const signatureShape = /^sha256=([0-9a-f]{64})$/;

/**
 * What can be determined of a signature before the body is read.
 * @throws Problem `webhook_not_configured`, `invalid_signature`
 */
export function assertSigned({ headers, services }: Context): void {
  if (!services.env.CODEHOST_WEBHOOK_SECRET)
    throw new Problem('webhook_not_configured', 'Webhooks are off: no webhook secret is configured.');
  if (!signatureShape.test(headers.get('x-hub-signature-256') ?? '')) throw unsigned();
}

/** @throws Problem `invalid_signature` unless the platform signed exactly these bytes. */
export function assertSignedBytes({ headers, services }: Context, bytes: Uint8Array): void {
  const [, given = ''] = signatureShape.exec(headers.get('x-hub-signature-256') ?? '') ?? [];
  const expected = createHmac('sha256', services.env.CODEHOST_WEBHOOK_SECRET ?? '')
    .update(bytes)
    .digest();
  if (!isSame(Buffer.from(given, 'hex'), expected)) throw unsigned();
}

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

const unsigned = () => new Problem('invalid_signature', 'The webhook signature is invalid.');

/**
 * The platform token a script sends as `Authorization: Bearer`. Other schemes belong to proxies in front of the
 * service and do not identify the caller.
 */
export function bearerToken(headers: Headers): string | null {
  const [, token] = /^Bearer (.*)$/is.exec(headers.get('authorization') ?? '') ?? [];
  return token ?? null;
}

/** Whether the caller sends a token, so that a cookie sent along is not looked at. */
export const sendsToken = (headers: Headers): boolean => bearerToken(headers) !== null;
