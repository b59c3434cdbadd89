import { describe, expect, test } from 'vitest';
import routes from '../../app/routes.ts';
import { findPageAccess, pagePaths } from '../../server/http/page-access.ts';

const declared = routes
  .flatMap((one) => one.children ?? [one])
  .map(({ path = '' }) => path)
  .filter((path) => path !== 'api/*');

describe('who may open a page', () => {
  test.each(declared)('is said of "%s"', (path) => {
    expect(findPageAccess(path)).not.toBeNull();
  });

  test('is said of nothing that is no page', () => {
    expect(pagePaths.filter((path) => !declared.includes(path))).toEqual([]);
  });

  test('is open for the whole demo, and for nothing that only begins like it', () => {
    expect(findPageAccess('demo/org/:org')?.map(({ name }) => name)).toEqual(['anyone']);
    for (const path of ['demonstration', 'docsx', 'toString', '__proto__']) expect(findPageAccess(path)).toBeNull();
  });
});
