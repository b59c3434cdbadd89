import { describe, expect, test } from 'vitest';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import { watchedSteps } from '../../server/advisor/recommend.ts';
import { aJob, anAttempt, day, hour, now, only, recommendFor } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

const checkout = 'uses: actions/checkout@v6\n        with:\n          fetch-depth: 0\n';
const fileWith = (...steps: string[]) =>
  `on: pull_request\npermissions: {}\njobs:\n  lint:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 9\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
const text = fileWith(checkout, 'run: shellcheck *.sh');

/** So many runs whose checkout took so many seconds. */
function runs(count: number, seconds: number, name = 'Run actions/checkout@v6'): RecordedAttempt[] {
  return Array.from({ length: count }, (_, index) => {
    const arrivedAt = now - 20 * day + index * hour;
    const step = { name, conclusion: 'success' as const, startedAt: arrivedAt };
    const steps = [{ ...step, completedAt: arrivedAt + seconds * 1000 }];
    return anAttempt({ arrivedAt, jobs: [{ ...aJob('lint', arrivedAt, 5), steps }] });
  });
}

const find = (content = text, attempts: RecordedAttempt[] | null = runs(30, 41)) =>
  only(recommendFor(content, { attempts }), 'ADV-11');

describe('ADV-11 checks out the newest commit alone', () => {
  test('counts what the checkout takes, and saves no more than that', () => {
    const found = find();
    expect(found).toMatchObject({
      text: 'The checkout of “lint” fetches the complete history, which takes 41 s (median of 30 runs).',
      anchor: ['jobs', 'lint', 'steps', 0, 'with', 'fetch-depth'],
      sample: 30,
      reasons: [],
      counterfactual: null,
      ceiling: { measure: 'checkout step, median', value: 41, unit: 's' },
    });
    expect(found?.evidence.length).toBe(30);
  });

  test('is none where a checkout is fast, or has another depth', () => {
    expect(find(text, runs(30, 19))).toBeUndefined();
    expect(find(text, runs(30, 20))).toBeDefined();
    expect(find(text.replace('depth: 0', 'depth: 2'))).toBeUndefined();
    expect(find(text.replace('depth: 0', `depth: \${{ inputs.depth }}`))).toBeUndefined();
    expect(find(text.replace('actions/checkout', 'other/checkout'))).toBeUndefined();
  });

  test('needs 30 runs with the step, and history', () => {
    expect(find(text, runs(29, 41))).toMatchObject({ reasons: ['sample_too_small'] });
    expect(find(text, runs(19, 41))).toMatchObject({ ceiling: null });
    expect(find(text, runs(30, 41, 'Run actions/checkout@v5'))?.reasons).toEqual(['sample_too_small']);
    expect(find(text, null)).toMatchObject({ sample: 0, reasons: ['history_absent'], ceiling: null });
  });

  test('takes the name of the step, and no times of two steps of one name', () => {
    const named = text.replace('uses: actions', 'name: Get it\n        uses: actions');
    expect(find(named, runs(30, 41, 'Get it'))?.reasons).toEqual([]);
    const twice = fileWith(checkout, checkout, 'run: shellcheck *.sh');
    const found = recommendFor(twice, { attempts: runs(30, 41) }).filter(({ kind }) => kind.id === 'ADV-11');
    expect(found.map(({ reasons }) => reasons)).toEqual([['sample_too_small'], ['sample_too_small']]);
  });

  test.each(['"a\\0b"', '"\\ud800"', `a \${{ matrix.b }}`])('the name %s is that of no recorded step', (name) => {
    const named = text.replace('uses: actions', `name: ${name}\n        uses: actions`);
    expect(watchedSteps({ files: [{ path: '.github/workflows/ci.yml', text: named }], rootFiles: null })).toEqual([]);
    expect(find(named)?.reasons).toEqual(['sample_too_small']);
  });

  test.each([
    'run: git describe --tags',
    'run: git log -1',
    'run: git -C web rev-list --count HEAD',
    'run: git diff main',
    'run: V=$(git describe)',
    'run: git fetch --unshallow',
    'run: npm test',
    'run: make build',
    'run: ./build.sh',
    'run: npx nx affected -t lint',
    'run: goreleaser check',
    'run: python -m build',
    'run: pipx run build',
    'run: mkdocs build',
    'run: bash -c "git describe"',
    'run: timeout 60 git log',
    'run: curl -s https://example.org/report.sh | bash',
    'run: echo "git log" | sh',
    'run: git -C add log',
    'run: echo "built from `git describe`"',
    `run: |\n          cat <<END\n          $(git describe)\n          END`,
    'run: Write-Host "$(git describe)"\n        shell: pwsh',
    'run: $version = git describe\n        shell: pwsh',
    'run: cat .git/packed-refs',
    'run: cat < .git/packed-refs',
    'run: npm ci',
    'run: print(1)\n        shell: python',
    'uses: tj-actions/changed-files@v46',
    'uses: docker/build-push-action@v6',
    'uses: ./.github/actions/setup',
    `uses: some/action@v1`,
  ])('is not offered before %j, which may read the history', (step) => {
    expect(find(fileWith(checkout, step))?.reasons).toEqual(['reads_history']);
  });

  test.each([
    'run: git diff --exit-code',
    'uses: actions/setup-node@v6',
    'run: git config user.name x',
    'run: sudo apt-get install -y shellcheck',
    'run: NAME=x',
    `run: |\n          for file in a b; do\n            if [ -f "$file" ]; then shellcheck "$file"; fi\n          done`,
  ])('is offered before %j', (step) => {
    expect(find(fileWith(checkout, step))?.reasons).toEqual([]);
  });

  test('steps before it do not count', () => {
    const later = fileWith('uses: some/action@v1', checkout, 'run: shellcheck *.sh');
    expect(find(later)?.reasons).toEqual([]);
  });

  test('thousands of checkouts cost no time', () => {
    const many = (steps: number, jobs: number) =>
      Array.from(
        { length: jobs },
        (_, job) =>
          `  j${job}:\n    runs-on: x\n    steps:\n${Array.from({ length: steps }, (_unused, step) => `      - {name: n${step}, uses: actions/checkout@v6, with: {fetch-depth: 0}}\n`).join('')}`,
      ).join('');
    const attempts = runs(500, 41, 'n1');
    for (const jobs of [many(7000, 1), many(200, 10)]) {
      const begun = process.cpuUsage();
      recommendFor(`on: pull_request\npermissions: {}\njobs:\n${jobs}`, { attempts, rootFiles: ['package-lock.json'] });
      expect(process.cpuUsage(begun).user).toBeLessThan(6_000_000);
    }
  });

  test('the patch takes the entry away, and what it leaves empty', () => {
    const attempts = runs(30, 41);
    expect(patchWith('ADV-11', text, { attempts })).toEqual({
      diff: ['-        with:', '-          fetch-depth: 0'],
      refused: [],
    });
    const more = text.replace('fetch-depth: 0', 'fetch-depth: 0 # all of it\n          lfs: true');
    expect(patchWith('ADV-11', more, { attempts }).diff).toEqual(['-          fetch-depth: 0 # all of it']);
    const flow = fileWith('{uses: actions/checkout@v6, with: {fetch-depth: 0, lfs: true}}', 'run: shellcheck *.sh');
    expect(patchWith('ADV-11', flow, { attempts }).diff).toEqual([
      '-      - {uses: actions/checkout@v6, with: {fetch-depth: 0, lfs: true}}',
      '+      - {uses: actions/checkout@v6, with: {lfs: true}}',
    ]);
  });
});
