import { expect, test } from 'vitest';
import { cleanText } from '../../server/platform/untrusted-text.ts';

const clean = (text: string, maxCodePoints = 200) => cleanText(text, maxCodePoints);

/** Vector V22 of the contract on open interfaces. */
test('what cannot be seen is removed', () => {
  expect(clean('x\u202ey\u{e0041}\u200bz')).toEqual({ text: 'xyz', truncated: false });
  const removed = ['\0', '\x07', '\x1b', '\x7f', '\x9f', '\u200b', '\u200f', '\u2028', '\u202e', '\u2060', '\u2069'];
  for (const one of [...removed, '\ufeff', '\u{e0000}', '\u{e0fff}', '\ud800', '\udc00'])
    expect(clean(`a${one}b`), JSON.stringify(one)).toEqual({ text: 'ab', truncated: false });
});

test('what can be seen stays, in composed form and with single spaces', () => {
  expect(clean('Build é ✅ 日本').text).toBe('Build é ✅ 日本');
  expect(clean('e\u0301').text).toBe('\u00e9');
  expect(clean('a  \u00a0 b').text).toBe('a b');
  expect(clean('<b>"$(id)"</b>').text).toBe('<b>"$(id)"</b>');
});

test('a long text is cut between two graphemes', () => {
  expect(clean('abcd', 4)).toEqual({ text: 'abcd', truncated: false });
  expect(clean('abcde', 4)).toEqual({ text: 'abcd', truncated: true });
  // Two flags of two code points each: three code points hold one of them.
  expect(clean('🇫🇷🇩🇪', 3)).toEqual({ text: '🇫🇷', truncated: true });
  expect(clean('🇫🇷🇩🇪', 4)).toEqual({ text: '🇫🇷🇩🇪', truncated: false });
  expect(clean('a'.repeat(30_000), 200)).toEqual({ text: 'a'.repeat(200), truncated: true });
});
