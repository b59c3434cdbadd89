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
/** Without encryption only where it does not leave the machine. */
export const origins = list.pipe(
  z.array(
    origin
      .refine((text) => URL.parse(text)?.protocol === 'https:' || isLoopback(URL.parse(text)?.hostname ?? ''), {
        error: 'is neither https nor loopback',
      })
      .transform((text) => new URL(text).origin),
  ),
);
export const base = address.transform((text) => text.replace(/\/+$/, ''));
/** An address to which paths are added: nothing may come behind its path, and no names before its host. */
export const endpoint = base.refine((text) => {
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}, 'has a user name, a query or a fragment');
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
const host = z.string().regex(/^[a-z0-9.:_-]+$/, 'is no host');
/** Hosts in lower case, comma-separated. */
export const hosts = list.transform((names) => names.map((one) => one.toLowerCase())).pipe(z.array(host));
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

/** Why a header may not be added to requests, as the end of a sentence; null when it may. */
export function whyUnusableHeader(name: string, value: string): string | null {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(name)) return 'has a name that no header has';
  if (/^(host|content-.*|transfer-encoding|connection)$/i.test(name))
    return `has the header ${name}, which is not free`;
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,4094}[\x21-\x7e])?$/.test(value))
    return 'has a value that is not visible ASCII of at most 4 KiB';
  return null;
}

/** Headers as `name=value`, comma-separated and percent-encoded. */
export const headers = list.transform((pairs, context): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const pair of pairs) {
    const [name = '', ...rest] = pair.split('=');
    const value = decode(rest.join('='));
    const reason = value === null ? 'is not percent-encoded' : whyUnusableHeader(name.trim(), value);
    if (reason) context.addIssue({ code: 'custom', message: reason });
    else found[name.trim()] = value ?? '';
  }
  return found;
});

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return null;
  }
}
