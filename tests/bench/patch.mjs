// A patch of the largest workflow file, all its verification included.  node tests/bench/patch.mjs [rounds]
import { parseEvents } from 'js-yaml';
import { patchFile } from '../../server/advisor/patch/patch.ts';
import { median, print } from './made.mjs';

const [rounds = 30] = process.argv.slice(2).map(Number);
const [size, limitMs] = [500_000, 50];
const check = { isGone: () => true, newFindings: () => [], showsCredential: () => false };

const job = (n) => `  job-${n}:
    runs-on: ubuntu-24.04 # as everywhere
    strategy: { fail-fast: false, matrix: { os: [linux, mac] } }
    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0
      - name: Test ${n}
        run: |
          npm ci
          npm test -- --coverage
`;
const jobs = Array.from({ length: Math.floor(size / job(1000).length) }, (_, n) => job(n));
const text = `on: [push, pull_request]\njobs:\n${jobs.join('')}`;
const last = ['jobs', `job-${jobs.length - 1}`];
const questions = {
  'one time limit': [{ do: 'insert', at: last, key: 'timeout-minutes', value: 40, after: ['runs-on'] }],
  'twenty of them': Array.from({ length: 20 }, (_, n) => ({
    do: 'insert',
    at: ['jobs', `job-${n * 50}`],
    key: 'timeout-minutes',
    value: 40,
    after: ['runs-on'],
  })),
  'filtered triggers': [{ do: 'filter-triggers', filters: { push: { branches: ['main'] } } }],
  'no fail-fast': [{ do: 'remove', at: [...last, 'strategy', 'fail-fast'] }],
};

/** Milliseconds of processor time of this thread, because others may keep the machine busy. */
function cpuOf(work) {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const patch = (changes) => {
  const sets = changes.map((change, n) => ({ id: String(n), kind: 'ADV-05', changes: [change] }));
  const result = patchFile({ path: '.github/workflows/ci.yml', text }, sets, check);
  if (result.patch === null) throw new Error('no patch');
};
// Until it is compiled.
for (let round = 0; round < 10; round++) for (const changes of Object.values(questions)) patch(changes);

const rows = Object.entries(questions).map(([what, changes]) => {
  const run = () => patch(changes);
  const times = Array.from({ length: rounds }, () => cpuOf(run));
  return { what, ms: Math.round(median(times) * 10) / 10, limit: limitMs };
});
const parsed = Array.from({ length: rounds }, () => cpuOf(() => [parseEvents(text, {}), parseEvents(text, {})]));
rows.push({ what: 'parsed twice, nothing else', ms: Math.round(median(parsed) * 10) / 10, limit: '' });
print(`A file of ${text.length} characters`, rows);
const isGood = rows.every(({ ms, limit }) => limit === '' || ms <= limit);
console.log(isGood ? 'Within its limit.' : 'Beyond its limit.');
process.exitCode = isGood ? 0 : 1;
