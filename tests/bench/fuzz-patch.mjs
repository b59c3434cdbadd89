// Patches of made and of mutated workflow files: no crash, none that is wrong.  N=100000 SEED=1 node tests/bench/fuzz-patch.mjs
import { isDeepStrictEqual } from 'node:util';
import { patchFile } from '../../server/advisor/patch/patch.ts';
import { dice, madeFile, madeSets, madeWorkflow } from '../advisor/patch/made-files.ts';
import { expectByYaml, readByYaml } from '../advisor/patch/read-by-yaml.ts';
import { print } from './made.mjs';

const count = Number(process.env.N ?? 100_000);
const firstSeed = Number(process.env.SEED ?? 1);
const check = { isGone: () => true, newFindings: () => [], showsCredential: () => false };
const tokens = [
  '"',
  "'",
  '|',
  '>',
  '&a ',
  '*a',
  ': ',
  '- ',
  '# ',
  '\t',
  '\r\n',
  '\r',
  '\uFEFF',
  '? ',
  '!!str ',
  '---\n',
];
tokens.push(
  '{',
  '}',
  '[',
  ']',
  ',',
  '<<: ',
  '%YAML 1.2\n',
  '\\',
  '\0',
  '\u202E',
  '\u200B',
  '😀',
  '\uD800',
  '~',
  '  ',
  '\n',
);

/** Most are not YAML any more; what still is must be patched as well as any other. */
function mutated(text, random) {
  let result = text;
  for (let n = random(4); n >= 0; n--) {
    const at = random(result.length + 1);
    const rest = random(3) === 0 ? at + random(12) : at;
    result = result.slice(0, at) + tokens[random(tokens.length)] + result.slice(rest);
  }
  return result;
}

function run(text, sets) {
  try {
    return patchFile({ path: '.github/workflows/fuzz.yml', text }, sets, check);
  } catch (error) {
    console.error(`Crashed on:\n${JSON.stringify({ text, sets })}`);
    throw error;
  }
}

/** Whether a second parser reads what the changes say. */
function isRight(text, sets, { patch, refused }) {
  const ids = new Set(refused.map(({ id }) => id));
  const changes = sets.filter(({ id }) => !ids.has(id)).flatMap((set) => set.changes);
  return isDeepStrictEqual(readByYaml(patch.text), expectByYaml(text, changes));
}

const tally = { patches: 0, 'refused changes': 0, 'patches of mutated files': 0, 'not verified, of mutated files': 0 };
const wrong = { 'not verified': 0, 'read otherwise by a second parser': 0 };
for (let n = 0; n < count; n++) {
  const random = dice(Math.imul(firstSeed * 1_000_003 + n, 2_654_435_761) >>> 0);
  const workflow = madeWorkflow(random);
  const [text, sets] = [madeFile(random, workflow), madeSets(random, workflow)];
  const result = run(text, sets);
  tally['refused changes'] += result.refused.length;
  wrong['not verified'] += result.refused.filter(({ refusal }) => refusal.code === 'not_verified').length;
  if (result.patch) {
    tally.patches++;
    if (!isRight(text, sets, result)) wrong['read otherwise by a second parser']++;
  }
  const other = run(mutated(text, random), sets);
  if (other.patch) tally['patches of mutated files']++;
  tally['not verified, of mutated files'] += other.refused.filter(
    ({ refusal }) => refusal.code === 'not_verified',
  ).length;
}
const rows = [
  ...Object.entries(tally).map(([what, measured]) => ({ what, measured, limit: '' })),
  ...Object.entries(wrong).map(([what, measured]) => ({ what, measured, limit: 0 })),
];
print(`${count} made files, each also mutated`, rows);
const isGood = Object.values(wrong).every((number) => number === 0);
console.log(isGood ? 'No crash, and none that is wrong.' : 'There are wrong ones.');
process.exitCode = isGood ? 0 : 1;
