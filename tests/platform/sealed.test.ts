import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sealedBox } from '../../server/platform/sealed.ts';

const one = 'one-secret-one-secret-one-secret-1';
const two = 'two-secret-two-secret-two-secret-2';
const box = sealedBox([one], 'session/v1');

describe('a sealed box', () => {
  test('gives back what was sealed, in characters that fit a cookie', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const sealed = box.seal(text);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(box.open(sealed)).toEqual({ text, outdated: false });
      }),
    );
  });

  test('never seals the same text the same way', () => {
    expect(new Set(Array.from({ length: 100 }, () => box.seal('text'))).size).toBe(100);
  });

  test('does not open when any single bit was changed', () => {
    const bytes = Buffer.from(box.seal('{"a":1}'), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(box.open(changed.toString('base64url'))).toBeNull();
    }
  });

  test('does not open when cut or prolonged, and never throws', () => {
    const sealed = box.seal('text');
    for (let length = 0; length < sealed.length - 1; length++) expect(box.open(sealed.slice(0, length))).toBeNull();
    expect(box.open(`${sealed}AAAA`)).toBeNull();
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(box.open(text)).toBeNull();
      }),
    );
  });

  test('opens with an earlier secret, and says so; the first one seals', () => {
    const rotated = sealedBox([two, one], 'session/v1');
    expect(rotated.open(box.seal('text'))).toEqual({ text: 'text', outdated: true });
    expect(rotated.open(rotated.seal('text'))).toEqual({ text: 'text', outdated: false });
    expect(box.open(rotated.seal('text'))).toBeNull();
  });

  test('is of no use for another purpose', () => {
    expect(sealedBox([one], 'settings/v1').open(box.seal('text'))).toBeNull();
  });

  test('needs a secret', () => {
    expect(() => sealedBox([], 'session/v1')).toThrow('a sealed box needs a secret');
  });
});
