import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivate } from '../../server/embedded/private-tree.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('what a symbolic link leads to keeps its permissions', async () => {
  const [home, elsewhere] = [join(root, 'home'), join(root, 'elsewhere')];
  for (const folder of [home, elsewhere]) mkdirSync(folder, { mode: 0o755 });
  for (const file of [join(home, 'file'), join(elsewhere, 'file')]) writeFileSync(file, '', { mode: 0o644 });
  symlinkSync(elsewhere, join(home, 'pg_wal'));
  symlinkSync(join(root, 'nowhere'), join(home, 'dangling'));
  chmodSync(elsewhere, 0o755);
  expect(await makePrivate(home)).toEqual([]);
  expect([home, join(home, 'file')].map(modeOf)).toEqual([0o700, 0o600]);
  expect([elsewhere, join(elsewhere, 'file')].map(modeOf)).toEqual([0o755, 0o644]);
});

test('what this process may not change is answered, and stops nothing', async () => {
  // Permissions under /proc/<pid> are changed by nobody, not even root.
  const folder = '/proc/self/attr';
  const denied = await makePrivate(folder);
  expect(denied).toEqual(expect.arrayContaining([folder, join(folder, 'current')]));
});
