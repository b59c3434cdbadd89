import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFolder } from '../../server/embedded/database.ts';
import { createLog } from '../../server/platform/log.ts';

test('the embedded database opens beside a lock file that PostgreSQL was killed while writing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = createLog('silent');
  await (await openFolder(folder, log)).close();
  for (const written of ['', '-\n']) {
    writeFileSync(join(folder, 'data', 'postmaster.pid'), written);
    const database = await openFolder(folder, log);
    await expect(database.close()).resolves.toBeUndefined();
  }
});
