import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The archive of an empty database, made once for each version of PGlite: a database in memory starts from it
 * in a tenth of the time.
 */
export async function memoryTemplate(make: (file: string) => Promise<void>): Promise<string> {
  const installed = dirname(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const cache = join(installed, '..', '..', '.cache');
  const file = join(cache, `memory-template-${version}.tar`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await make(draft);
  renameSync(draft, file);
  return file;
}
