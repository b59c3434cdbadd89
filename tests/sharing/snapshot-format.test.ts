import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { snapshotFormat } from '../../server/sharing/snapshot.ts';

const folder = resolve(import.meta.dirname, '../../server/sharing');

/** What snapshots hold, in few characters. */
async function describeFields(): Promise<string> {
  const files = globSync('*-fields.ts', { cwd: folder }).sort();
  const modules = await Promise.all(files.map((file) => import(resolve(folder, file))));
  const text = JSON.stringify(modules, (_name, value) => (typeof value === 'object' ? value : String(value)));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

test('the number of the format is raised with what snapshots hold', async () => {
  // Where the second has changed, raise the number: links of the version before are not opened then.
  expect([snapshotFormat, await describeFields()]).toEqual([5, 'cdf4ffdf1199']);
});
