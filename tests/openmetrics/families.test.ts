import { expect, test } from 'vitest';
import { ownFamilies } from '../../server/openmetrics/families.ts';
import { deliveryFamilies } from '../../server/openmetrics/repository-families.ts';
import { sharedFamilies } from '../../server/openmetrics/shared.ts';
import { chapterMade, documented } from '../support/metric-families.ts';

test('the documentation has the table that the declarations make', () => {
  expect(documented()).toBe(chapterMade(documented()));
  for (const { name } of [...ownFamilies, ...sharedFamilies, ...deliveryFamilies])
    expect(documented()).toContain(`| \`${name}\` |`);
});

test('no family is declared twice, and each has a sentence of its own', () => {
  const all = [...ownFamilies, ...sharedFamilies, ...deliveryFamilies];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(new Set(all.map(({ help }) => help)).size).toBe(all.length);
  for (const { help } of all) expect(help).toMatch(/^\S.*\.$/);
});
