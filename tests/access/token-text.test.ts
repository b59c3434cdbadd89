import { expect, test } from 'vitest';
import { openUnderToken, sealUnderToken } from '../../server/access/token-seal.ts';
import {
  createTokenText,
  exampleToken,
  isOwnToken,
  isTokenText,
  tokenIdHash,
  withChecksum,
} from '../../server/access/token-text.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const known = 'dast_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg3ygLrq';
const secret = '00000000000000001111111111111111';
const platformToken = 'ghp_exampleexampleexampleexampleexample0';
const sealed = 'AAECAwQFBgcICQoLoQYl6bZbnzj703_VmqaJX3bjV69NeK5meW8E__0-Wiv0ihMJ3pay0_IH2RRVD6-uqqfIgXa3c_w';
const iv = Buffer.from('000102030405060708090a0b', 'hex');

test('the checksum is CRC-32 in base 62', () => {
  expect(withChecksum(known.slice(0, -6))).toBe(known);
  expect(isTokenText(known)).toBe(true);
});

test('the token of the documentation is well formed and never accepted', () => {
  expect(exampleToken).toBe('dast_00000000000000000000000000000000000000000000D6woP');
  expect(isTokenText(exampleToken)).toBe(false);
});

test('a token is known by its hash', () => {
  expect(tokenIdHash(known).toString('hex')).toBe('36fa9101eb790090e6b714e8b44cc5051280f0cf067c7e996ed5088c32b003bf');
});

test('a platform token is encrypted under the access token, a secret and the row', () => {
  expect(sealUnderToken(known, platformToken, secret, iv)).toBe(sealed);
  expect(openUnderToken(known, sealed, [secret])).toEqual({ text: platformToken, isOutdated: false });
  expect(openUnderToken(known, sealed, ['another secret', secret])).toEqual({ text: platformToken, isOutdated: true });
  expect(openUnderToken(known, sealed, ['another secret'])).toBeNull();
  expect(openUnderToken(createTokenText(), sealed, [secret])).toBeNull();
});

test('a text that differs in any one character behind the prefix is no token', () => {
  const prefix = 'dast_'.length;
  const changed = [...known].flatMap((character, index) =>
    index < prefix
      ? []
      : [...alphabet]
          .filter((other) => other !== character)
          .map((other) => known.slice(0, index) + other + known.slice(index + 1)),
  );
  expect(changed).toHaveLength(49 * 61);
  expect(changed.filter((text) => isTokenText(text))).toEqual([]);
});

test('texts are 54 characters of one alphabet, and never the same twice', () => {
  const made = Array.from({ length: 2000 }, createTokenText);
  expect(made.every((text) => /^dast_[0-9A-Za-z]{49}$/.test(text) && isTokenText(text))).toBe(true);
  expect(new Set(made).size).toBe(made.length);
  // Of 86,000 characters each of 62 comes 1,387 times, with a deviation of 37.
  const counts = Map.groupBy(
    made.flatMap((text) => [...text.slice(5, 48)]),
    (character) => character,
  );
  expect([...counts.values()].every(({ length }) => length > 1150 && length < 1650)).toBe(true);
  expect(counts.size).toBe(62);
});

test.each([
  ['dast_', true],
  ['dasx', true],
  ['ghp_abc', false],
  ['github_pat_abc', false],
])('%s is for this service: %s', (bearer, isOwn) => {
  expect(isOwnToken(bearer)).toBe(isOwn);
});
