import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SealedBox {
  /** Encrypts and authenticates a text; the result is safe in a cookie or a column. */
  seal(text: string): string;
  /** The text, and whether it was sealed with an earlier secret; null when it does not open. */
  open(sealed: string): { text: string; outdated: boolean } | null;
}

/**
 * AES-256-GCM under keys derived from secrets by HKDF-SHA256.
 * The first secret seals; every secret opens, so that secrets can be rotated.
 * `purpose` separates boxes that share a secret.
 */
export function sealedBox(secrets: readonly string[], purpose: string): SealedBox {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  const newest = keys[0];
  if (!newest) throw new Error('a sealed box needs a secret');
  return {
    seal: (text) => encrypt(newest, text),
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // One spelling only: decoding overlooks unused bits and foreign characters.
      if (bytes.toString('base64url') !== sealed) return null;
      for (const [index, key] of keys.entries()) {
        const text = decrypt(key, bytes);
        if (text !== null) return { text, outdated: index > 0 };
      }
      return null;
    },
  };
}

const ivLength = 12;
const tagLength = 16;

/** Additional data that the text is bound to, and a fixed nonce for test vectors. */
interface Binding {
  aad?: Buffer;
  iv?: Buffer;
}

/** AES-256-GCM: base64url of nonce, tag and ciphertext. */
export function encrypt(key: Buffer, text: string, { aad, iv = randomBytes(ivLength) }: Binding = {}): string {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  if (aad) cipher.setAAD(aad);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** The text; null when it was not encrypted under this key, or was bound to something else. */
export function decrypt(key: Buffer, bytes: Buffer, aad?: Buffer): string | null {
  if (bytes.length < ivLength + tagLength) return null;
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), { authTagLength: tagLength });
  if (aad) cipher.setAAD(aad);
  cipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  try {
    return Buffer.concat([cipher.update(bytes.subarray(ivLength + tagLength)), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
