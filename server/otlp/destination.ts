import { z } from 'zod';
import type { Env } from '../platform/env.ts';
import { settingsBox } from '../settings/sealing.ts';
import { environmentId, type StoredDestination } from '../store/otlp-destinations.ts';
import type { SpanOptions } from './attempt-spans.ts';
import { traceHost } from './ids.ts';
import type { Receiver } from './send.ts';

export type Headers = Readonly<Record<string, string>>;

/** Headers sealed with the key of the settings, for one origin: moved to another they do not open. */
export const sealHeaders = (env: Env, endpoint: string, headers: Headers): string =>
  headersBox(env).seal(JSON.stringify([new URL(endpoint).origin, headers]));

/** The headers of a destination; null when they do not open, or were sealed for another origin. */
export function openHeaders(env: Env, endpoint: string, sealed: string | null): Headers | null {
  if (sealed === null) return {};
  const text = headersBox(env).open(sealed)?.text;
  const opened = text === undefined ? null : sealedHeaders.safeParse(JSON.parse(text)).data;
  return opened?.[0] === new URL(endpoint).origin ? opened[1] : null;
}

/** Seals anew what an earlier key sealed; null where that is not so. */
export function sealHeadersAnew(env: Env, sealed: string): string | null {
  const opened = headersBox(env).open(sealed);
  return opened?.outdated ? headersBox(env).seal(opened.text) : null;
}

const headersBox = (env: Env) => settingsBox(env, 'otlp/headers/v1');

const sealedHeaders = z.tuple([z.string(), z.record(z.string(), z.string())]);

/** How a destination is called; null where its headers do not open. */
export function toReceiver({ id, endpoint, headersSealed, options }: StoredDestination, env: Env): Receiver | null {
  const headers = openHeaders(env, endpoint, headersSealed);
  if (headers === null) return null;
  const allowedHosts = id === environmentId ? null : env.OTLP_ALLOWED_HOSTS;
  return { endpoint, headers, protocol: options.protocol, compression: options.compression, allowedHosts };
}

/** What a destination decides about its spans. */
export const toSpanOptions = (
  { options }: Pick<StoredDestination, 'options'>,
  env: Env,
): SpanOptions & { host: string } => ({
  webUrl: env.CODEHOST_WEB_URL,
  host: traceHost(env.CODEHOST_WEB_URL),
  serviceName: options.service_name,
  includeActor: options.include_actor,
});
