import { expect, test } from 'vitest';
import { differences } from '../../app/routes/admin/differences.ts';

const described = (before: unknown, after: unknown) =>
  differences(before, after).map(({ name, removed, added }) => `${name}: ${removed} → ${added}`);

test.each<[unknown, unknown, string[]]>([
  [['dev'], ['dev', 'pm'], [': null → pm']],
  [['dev', 'pm'], ['dev'], [': pm → null']],
  [['dev'], ['admin'], [': dev → admin']],
  [[], ['dev'], [': none → dev']],
  [['dev'], [], [': dev → none']],
  [null, ['admin'], [': none → admin']],
  [['dev'], ['dev'], []],
  [false, true, [': false → true']],
  [null, 'ann', [': null → ann']],
  ['ann', null, [': ann → null']],
  [null, null, []],
  [{ start: 8, end: 19 }, { start: 9, end: 19 }, ['start: 8 → 9']],
  [null, { start: 9 }, ['start: null → 9']],
  [null, { start: 9, note: null }, ['start: null → 9']],
  [{ zone: 'UTC' }, null, ['zone: UTC → null']],
  [{ key: { deep: 1 } }, { key: { deep: 2 } }, ['key: {"deep":1} → {"deep":2}']],
])('of %j and %j are reported part by part', (before, after, expected) => {
  expect(described(before, after)).toEqual(expected);
});
