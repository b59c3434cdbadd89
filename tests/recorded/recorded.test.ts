// The same requests get the same answers as when they were recorded. After a change that is meant, record anew and look
// at the difference of the whole answers before and after it:
//   node tests/recorded/record.ts [GROUP…] --bodies FOLDER
// The group `pages` asks the built service: run `npm run build` before.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isThorough } from '../support/rounds.ts';
import { differences } from './manifest.ts';

const here = import.meta.dirname;
const socket = inject('postgres');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Records a group again, in a process of its own whose time of day stands still. */
async function compare(group: string, manifest = `${group}.jsonl`): Promise<void> {
  const postgres = socket === null ? [] : ['--postgres', socket];
  const command = [join(here, 'record.ts'), group, '--to', folder, ...postgres];
  await promisify(execFile)(process.execPath, command, { cwd: resolve(here, '../..') });
  const [recorded, now] = [join(here, 'manifests'), folder].map((one) => readFileSync(join(one, manifest), 'utf8'));
  expect(differences(recorded ?? '', now ?? '')).toEqual([]);
}

// The rounds follow `npm test`, and compare what that left out.
test.each(isThorough ? ['organization', 'trouble', 'pages'] : ['standalone'])(
  'answers of the group %s are those that were recorded',
  (group) => compare(group),
);

if (!isThorough)
  test('answers on the embedded database are those that were recorded', () => compare('embedded', 'stored.jsonl'));

if (isThorough)
  test.skipIf(socket === null)('answers on PostgreSQL are the same as on the embedded database', () =>
    compare('postgresql', 'stored.jsonl'),
  );

test('a request that is answered otherwise is named with what differs', () => {
  const line = (name: string, more: object = {}) =>
    JSON.stringify({ name, status: 200, headers: 'a', body: '1', ...more });
  const sets = [JSON.stringify({ headers: 'a', are: { vary: 'Cookie' } }), JSON.stringify({ headers: 'b', are: {} })];
  const recorded = [line('same'), line('gone'), line('changed'), ...sets].join('\n');
  const now = [line('same'), line('changed', { status: 404, headers: 'b', body: '2' }), line('new'), ...sets].join(
    '\n',
  );
  expect(differences(recorded, now)).toEqual([
    'gone: not asked now',
    'changed: status 200 is now 404; vary was Cookie, is missing; another body',
    'new: not recorded',
  ]);
});
