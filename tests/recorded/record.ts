// Records what the service answers to several thousand requests about a fixed world at a fixed time: one line for each
// request in `manifests`, which `recorded.test.ts` compares. Record anew after a change of answers that is meant, and
// look at what differs before it is committed:
//   node tests/recorded/record.ts [GROUP…] [--to FOLDER] [--bodies FOLDER]
// `--to` writes the manifests elsewhere, `--bodies` also whole answers, for `diff -r` with those of another commit. The
// group `pages` asks the built service: run `npm run build` before.
import './fixed-date.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBodies } from './bodies.ts';
import { groups } from './groups.ts';
import { differences } from './manifest.ts';
import { manifestOf, Recorder } from './recorder.ts';

process.env.TZ = 'UTC';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string', default: resolve(import.meta.dirname, 'manifests') },
    bodies: { type: 'string' },
    postgres: { type: 'string' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(groups);
mkdirSync(values.to, { recursive: true });
const written = new Map<string, string>();
for (const name of names) {
  const group = groups[name];
  if (!group) throw new Error(`There is no group ${name}, only ${Object.keys(groups).join(', ')}.`);
  const recorder = new Recorder();
  const begun = performance.now();
  await group.record(recorder, values.postgres);
  const manifest = manifestOf(recorder.entries);
  if (values.bodies) writeBodies(join(values.bodies, name), recorder.entries);
  const other = differences(written.get(group.manifest) ?? manifest, manifest);
  if (other.length > 0) throw new Error(`${name} answers otherwise than the group before it:\n${other.join('\n')}`);
  written.set(group.manifest, manifest);
  writeFileSync(join(values.to, group.manifest), manifest);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stderr.write(`${name}: ${recorder.entries.length} requests in ${seconds} s\n`);
}
