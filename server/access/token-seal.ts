import { hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from '../platform/sealed.ts';
import { tokenIdHash } from './token-text.ts';

/**
 * Encrypts a platform token under the access token that stands for it: the key needs the text of the access token, which
 * is stored nowhere, and a secret of this installation. Bound to the row by its hash.
 */
export function sealUnderToken(accessToken: string, platformToken: string, secret: string, iv?: Buffer): string {
  return encrypt(keyOf(accessToken, secret), platformToken, { aad: tokenIdHash(accessToken), iv });
}

/** The platform token, and whether it was sealed with an earlier secret; null when no secret opens it. */
export function openUnderToken(
  accessToken: string,
  sealed: string,
  secrets: readonly string[],
): { text: string; isOutdated: boolean } | null {
  const bytes = Buffer.from(sealed, 'base64url');
  for (const [index, secret] of secrets.entries()) {
    const text = decrypt(keyOf(accessToken, secret), bytes, tokenIdHash(accessToken));
    if (text !== null) return { text, isOutdated: index > 0 };
  }
  return null;
}

const keyLength = 32;

/** HKDF-SHA256, twice: of the installation's secret, and with that as its salt of the access token. */
const keyOf = (accessToken: string, secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', accessToken, pepperOf(secret), 'access-token/seal/v1', keyLength));

const peppers = new Map<string, Buffer>();

/** Made once of each secret of the installation, for it is the same for all tokens. */
function pepperOf(secret: string): Buffer {
  const pepper =
    peppers.get(secret) ?? Buffer.from(hkdfSync('sha256', secret, '', 'access-token/pepper/v1', keyLength));
  peppers.set(secret, pepper);
  return pepper;
}
