import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'bench');
const benches = readdirSync(folder).filter((name) => name.endsWith('.mjs'));

const imports = /^import \{([^}]+)\} from '(\.[^']+)';$/gm;
const exported = /^export (?:async )?(?:function\*?|const|let|class) (\w+)|^export \{([^}]+)\}/gm;

const listNames = (names: string) => names.split(',').flatMap((each) => each.trim().split(' as ')[0] || []);

function listExports(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(exported);
  return [...found].flatMap(([, name, names = '']) => name ?? listNames(names));
}

/** Benchmarks are no part of any run and of no check of types, so one that cannot start would stay unseen. */
test.each(benches)('%s imports only what there is', (name) => {
  const found = readFileSync(join(folder, name), 'utf8').matchAll(imports);
  const missing = [...found].flatMap(([, names = '', from = '']) => {
    const there = listExports(resolve(folder, from));
    return listNames(names).flatMap((each) => (there.includes(each) ? [] : `${each} of ${from}`));
  });
  expect(missing).toEqual([]);
});
