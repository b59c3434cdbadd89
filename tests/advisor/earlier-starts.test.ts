import { describe, expect, test } from 'vitest';
import { type Predicted, predictEffects, predictTogether } from '../../server/advisor/effects.ts';
import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import { judge } from '../../server/advisor/judge.ts';
import { recommend } from '../../server/advisor/recommend.ts';
import { attemptMinutes } from '../../server/advisor/replay/days.ts';
import { aJob, anAdvisedRepository, anAttempt, day, hour, minute, now, only, recommendFor } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

const file = (needs = '    needs: lint\n', steps = '      - run: make test\n', more = '') => `on: pull_request
jobs:
  lint:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
      - run: make lint
  test:
${needs}    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
${steps}${more}`;

const midnight = Math.floor(now / day) * day;
const days = Array.from({ length: 50 }, (_, index) => midnight - (50 - index) * day);

const skipped = (name: string, at: number): RecordedJob => ({
  ...aJob(name, at, 0),
  conclusion: 'skipped',
  isTaken: false,
  labels: [],
});

/** Two runs a day: two minutes of lint, then ten of tests; lint fails in one of twenty. */
const history = ({ failing = 20, wait = 0, rest = [] as ((end: number) => RecordedJob)[] } = {}): RecordedAttempt[] =>
  Array.from({ length: 100 }, (_, index) => {
    const arrivedAt = (days[Math.floor(index / 2)] ?? 0) + 9 * hour + (index % 2) * hour;
    const fails = index % failing === failing - 1;
    const lint = aJob('lint', arrivedAt, 2, fails ? 'failure' : 'success');
    const end = arrivedAt + 2 * minute;
    const tests = fails ? skipped('test', end) : { ...aJob('test', end + wait, 10), createdAt: end };
    const others = fails ? [] : rest.map((make) => make(end + wait + 10 * minute));
    return anAttempt({ arrivedAt, conclusion: fails ? 'failure' : 'success', jobs: [lint, tests, ...others] });
  });

const aRepository = (text: string, attempts: readonly RecordedAttempt[]) =>
  anAdvisedRepository({
    files: [{ path: '.github/workflows/ci.yml', text }],
    workflowIds: new Map([['.github/workflows/ci.yml', 7001]]),
    attempts,
    days,
  });

function predicted(text: string, attempts: readonly RecordedAttempt[]): Predicted | undefined {
  const repository = aRepository(text, attempts);
  const { recommendations } = predictEffects(repository, recommend(repository), { isPublic: false });
  return recommendations.find(({ kind }) => kind.id === 'ADV-08');
}

describe('a job that waits for what it does not read', () => {
  test('starts earlier, for the minutes of runs in which the other one failed (T10)', () => {
    const one = predicted(file(), history());
    expect(one?.text).toBe('In 95 of 95 runs “test” waited for “lint” last, and reads nothing of it.');
    expect(one?.risks).toEqual([
      { text: 'Runs in which “lint” did not pass: “test” would have run as well.', count: 5, of: 100 },
    ]);
    expect(one?.reasons).toEqual([]);
    expect(one?.effect).toMatchObject({
      reason: null,
      history: { minutesBefore: 1150, minutesAfter: 1200 },
      wall: { history: { p50Before: 720, p50After: 600, p90Before: 720, p90After: 600 } },
    });
    expect(one?.effect.history?.reductionPct).toBeCloseTo(-4.3, 1);
    const { p50 } = one?.effect.wall?.next ?? {};
    expect(p50?.mid).toBe(-120);
    expect([p50?.low ?? 0, p50?.high ?? 0].every((end) => end > -180 && end < -60)).toBe(true);
  });

  test('is left where the minutes rise by more than 5 %', () => {
    const one = predicted(file(), history({ failing: 10 }));
    expect([one?.reasons, one?.effect.wall?.history.p50After]).toEqual([['minutes_rise'], 600]);
  });

  test('runs with all cells of its matrix where the other one failed', () => {
    const text = file(
      `    needs: lint\n    strategy:\n      matrix:\n        node: [22, 24]\n`,
      '      - run: make test\n',
    );
    const attempts = history().map((one) => ({
      ...one,
      jobs: (one.jobs ?? []).flatMap((job) =>
        job.name === 'test' && job.isTaken
          ? [
              { ...job, name: 'test (22)' },
              { ...job, name: 'test (24)', completedAt: (job.completedAt ?? 0) - 4 * minute },
            ]
          : [job],
      ),
    }));
    const recorded = attempts.map((one) => ({ ...one, billedMinutes: attemptMinutes(one) }));
    const one = predicted(text, recorded);
    expect(one?.risks).toMatchObject([{ count: 5, of: 100 }]);
    expect(one?.effect.history).toMatchObject({ minutesBefore: 200 + 95 * 16, minutesAfter: 200 + 100 * 16 });
    const failed = recorded.findIndex(({ conclusion }) => conclusion === 'failure');
    const after = one?.counterfactual?.change(recorded)[failed];
    expect(after?.jobs?.map(({ name }) => name)).toEqual(['lint', 'test (22)', 'test (24)']);
  });

  test('is not predicted where it would run and never passed', () => {
    const attempts = history().map((one) => ({
      ...one,
      jobs: (one.jobs ?? []).map((job) =>
        job.name === 'test' && job.isTaken ? { ...job, conclusion: 'failure' as const } : job,
      ),
    }));
    expect(predicted(file(), attempts)?.effect.reason).toBe('nothing_to_compare');
  });

  test('moves what waits for it, with its lag and its wait', () => {
    const more =
      '  report:\n    needs: [test, lint]\n    runs-on: ubuntu-24.04\n    timeout-minutes: 9\n    steps: [{run: make report}]\n';
    const report = (end: number) => ({ ...aJob('report', end + 15_000, 1), createdAt: end + 5_000 });
    const attempts = history({ rest: [report], wait: 30_000 });
    const found = only(recommendFor(file(undefined, undefined, more), { attempts }), 'ADV-08');
    const after = found?.counterfactual?.change(attempts)[0];
    const from = attempts[0]?.arrivedAt ?? 0;
    const times = (after?.jobs ?? []).map(({ name, startedAt, completedAt }) => [
      name,
      ((startedAt ?? 0) - from) / 1000,
      ((completedAt ?? 0) - from) / 1000,
    ]);
    expect(times).toEqual([
      ['lint', 0, 120],
      ['test', 30, 630],
      ['report', 645, 705],
    ]);
    expect(after && attemptMinutes(after)).toBe(attempts[0] && attemptMinutes(attempts[0]));
  });

  test('keeps its times in runs of an earlier version of the file', () => {
    const attempts = history().map((one, index) =>
      index < 40 ? { ...one, jobs: [...(one.jobs ?? []), aJob('old', one.arrivedAt, 1)] } : one,
    );
    const found = only(recommendFor(file(), { attempts }), 'ADV-08');
    expect(found?.sample).toBe(57);
    expect(found?.counterfactual?.change(attempts).filter((one, index) => one === attempts[index]).length).toBe(40);
  });

  test('is not predicted where jobs wait for runners', () => {
    const one = predicted(file(), history({ wait: 2 * minute }));
    expect([one?.reasons, one?.effect.reason, one?.effect.next]).toEqual([[], 'shared_pool', null]);
  });

  test.each([
    ['shortens runs', true, 0],
    ['is only said to where that is predicted', false, 2 * minute],
  ])('%s', (_what, shortensRuns, wait) => {
    const { plan } = judge({
      repository: aRepository(file(), history({ wait })),
      pricing: { isPublic: false },
      dismissed: [],
    });
    const rows = plan.rows.filter(({ kind }) => kind === 'ADV-08');
    expect(rows).toMatchObject([{ alone: null, marginal: null, certainty: 'modelled', shortensRuns }]);
  });

  test('has too few runs, or no history', () => {
    const few = history().slice(0, 20);
    expect(only(recommendFor(file(), { attempts: few }), 'ADV-08')?.reasons).toEqual(['sample_too_small']);
    expect(only(recommendFor(file()), 'ADV-08')?.reasons).toEqual(['history_absent']);
  });

  test('has jobs that cannot be told from others', () => {
    const text = file().replace('  test:\n', '  test:\n    name: lint\n');
    const attempts = history().map((one) => ({
      ...one,
      jobs: (one.jobs ?? []).map((job) => ({ ...job, name: 'lint' })),
    }));
    expect(only(recommendFor(text, { attempts }), 'ADV-08')?.reasons).toContain('jobs_not_mapped');
  });
});

describe('two jobs that one waits for', () => {
  const text = file(
    '    needs: [lint, check]\n',
    undefined,
    '  check:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 30\n    steps: [{run: make check}]\n',
  );
  /** Each ends last in every other run, after three minutes. */
  const attempts = history({ failing: 1000 }).map(({ arrivedAt }, index) => {
    const [lint, check] = index % 2 === 0 ? [2, 3] : [3, 2];
    const others = [aJob('lint', arrivedAt, lint), aJob('check', arrivedAt, check)];
    return anAttempt({ arrivedAt, jobs: [...others, aJob('test', arrivedAt + 3 * minute, 10)] });
  });
  const repository = aRepository(text, attempts);
  const { recommendations, past } = predictEffects(repository, recommend(repository), { isPublic: false });
  const edges = recommendations.filter(({ kind }) => kind.id === 'ADV-08');

  test('are taken out in one replay, in which it waits for neither', () => {
    expect(edges.map(({ effect }) => effect.wall?.history)).toMatchObject([
      { p50Before: 780, p50After: 750, p90After: 780 },
      { p50Before: 780, p50After: 750, p90After: 780 },
    ]);
    const together = predictTogether(edges, past, { of: 'changed workflows' });
    expect(together).toMatchObject({ saves: 'wall time', history: { minutesBefore: 1500, minutesAfter: 1500 } });
    expect(together.wall?.history).toEqual({ p50Before: 780, p50After: 600, p90Before: 780, p90After: 600 });
    expect(together.wall?.next.p50?.mid).toBe(-180);
  });
});

describe('a job is not found where it', () => {
  const upload = '      - uses: actions/upload-artifact@v4\n        with: {name: NAME, path: dist}\n';
  const download = '      - uses: actions/download-artifact@v4\n';
  const uploading = (name: string, steps: string) =>
    file(undefined, steps).replace('      - run: make lint\n', upload.replace('NAME', name));
  const aJobBehind = (id: string, needs: string, more: string, step = '- run: make') =>
    `  ${id}:\n    needs: ${needs}\n${more}    runs-on: ubuntu-24.04\n    timeout-minutes: 9\n    steps:\n      ${step}\n`;
  const cached = '      - uses: actions/cache@v4\n        with: {path: x, key: y}\n';
  const downloadsOther = `${download}        with: {name: other}\n`;
  const uploadsOther = aJobBehind('pack', '[]', '', upload.replace('NAME', 'other').trim());
  /** What the other job uses, where a third one uploads. */
  const byHidden = (uses: string, steps: string) =>
    file(undefined, steps, uploadsOther).replace('run: make lint', `uses: ${uses}`);
  test.each([
    ['reads an output', file(undefined, `      - run: echo \${{ needs.lint.outputs.x }}\n`)],
    ['reads all of them', file(undefined, `      - run: echo \${{ toJSON(needs) }}\n`)],
    ['has a condition on it', file("    needs: lint\n    if: needs.lint.result == 'success'\n")],
    ['downloads everything', uploading('dist', download)],
    ['downloads what it uploads', uploading('dist', `${download}        with: {name: dist}\n`)],
    ['merges what it uploads', uploading('dist', '      - uses: actions/upload-artifact/merge@v4\n')],
    ['downloads what is not known', uploading('dist', `${download}        with: {name: "\${{ matrix.x }}"}\n`)],
    [
      'has a step with a condition on it',
      file(undefined, "      - if: needs.lint.result == 'success'\n        run: make\n"),
    ],
    ['runs whatever came of it', file('    needs: lint\n    if: always()\n')],
    ['has an environment', file('    needs: lint\n    environment: production\n')],
    ['deploys', file(undefined, '      - run: npm publish\n')],
    ['shares a cache', file(undefined, cached).replace('      - run: make lint\n', cached)],
    [
      'waits for it through another one',
      file(
        '    needs: [lint, build]\n',
        `      - run: echo \${{ needs.build.result }}\n`,
        `  build:\n    needs: lint\n    runs-on: ubuntu-24.04\n    steps: [{run: "echo \${{ needs.lint.result }}"}]\n`,
      ),
    ],
    [
      'is all that keeps a deployment behind the other one',
      file(undefined, undefined, aJobBehind('deploy', 'test', '    environment: production\n')),
    ],
    [
      'is one of two that keep a deployment behind the other one, which may be changed together',
      file(
        undefined,
        undefined,
        aJobBehind('check', 'lint', '') + aJobBehind('deploy', '[test, check]', '    environment: production\n'),
      ),
    ],
    [
      'is all that keeps a far one behind the other one',
      file(
        undefined,
        undefined,
        aJobBehind('pack', 'test', '    if: always()\n') + aJobBehind('send', 'pack', '    environment: x\n'),
      ),
    ],
    [
      'is all that keeps a download behind the upload',
      file(undefined, undefined, aJobBehind('package', 'test', '', download.trim())).replace(
        '      - run: make lint\n',
        upload.replace('NAME', 'dist'),
      ),
    ],
    [
      'downloads what the other one waits for',
      file('    needs: check\n', `${download}        with: {name: dist}\n`, aJobBehind('check', 'lint', '')).replace(
        '      - run: make lint\n',
        upload.replace('NAME', 'dist'),
      ),
    ],
  ])('%s', (_what, text) => {
    expect(recommendFor(text).filter(({ kind }) => kind.id === 'ADV-08')).toEqual([]);
  });

  test.each(['[test, lint]', '[lint, test]'])('has none behind it but what waits for %s', (needs) => {
    const behind = aJobBehind('pack', needs, '') + aJobBehind('deploy', '[pack, test]', '    environment: x\n');
    const text = file(undefined, undefined, behind);
    const found = recommendFor(text).filter(({ kind }) => kind.id === 'ADV-08');
    expect(found.map(({ anchor }) => anchor)).toContainEqual(['jobs', 'test', 'needs', 'lint']);
  });

  test('waits for the upload as well', () => {
    const steps = `${download}        with: {name: dist}\n`;
    const text = file('    needs: [lint, check]\n', steps, aJobBehind('check', 'lint', ''));
    const uploads = text.replace('      - run: make lint\n', upload.replace('NAME', 'dist'));
    expect(only(recommendFor(uploads), 'ADV-08')?.anchor).toEqual(['jobs', 'test', 'needs', 'check']);
  });

  test.each([
    ['downloads what no job is seen to upload', uploading('dist', `${download}        with: {name: other}\n`)],
    ['downloads what another one uploads, too', byHidden('./.github/actions/build', downloadsOther)],
    ['downloads beside an action that is not known', byHidden('some/build@v1', downloadsOther)],
    ['restores what an action may store', byHidden('./.github/actions/build', cached)],
    ['may download what it uploads', uploading('dist', '      - uses: ./.github/actions/fetch\n')],
    ...[
      'swatinem/rust-cache@v2',
      'gradle/actions/setup-gradle@v4',
      'docker/build-push-action@v6\n        with: {cache-from: type=gha}',
    ].map((uses): [string, string] => [
      `shares the cache of ${uses.split('@')[0]}`,
      file(undefined, `      - uses: ${uses}\n`).replace('run: make lint', `uses: ${uses}`),
    ]),
    [
      'reports coverage of both',
      file(undefined, '      - uses: coverallsapp/github-action@v2\n').replace(
        'run: make lint',
        'uses: coverallsapp/github-action@v2',
      ),
    ],
    [
      'may restore what it stores',
      file(undefined, '      - uses: some/cache@v1\n').replace('      - run: make lint\n', cached),
    ],
  ])('%s', (_what, text) => {
    expect(only(recommendFor(text), 'ADV-08')).toBeUndefined();
  });

  test.each([
    ['waits for known actions', byHidden('golangci/golangci-lint-action@v8', downloadsOther)],
    ['uses a local action alone', file(undefined, '      - uses: ./.github/actions/test\n')],
    ['waits for a local action alone', byHidden('./.github/actions/lint', '      - run: make test\n')],
  ])('%s and is found', (_what, text) => {
    expect(only(recommendFor(text), 'ADV-08')?.reasons).toEqual(['history_absent']);
  });

  test('downloads something else', () => {
    const text = `${uploading('dist', downloadsOther)}${uploadsOther}`;
    expect(only(recommendFor(text), 'ADV-08')?.reasons).toEqual(['history_absent']);
  });
});

describe('the patch', () => {
  const other = '  build:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 9\n    steps: [{run: make}]\n';
  const build = (end: number) => aJob('build', end - 12 * minute, 1);
  test.each([
    ['a scalar', '    needs: lint\n', ['-    needs: lint']],
    ['a list of one', '    needs: [lint]\n', ['-    needs: [lint]']],
    ['a block list of one', '    needs:\n      - lint # first\n', ['-    needs:', '-      - lint # first']],
    ['a list of two', '    needs: [lint, build]\n', ['-    needs: [lint, build]', '+    needs: [build]']],
    ['a block list', '    needs:\n      - build\n      - lint # first\n', ['-      - lint # first']],
  ])('takes it out of %s', (_what, needs, diff) => {
    const attempts = history({ rest: [build] });
    expect(patchWith('ADV-08', file(needs, undefined, other), { attempts, days })).toEqual({ diff, refused: [] });
  });
});
