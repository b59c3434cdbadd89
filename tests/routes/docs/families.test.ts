import { expect, test } from 'vitest';
import { getFamily, getFamilyTitle } from '../../../app/routes/docs/families.ts';
import { operations } from '../../../server/api/registry.ts';

test('every family of operations has a heading of its own', () => {
  const families = [...new Set(operations.map(({ path }) => getFamily(path)))];
  const titles = families.map(getFamilyTitle);
  for (const title of titles) expect(title).toMatch(/^[A-Z]/);
  expect(new Set(titles).size).toBe(families.length);
});
