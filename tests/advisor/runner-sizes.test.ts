import { describe, expect, test } from 'vitest';
import { type Predicted, predictEffects, predictTogether } from '../../server/advisor/effects.ts';
import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import { judge } from '../../server/advisor/judge.ts';
import { pullRequestBody } from '../../server/advisor/pull-request/body.ts';
import { recommend } from '../../server/advisor/recommend.ts';
import { durationRatio } from '../../server/advisor/replay/duration-ratio.ts';
import { aJob, anAdvisedRepository, anAttempt, day, hour, minute, now } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

const file = (runsOn = 'big', more = '') => `on: pull_request
jobs:
  test:
    runs-on: ${runsOn}
    timeout-minutes: 60
    steps:
      - run: make test
  report:
    needs: test
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
      - run: make report
${more}`;

const midnight = Math.floor(now / day) * day;
const days = Array.from({ length: 50 }, (_, index) => midnight - (50 - index) * day);
const largerRunners = { big: 'linux_8_core', middle: 'linux_4_core' };

const on = (label: string, job: RecordedJob): RecordedJob => ({ ...job, labels: [label] });

interface Trial {
  /** Minutes of a test by the label it runs on: the first on the first 20 days, the second on those after. */
  minutes?: readonly [label: string, minutes: number][];
  name?: string;
  wait?: number;
  /** How many of the 100 runs were on the first label. */
  first?: number;
}

/** Two runs a day, tests and then a report of a minute. */
const history = ({
  minutes = [
    ['ubuntu-24.04', 12],
    ['big', 10],
  ],
  name = 'test',
  wait = 0,
  first = 40,
}: Trial = {}) =>
  Array.from({ length: 100 }, (_, index): RecordedAttempt => {
    const arrivedAt = (days[Math.floor(index / 2)] ?? 0) + 9 * hour + (index % 2) * hour;
    const [label, took] = minutes[index < first ? 0 : 1] ?? ['big', 10];
    // A second more in every other run, so that not all are the same.
    const tests = { ...aJob(name, arrivedAt + wait, took + (index % 2) / 60), createdAt: arrivedAt };
    const end = tests.completedAt ?? 0;
    return anAttempt({ arrivedAt, jobs: [on(label, tests), aJob('report', end + 5000, 1)] });
  });

const aRepository = (text: string, attempts: readonly RecordedAttempt[] | null) =>
  anAdvisedRepository({
    files: [{ path: '.github/workflows/ci.yml', text }],
    workflowIds: new Map([['.github/workflows/ci.yml', 7001]]),
    around: { visibility: 'private', largerRunnerLabels: Object.keys(largerRunners), actions: null },
    largerRunners,
    attempts,
    days,
  });

function predictedAll(text: string, attempts: readonly RecordedAttempt[] | null): Predicted[] {
  const repository = aRepository(text, attempts);
  const pricing = { isPublic: false, largerRunnerLabels: largerRunners };
  return predictEffects(repository, recommend(repository), pricing).recommendations.filter(
    ({ kind }) => kind.id === 'ADV-09',
  );
}

describe('a job that passed on two sizes of runners', () => {
  test('is recommended the one that costs less, with when its runs end', () => {
    const [one, ...others] = predictedAll(file(), history());
    expect(others).toEqual([]);
    expect(one?.text.replace(/\u00a0/g, ' ')).toBe(
      '“test” takes 12 min 1 s on “ubuntu-24.04” and 10 min 1 s on “big” (medians of 40 and 60 passing jobs).',
    );
    expect(one).toMatchObject({ reasons: [], sample: 100, path: '.github/workflows/ci.yml' });
    expect(one?.evidence).toHaveLength(40);
    const { history: past, next, wall, saves } = one?.effect ?? {};
    expect(saves).toBe('cost');
    // On 60 runs 10 or 11 minutes at 0.022 become 12 or 13 at 0.006; a minute of reports and 40 runs stay.
    expect(past?.minutesBefore).toBe(30 * (10 + 11) + 20 * (12 + 13) + 100);
    expect(past?.minutesAfter).toBe(30 * (12 + 13) + 20 * (12 + 13) + 100);
    const stays = (20 * 25 + 100) * 0.006;
    expect(past?.costBefore).toBeCloseTo(630 * 0.022 + stays, 6);
    expect(past?.costAfter).toBeCloseTo(750 * 0.006 + stays, 6);
    expect(next?.costSaved?.low).toBeGreaterThan(0);
    expect(next?.minutesSaved.high).toBeLessThan(0);
    expect(wall?.next.p50?.low).toBeGreaterThanOrEqual(0);
  });

  test('is recommended the faster one where it costs about the same', () => {
    const [one] = predictedAll(
      file('ubuntu-24.04'),
      history({
        minutes: [
          ['middle', 6],
          ['ubuntu-24.04', 12],
        ],
      }),
    );
    expect(one?.reasons).toEqual([]);
    expect(one?.effect.wall?.next.p50?.high).toBeLessThan(-60);
    expect(one?.changes).toEqual([{ do: 'replace', at: ['jobs', 'test', 'runs-on'], value: 'middle' }]);
  });

  const alike: Trial['minutes'] = [
    ['ubuntu-24.04', 10],
    ['big', 10],
  ];

  test('saves what it costs on the days since it runs there alone, however long it takes', () => {
    const [one] = predictedAll(file(), history({ minutes: alike }));
    expect(one?.reasons).toEqual([]);
    expect(one?.effect.next?.from).toBe(days[20]);
    // Of 28 days with 10 and 11 minutes each at 0.022 instead of 0.006.
    const saved = 28 * 21 * (0.022 - 0.006);
    expect(one?.effect.next?.costSaved?.mid).toBeCloseTo(saved, 6);
    expect(one?.effect.next?.costSaved?.low).toBeGreaterThan(0.9 * saved);
  });

  test('has no predicted saving where these are fewer than 28', () => {
    const [one] = predictedAll(file(), history({ minutes: alike, first: 46 }));
    expect([one?.reasons, one?.effect.reason, one?.effect.next]).toEqual([[], 'level_changed', null]);
    const late = history({ minutes: alike }).map((run, index) =>
      index === 98 ? { ...run, jobs: (run.jobs ?? []).map((job) => ({ ...job, labels: ['ubuntu-24.04'] })) } : run,
    );
    expect(predictedAll(file(), late)[0]?.effect).toMatchObject({ reason: 'level_changed', next: null });
  });

  test('lets what waits for it follow, and leaves other versions of the file', () => {
    const attempts = history().map((one, index) =>
      index === 99 ? { ...one, jobs: [...(one.jobs ?? []), aJob('old', one.arrivedAt, 1)] } : one,
    );
    const [one] = predictedAll(file(), attempts);
    const after = one?.counterfactual?.change(attempts) ?? [];
    const from = attempts[98]?.arrivedAt ?? 0;
    expect((after[98]?.jobs ?? []).map((job) => [job.labels, ((job.completedAt ?? 0) - from) / minute])).toEqual([
      [['ubuntu-24.04'], expect.closeTo(12, 1)],
      [['ubuntu-24.04'], expect.closeTo(13 + 5 / 60, 1)],
    ]);
    expect([after[99], after[0]]).toEqual([attempts[99], attempts[0]]);
  });

  test('says nothing of when runs end where jobs wait for runners', () => {
    const [one] = predictedAll(file(), history({ wait: 2 * minute }));
    expect(one?.reasons).toEqual([]);
    expect([one?.effect.wall, one?.effect.next?.costSaved === null]).toEqual([null, false]);
  });

  test('has no predicted saving where other jobs have no known price', () => {
    const attempts = history().map((one) => ({
      ...one,
      jobs: (one.jobs ?? []).map((job) => (job.name === 'report' ? on('unknown', job) : job)),
    }));
    expect(predictedAll(file(), attempts)[0]?.effect).toMatchObject({ reason: 'price_unknown', next: null });
  });

  test('has no part in the total of a plan', () => {
    const pricing = { isPublic: false, largerRunnerLabels: largerRunners };
    const { plan } = judge({ repository: aRepository(file(), history()), pricing, dismissed: [] });
    expect(plan.rows.filter(({ kind }) => kind === 'ADV-09')).toMatchObject([
      { alone: null, marginal: null, saves: 'cost', shortensRuns: false },
    ]);
    expect(plan.rows.find(({ kind }) => kind === 'ADV-09')?.proposed?.promised).toBeNull();
  });

  test('shortens runs in a plan where it costs about the same, and saves nothing where nothing is predicted', () => {
    const pricing = { isPublic: false, largerRunnerLabels: largerRunners };
    const rowOf = (text: string, attempts: readonly RecordedAttempt[]) =>
      judge({ repository: aRepository(text, attempts), pricing, dismissed: [] }).plan.rows.find(
        ({ kind }) => kind === 'ADV-09',
      );
    const faster = history({
      minutes: [
        ['middle', 6],
        ['ubuntu-24.04', 12],
      ],
    });
    expect(rowOf(file('ubuntu-24.04'), faster)).toMatchObject({ alone: null, saves: 'wall time', shortensRuns: true });
    expect(rowOf(file(), history({ first: 46 }))).toMatchObject({ saves: null, shortensRuns: false });
  });

  test('is told with others by what it saves', () => {
    const repository = aRepository(file(), history());
    const pricing = { isPublic: false, largerRunnerLabels: largerRunners };
    const { recommendations, past } = predictEffects(repository, recommend(repository), pricing);
    const chosen = recommendations.filter(({ kind }) => kind.id === 'ADV-09');
    expect(predictTogether(chosen, past, { of: 'changed workflows' })).toEqual(chosen[0]?.effect);
  });
});

test('together with runs that are left out it is told with the minutes of both', () => {
  const attempts = history();
  const repository = {
    ...aRepository(file(), attempts),
    requiredChecks: [],
    documentation: attempts.map(({ headSha }, index) => ({
      shas: [headSha],
      mergeSha: null,
      changedFiles: 1,
      patterns: index % 2 === 0 ? ['**/*.md'] : null,
    })),
  };
  const pricing = { isPublic: false, largerRunnerLabels: largerRunners };
  const { recommendations, past } = predictEffects(repository, recommend(repository), pricing);
  const chosen = recommendations.filter(({ kind }) => kind.id === 'ADV-09' || kind.id === 'ADV-04');
  expect(chosen.map(({ kind, reasons }) => [kind.id, reasons])).toEqual([
    ['ADV-04', []],
    ['ADV-09', []],
  ]);
  const together = predictTogether(chosen, past, { of: 'changed workflows' });
  expect(together).toMatchObject({ saves: 'cost', wall: null });
  expect(together.next?.minutesSaved.low).toBeGreaterThan(0);
  const body = pullRequestBody({
    repository: { owner: 'octo', repo: 'web' },
    chosen,
    window: null,
    reproducedMinutes: null,
    together,
    showsCost: true,
    pagesUrl: 'https://pages.example',
    webUrl: 'https://codehost.example',
  });
  expect(body).toMatch(/^\| All together \| \d+–\d+ % fewer \| \d+–\d+ fewer \|$/m);
  expect(body).toMatch(/^At list prices that is [\d.]+ to [\d.]+ USD less\.$/m);
});

describe('no size is recommended', () => {
  const kindsOf = (text: string, trial: Trial) => predictedAll(text, history(trial)).map(({ reasons }) => reasons);
  test.each([
    [
      'that costs more, however fast',
      file('ubuntu-24.04'),
      {
        minutes: [
          ['big', 10],
          ['ubuntu-24.04', 12],
        ],
      },
    ],
    [
      'of another system',
      file('big'),
      {
        minutes: [
          ['windows-2025', 1],
          ['big', 10],
        ],
      },
    ],
    [
      'of another architecture',
      file('big'),
      {
        minutes: [
          ['ubuntu-24.04-arm', 1],
          ['big', 10],
        ],
      },
    ],
    [
      'whose price is not known',
      file('big'),
      {
        minutes: [
          ['unknown', 1],
          ['big', 10],
        ],
      },
    ],
    [
      'that is the same by another label',
      file('ubuntu-24.04'),
      {
        minutes: [
          ['ubuntu-latest', 1],
          ['ubuntu-24.04', 10],
        ],
      },
    ],
    ['to jobs on own machines', file('[self-hosted, linux]'), {}],
  ] satisfies [string, string, Trial][])('%s', (_what, text, trial) => {
    expect(kindsOf(text, trial)).toEqual([]);
  });

  test('without 30 passing jobs on both, or without history', () => {
    expect(predictedAll(file(), history().slice(15))).toEqual([]);
    expect(predictedAll(file(), null)).toEqual([]);
  });

  test.each([
    ['an expression', file(`\${{ vars.RUNNER }}`), ['expression']],
    ['a list', file('[big]'), ['unusual_yaml']],
    ['a group', file('{group: team, labels: big}'), ['unusual_yaml']],
  ])('in place of %s', (_what, text, reasons) => {
    expect(kindsOf(text, {})).toEqual([reasons]);
  });

  test('where a cell has too few runs to compare, or all were on few days', () => {
    const cells = history({ name: 'test (1)' });
    const more = cells
      .slice(-10)
      .map((one) => ({ ...one, jobs: [...(one.jobs ?? []), on('big', aJob('test (2)', one.arrivedAt, 4))] }));
    const text = file('big').replace(
      '    steps:\n      - run: make test',
      '    strategy: {matrix: {part: [1, 2]}}\n    steps:\n      - run: make test',
    );
    const attempts = [...cells.slice(0, -10), ...more].map((one) => ({ ...one, billedMinutes: null }));
    expect(predictedAll(text, attempts).map(({ reasons }) => reasons)).toEqual([['sample_too_small']]);
    const hurried = history().map((one, index) => (index < 40 ? { ...one, arrivedAt: days[index % 3] ?? 0 } : one));
    expect(predictedAll(file(), hurried).map(({ reasons }) => reasons)).toEqual([['sample_too_small']]);
  });
});

test('two sizes are never recommended in turns', () => {
  for (const ubuntu of [5, 8, 10, 11, 12, 14, 20, 30, 40])
    for (const price of ['middle', 'big']) {
      const attempts = history({
        minutes: [
          [price, 10],
          ['ubuntu-24.04', ubuntu],
        ],
      });
      const found = [price, 'ubuntu-24.04'].flatMap((label) =>
        recommend(aRepository(file(label), attempts)).filter(({ kind }) => kind.id === 'ADV-09'),
      );
      expect(found.length).toBeLessThan(2);
    }
});

describe('the patch', () => {
  test.each([
    ['a plain label', 'big # fast', ['-    runs-on: big # fast', '+    runs-on: ubuntu-24.04 # fast']],
    ['a quoted one', '"big"', ['-    runs-on: "big"', '+    runs-on: "ubuntu-24.04"']],
  ])('replaces %s alone', (_what, label, diff) => {
    const { files: _files, ...around } = aRepository('', history());
    expect(patchWith('ADV-09', file(label), around)).toEqual({ diff, refused: [] });
  });
});

describe('the ratio of two medians', () => {
  const jobs = (seconds: (index: number) => number, count = 60) =>
    Array.from({ length: count }, (_, index) => ({ day: (index % 20) * day, seconds: seconds(index) }));

  test('is exact where all take the same', () => {
    expect(
      durationRatio(
        jobs(() => 600),
        jobs(() => 300),
        ['x'],
      ),
    ).toEqual({ low: 0.5, mid: 0.5, high: 0.5 });
  });

  test('has a range around it that is the same each time', () => {
    const ratio = durationRatio(
      jobs((index) => 500 + ((index * 37) % 200)),
      jobs((index) => 250 + ((index * 53) % 100)),
      ['x'],
    );
    expect(ratio?.low).toBeLessThan(ratio?.mid ?? 0);
    expect(ratio?.high).toBeGreaterThan(ratio?.mid ?? 1);
    expect(ratio?.high).toBeLessThan(0.65);
    expect(ratio).toEqual(
      durationRatio(
        jobs((index) => 500 + ((index * 37) % 200)),
        jobs((index) => 250 + ((index * 53) % 100)),
        ['x'],
      ),
    );
  });

  test('is not known of fewer than seven days', () => {
    expect(
      durationRatio(
        jobs(() => 600),
        jobs(() => 300, 6),
        ['x'],
      ),
    ).toBeNull();
  });
});
