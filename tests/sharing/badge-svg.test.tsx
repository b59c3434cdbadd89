// @vitest-environment jsdom
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BadgeTone, drawBadge } from '../../server/sharing/badge-svg.ts';
import { rounds } from '../support/rounds.ts';

const elements = new Set(['svg', 'title', 'clipPath', 'g', 'rect', 'text']);
const tones: BadgeTone[] = ['pass', 'fail', 'figure', 'none'];

const nasty = [
  '<script>alert(1)</script>',
  '"><image href="https://evil.example/x" onload="alert(1)"/>',
  "' onmouseover='alert(1)",
  ']]><foreignObject><iframe src="javascript:alert(1)"/></foreignObject>',
  '&lt;script&gt;',
  '<!--',
  '<?xml-stylesheet href="x"?>',
  '\u0000\u0007\u001b[31m',
  '\ud800',
  '\uffff\ufffe',
  'مرحبا\u202ekcatta',
  '日本語のラベル',
  '👩‍👩‍👧‍👦',
  '{{7*7}}',
  '<!ENTITY x SYSTEM "file:///etc/passwd">&x;',
];

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('').slice(0, 40));

test('whatever a label is, the image is well formed and holds the elements of its template alone', () => {
  const parser = new DOMParser();
  const badge = fc.record({
    label: hostile,
    message: hostile,
    title: hostile,
    tone: fc.constantFrom(...tones),
    style: fc.constantFrom('flat' as const, 'square' as const),
  });
  fc.assert(
    fc.property(badge, (text) => {
      const { documentElement } = parser.parseFromString(drawBadge(text), 'image/svg+xml');
      const all = [documentElement, ...documentElement.querySelectorAll('*')];
      expect(all.filter(({ tagName }) => !elements.has(tagName))).toEqual([]);
      const attributes = new Set(all.flatMap((one) => one.getAttributeNames()));
      expect([...attributes].filter((name) => /^on|href|style|src/i.test(name))).toEqual([]);
      expect(documentElement.getAttribute('role')).toBe('img');
      expect(documentElement.querySelectorAll('text')).toHaveLength(2);
    }),
    { numRuns: rounds('BADGE_LABELS', 400, 5000) },
  );
});

test('a plain label stands as it is', () => {
  const svg = drawBadge({ label: 'CI', message: '95 %', title: 'CI: 95 %', tone: 'figure', style: 'flat' });
  expect(svg).toContain('>CI</text>');
  expect(svg).toContain('>95 %</text>');
});
