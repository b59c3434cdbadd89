import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What the texts of access tokens begin with: it tells secret scanners whose they are, and keeps them from GitHub. */
export const tokenPrefix = 'dast_';

/** The same of feeds, of badges and of share links, which stand in addresses. */
export const feedPrefix = 'dasf_';
export const badgePrefix = 'dasb_';
export const linkPrefix = 'dass_';

type TokenPrefix = typeof tokenPrefix | typeof feedPrefix | typeof badgePrefix | typeof linkPrefix;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;
const checksumLength = 6;
const shape = /^[0-9A-Za-z]{49}$/;

/** Stands in examples; rejected everywhere, even if somebody stored it. */
export const exampleToken = toExample(tokenPrefix);

/** The text of a new token: 256 random bits, drawn uniformly, and a checksum. */
export const createTokenText = (prefix: TokenPrefix = tokenPrefix): string =>
  withChecksum(prefix + Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join(''));

/** Whether a text was issued by this service or another installation of it, as far as its checksum shows. */
export function isTokenText(text: string, prefix: TokenPrefix = tokenPrefix): boolean {
  if (!text.startsWith(prefix) || !shape.test(text.slice(prefix.length))) return false;
  return withChecksum(text.slice(0, -checksumLength)) === text && text !== toExample(prefix);
}

function toExample(prefix: TokenPrefix): string {
  return withChecksum(prefix + '0'.repeat(randomLength));
}

/** Whether a bearer is meant for this service: it is never sent to the platform, well formed or not. */
export const isOwnToken = (bearer: string): boolean => bearer.startsWith('das');

/** By what an access token is stored: SHA-256, 32 bytes. The text has 256 random bits, so that no slow hash is needed. */
export const tokenIdHash = (text: string): Buffer => hash('sha256', `access-token/id/v1\0${text}`, 'buffer');

/** The text with its CRC-32 (IEEE) in base 62, padded to six characters. */
export function withChecksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / alphabet.length))
    digits = alphabet[rest % alphabet.length] + digits;
  return text + digits.padStart(checksumLength, '0');
}
