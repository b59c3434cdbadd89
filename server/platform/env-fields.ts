// What single variables of the environment may hold.
import { z } from 'zod';
import { isWeakSecret } from './weak-secret.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name is this machine itself, by its form alone. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);

const placeholder = /replace|change|example|secret_here|^(.)\1*$/i;

export const previousSecret = z
  .string()
  .min(32, { error: 'must have at least 32 characters', abort: true })
  .refine((value) => !placeholder.test(value), { error: 'is a placeholder; generate a random value', abort: true });
export const secret = previousSecret.refine(
  (value) => !isWeakSecret(value),
  'is easily guessed; generate a random value',
);
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );
const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/i, 'is no organization');
export const slugs = list.pipe(z.array(slug));
export const scopes = z
  .string()
  .regex(/^(none|[a-z:_]+( [a-z:_]+)*)$/, 'must be scope names with one space between them')
  .default('read:user read:org repo');
export const integer = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const address = z.url({ protocol: /^https?$/, error: 'is not an http or https address', abort: true });
export const origin = address.refine((text) => new URL(text).pathname === '/', 'has no path');
export const base = address.transform((text) => text.replace(/\/+$/, ''));
export const providerKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be visible characters without spaces');
export const encryptionKey = z
  .string()
  .refine(isThirtyTwoBytes, 'must be 32 bytes in base64 or hexadecimal')
  .refine((value) => !placeholder.test(value), 'is a placeholder; generate a random value');
export const smtpUrl = z
  .url({ protocol: /^smtps?$/, error: 'is not smtp:// or smtps://', abort: true })
  .refine((text) => {
    const { pathname, search, hash } = new URL(text);
    return /^\/?$/.test(pathname) && search === '' && hash === '';
  }, 'has nothing behind the host and its port');
/** The name of an AI model, as its provider has it. */
export const model = z.string().regex(/^[A-Za-z0-9._:/-]{1,120}$/, 'is no name of a model');
export const host = z.string().regex(/^[a-z0-9.:_-]+$/, 'is no host');
export const databaseUrl = z
  .string()
  .regex(/^(postgres(ql)?|pglite):\/\/.+/, 'must begin with postgres:// or pglite://');

/** A port of an address of this machine, `127.0.0.1:9464` or `[::1]:9464`. */
export const listenAddress = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/i, { error: 'must be host:port', abort: true })
  .transform((text) => {
    const colon = text.lastIndexOf(':');
    return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
  })
  .refine(({ port }) => port > 0 && port <= 65_535, 'must be host:port');

function isThirtyTwoBytes(text: string): boolean {
  if (/^[0-9a-f]{64}$/i.test(text)) return true;
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
}
