import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What the texts of access tokens begin with: it tells secret scanners whose they are, and keeps them from GitHub. */
export const tokenPrefix = 'dast_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;
const checksumLength = 6;
const shape = /^dast_[0-9A-Za-z]{49}$/;

/** Stands in examples; rejected everywhere, even if somebody stored it. */
export const exampleToken = withChecksum(`${tokenPrefix}${'0'.repeat(randomLength)}`);

/** The text of a new access token: 256 random bits, drawn uniformly, and a checksum. */
export const createTokenText = (): string =>
  withChecksum(tokenPrefix + Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join(''));

/** Whether a text was issued by this service or another installation of it, as far as its checksum shows. */
export function isTokenText(text: string): boolean {
  return shape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text && text !== exampleToken;
}

/** Whether a bearer is meant for this service: it is never sent to the platform, well formed or not. */
export const isOwnToken = (bearer: string): boolean => bearer.startsWith('das');

/** By what an access token is stored: SHA-256, 32 bytes. The text has 256 random bits, so that no slow hash is needed. */
export const tokenIdHash = (text: string): Buffer =>
  createHash('sha256').update('access-token/id/v1\0').update(text).digest();

/** The text with its CRC-32 (IEEE) in base 62, padded to six characters. */
export function withChecksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / alphabet.length))
    digits = alphabet[rest % alphabet.length] + digits;
  return text + digits.padStart(checksumLength, '0');
}
