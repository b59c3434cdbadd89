// Mutated workflow files: no crash, nothing slow, no growth.  N=1000000 SEED=1 node --expose-gc tests/bench/fuzz-scan.mjs
import { scanFile } from '../../server/scan/scan.ts';
import { dice, print } from './made.mjs';
import { madeWorkflow, sampleWorkflows } from './made-workflows.mjs';

const count = Number(process.env.N ?? 1_000_000);
const random = dice(Number(process.env.SEED ?? 1));
const now = Date.UTC(2026, 10, 16);
const [longestMs, mostGrowthMb] = [2000, 64];

/** What means something to YAML, to expressions, to shells, or to a reader of text. */
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
  '...\n',
  '{',
  '}',
  '[',
  ']',
  ',',
  '<<: *a',
  '%YAML 1.2\n',
  '\\',
  '\\u0000',
  '\0',
  '\u202E',
  '\u200B',
  '😀',
  '\uD800',
  '~',
  `\${{`,
  '}}',
  `\${{ `,
  `\${{ '`,
  '[github',
  '(((',
  'secrets',
  'github.event.issue.title',
  'fromJSON(',
  '.*',
  '!',
  'on:',
  'jobs:',
  'steps:',
  'run: |\n',
  'uses: ',
  'with:\n',
  'env: *a',
  'if: ',
  'permissions:',
  'container:',
  '<<EOF\n',
  '$(',
  '`',
  '>>',
  '| sh',
  '&&',
  ';',
  '\\\n',
  "\"$(cat <<'X'",
  '# scan: ignore SEC-001 ',
  'until=',
  '-----BEGIN',
];
const seeds = [...sampleWorkflows, ...Array.from({ length: 60 }, () => madeWorkflow(random))];
const pick = (list) => list[random(list.length)];

const mutations = [
  (text, at) => text.slice(0, at) + pick(tokens) + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1 + random(12)),
  (text, at) => text.slice(0, at) + String.fromCharCode(random(random(8) === 0 ? 65_536 : 128)) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(random(text.length), random(text.length)).slice(0, 300) + text.slice(at),
  (text, at) => text.slice(0, at) + pick(tokens).repeat(1 + random(30)) + text.slice(at),
  (text) => swapLines(text.split('\n')),
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(0, at) + pick(seeds).slice(random(500)),
];

function swapLines(lines) {
  const [one, other] = [random(lines.length), random(lines.length)];
  [lines[one], lines[other]] = [lines[other], lines[one]];
  return lines.join('\n');
}

function mutated() {
  let text = pick(seeds);
  for (let n = 1 + random(6); n > 0; n--) text = pick(mutations)(text, random(text.length + 1));
  return text.slice(0, 20_000);
}

/** Few, but as large as files are scanned: each asks one thing very often. */
const size = 256_000;
const filled = (head, part) => head + part.repeat(Math.floor((size - head.length) / part.length));
const block = 'on: issues\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n';
const large = {
  keys: `on: push\n${Array.from({ length: 17_000 }, (_, n) => `k${n}: ${n}`).join('\n')}`,
  jobs: `on: push\njobs:\n${Array.from({ length: 4400 }, (_, n) => `  j${n}:\n    runs-on: ubuntu-latest\n    steps: []`).join('\n')}`,
  steps: filled('on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n', '      - uses: a/b@main\n'),
  expressions: filled(block, `          echo \${{ github.event.issue.title }}\n`),
  expressionsOnOneLine: filled(`${block}          `, `x \${{ github.head_ref }} `),
  openExpressions: filled(`${block}          `, `\${{ '`),
  redirects: filled(block, '          echo a >> $GITHUB_ENV | sh && curl x | bash\n'),
  heredocs: filled(block, '          cat <<EOF\n'),
  quotes: filled(`${block}          `, '"\'`$('),
  spaces: filled(`${block}          `, ' '),
  dashes: filled(`${block}          `, '-'),
  words: filled(`${block}          `, 'a.b-c_d/e'),
  comments: filled(`${block}          `, '# scan: ignore SEC-001 '),
  secrets: filled('on: push\nenv:\n', `  T: \${{ secrets.A }}\n`),
  key: filled('on: push\nenv:\n  A: ', 'ghp_abc'),
  pem: filled('on: push\nenv:\n  A: ', '-----BEGIN '),
  flow: filled('on: ', '['),
  list: filled('on: [', 'push,'),
  condition: filled('on: push\njobs:\n  a:\n    if: ', 'a || '),
  aliases: `on: &a [push]\njobs:\n${Array.from({ length: 15_000 }, (_, n) => `  j${n}: *a`).join('\n')}`,
  sharedSteps: `on: push\njobs:\n  a: &a\n    runs-on: x\n    steps:\n${'      - run: echo\n'.repeat(8000)}${'  b: *a\n'.repeat(8000)}`,
  lines: filled('on: push\n', '\n'),
  returns: filled('on: push\n', '\r'),
};

const around = { visibility: 'public', largerRunnerLabels: [], actions: null };
/** Of this thread alone, because others may keep the machine busy. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let slowest = { ms: 0, text: '' };
let findings = 0;

function scanned(text) {
  const from = cpuMs();
  try {
    findings += scanFile('.github/workflows/fuzz.yml', text, around, now).findings.length;
  } catch (error) {
    console.error(`Crashed on:\n${JSON.stringify(text.slice(0, 5000))}`);
    throw error;
  }
  const ms = cpuMs() - from;
  if (ms > slowest.ms) slowest = { ms, text };
  return ms;
}

const heapMb = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

const largeTimes = Object.entries(large).map(([what, text]) => ({ what, ms: Math.round(scanned(text)) }));
print('Large files', largeTimes);
const slowLarge = largeTimes.filter(({ ms }) => ms > longestMs);
slowest = { ms: 0, text: '' };

const began = cpuMs();
let base = 0;
for (let n = 0; n < count; n++) {
  scanned(mutated());
  // What is compiled and remembered at first is no growth.
  if (n === Math.floor(count / 10)) base = heapMb();
  if (n > 0 && n % 100_000 === 0) console.log(`${n} inputs, ${Math.round(heapMb())} MB`);
}
const growth = heapMb() - base;
const seconds = (cpuMs() - began) / 1000;
print(`${count} mutated files`, [
  { what: 'inputs per second of processor time', measured: Math.round(count / seconds), limit: '' },
  { what: 'slowest, ms', measured: Math.round(slowest.ms), limit: longestMs },
  {
    what: 'growth after the first tenth, MB',
    measured: Math.round(growth),
    limit: globalThis.gc ? mostGrowthMb : 'run with --expose-gc',
  },
  { what: 'findings', measured: findings, limit: '' },
]);
const isGood = slowest.ms <= longestMs && slowLarge.length === 0 && (!globalThis.gc || growth <= mostGrowthMb);
console.log(
  isGood ? 'No crash, nothing slow, no growth.' : `Beyond its limits: ${JSON.stringify(slowest.text.slice(0, 2000))}`,
);
process.exitCode = isGood ? 0 : 1;
