import { z } from 'zod';

/** Longest address that SMTP can carry. */
const longest = 254;
const bare = /^[^\s\p{C}@<>()[\]",;:\\]{1,64}@[^\s\p{C}@<>()[\]",;:\\]{1,253}$/u;
const named = /^([^\p{C}<>"\\]{1,100}?) ?<([^<>]+)>$/u;

const isBare = (text: string): boolean => text.length <= longest && bare.test(text);

/** One address and nothing else: no name, no second address. */
export const mailAddress = z.string().refine(isBare, 'is not one email address').meta({ format: 'email' });

/** Who mail is from: an address, or `Name <address>`. */
export const senderAddress = z.string().refine((text) => parseSender(text) !== null, {
  error: 'is neither an email address nor `Name <address>`',
});

/** The parts of a sender; null where it is none. */
export function parseSender(text: string): { name: string; address: string } | null {
  if (isBare(text)) return { name: '', address: text };
  const [, name = '', address = ''] = named.exec(text) ?? [];
  return isBare(address) ? { name: name.trim(), address } : null;
}

/** A sender as a header names it: a name with signs that mean something there is quoted. */
export function senderHeader(text: string): string {
  const { name, address } = parseSender(text) ?? { name: '', address: text };
  if (name === '') return address;
  return `${/^[\p{L}\p{M}\p{N} &'+_-]+$/u.test(name) ? name : `"${name}"`} <${address}>`;
}

/** A text for logs and columns: the addresses in it are shown as `a•••@example.com`. */
export const withoutAddresses = (text: string): string => text.replace(anyAddress, '$1•••$2');

const anyAddress = /([^\s@<>()[\]",;:'=])[^\s@<>()[\]",;:'=]*(@[^\s@<>()[\]",;:']+)/gu;
