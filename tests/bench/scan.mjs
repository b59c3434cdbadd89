// Workflow files scanned per second in one process.  node tests/bench/scan.mjs [files] [rounds]
import { rules } from '../../server/scan/rules.ts';
import { scanFile } from '../../server/scan/scan.ts';
import { dice, median, print } from './made.mjs';
import { madeWorkflow, sampleWorkflows } from './made-workflows.mjs';

const [files = 400, rounds = 15] = process.argv.slice(2).map(Number);
const goal = 1000;
const now = Date.UTC(2026, 10, 16);
const around = { visibility: 'public', largerRunnerLabels: [], actions: null };

const random = dice();
const texts = [
  ...sampleWorkflows,
  ...Array.from({ length: files - sampleWorkflows.length }, () => madeWorkflow(random)),
];
const scanAll = () => texts.map((text, n) => scanFile(`.github/workflows/w${n}.yml`, text, around, now));

/** Milliseconds of processor time of this thread, because others may keep the machine busy. */
function cpuOf(work) {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const found = scanAll();
const unread = found.filter(({ parseError }) => parseError !== null).length;
const findings = found.reduce((sum, one) => sum + one.findings.length, 0);
const characters = texts.reduce((sum, text) => sum + text.length, 0);
const times = [];
for (let round = 0; round < rounds; round++) times.push(cpuOf(scanAll));
const perSecond = Math.round((files / median(times)) * 1000);

print(`${files} files, ${Math.round(characters / files)} characters each, ${rules.length} rules`, [
  { what: 'files per second of processor time', measured: perSecond, goal },
  { what: 'milliseconds for a file, slowest round', measured: Math.max(...times) / files, goal: '' },
  { what: 'findings', measured: findings, goal: '' },
  { what: 'files that do not parse', measured: unread, goal: '' },
]);
console.log(perSecond >= goal ? 'Reaches its goal.' : 'Misses its goal.');
