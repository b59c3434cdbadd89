import { describe, expect, test } from 'vitest';
import { predictEffects } from '../../server/advisor/effects.ts';
import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import { recommend } from '../../server/advisor/recommend.ts';
import { attemptMinutes } from '../../server/advisor/replay/days.ts';
import { withWaits } from '../../server/advisor/replay/waits.ts';
import { aJob, anAdvisedRepository, anAttempt, day, hour, minute, now } from './histories.ts';

const midnight = Math.floor(now / day) * day;
const days = Array.from({ length: 40 }, (_, index) => midnight - (40 - index) * day);

/** A job that was created at `at`, waited and then took so many minutes. */
const waiting = (name: string, at: number, wait: number, minutes: number, failed = false): RecordedJob => ({
  ...aJob(name, at + wait * minute, minutes, failed ? 'failure' : 'success'),
  createdAt: at,
});

const ended = (attempt: RecordedAttempt): RecordedAttempt => ({
  ...attempt,
  endedAt: Math.max(...(attempt.jobs ?? []).map(({ completedAt }) => completedAt ?? 0)),
});

function effectOf(kind: string, text: string, attempts: readonly RecordedAttempt[]) {
  const path = '.github/workflows/ci.yml';
  const repository = anAdvisedRepository({
    files: [{ path, text }],
    workflowIds: new Map([[path, 7001]]),
    attempts: attempts.toSorted((one, other) => one.arrivedAt - other.arrivedAt),
    days,
  });
  const { recommendations } = predictEffects(repository, recommend(repository), { isPublic: false });
  const found = recommendations.find((one) => one.kind.id === kind);
  return [found?.reasons, found?.effect.reason, found?.effect.next !== null];
}

describe('runs that are superseded while their jobs wait', () => {
  const text = `on: pull_request
permissions: {}
jobs:
  test:
    runs-on: ubuntu-24.04
    steps: [{run: make}]
`;
  /** Four runs a day of ten minutes, each second one replaces the one before after so many minutes. */
  const replacedAfter = (after: number, wait = 5) =>
    days.flatMap((start) =>
      [9, 11].flatMap((hours) => {
        const arrivedAt = start + hours * hour;
        const headBranch = `fix-${arrivedAt}`;
        return [arrivedAt, arrivedAt + after * minute].map((at) =>
          ended(anAttempt({ arrivedAt: at, headBranch, jobs: [waiting('test', at, wait, 10)] })),
        );
      }),
    );

  test('have no prediction where a fifth of the wait decides what is cancelled', () => {
    expect(effectOf('ADV-01', text, replacedAfter(5.5))).toEqual([[], 'queue_not_reproduced', false]);
  });

  test('keep it where the wait decides nothing', () => {
    expect(effectOf('ADV-01', text, replacedAfter(3))).toEqual([[], null, true]);
  });

  test('keep it where runners are there at once', () => {
    expect(effectOf('ADV-01', text, replacedAfter(0.55, 0.5))).toEqual([[], null, true]);
  });
});

test('cells of a matrix that wait while another one fails have no prediction', () => {
  const text = `on: push
permissions: {}
jobs:
  test:
    strategy:
      fail-fast: false
      matrix: {os: [a, b]}
    runs-on: ubuntu-24.04
    steps: [{run: make}]
`;
  const failing = (wait: number) =>
    days.map((start) => {
      const at = start + 9 * hour;
      return ended(
        anAttempt({
          event: 'push',
          arrivedAt: at,
          conclusion: 'failure',
          jobs: [waiting('test (a)', at, 0, 4.5, true), waiting('test (b)', at, wait, 9)],
        }),
      );
    });
  expect(effectOf('ADV-06', text, failing(5))).toEqual([[], 'queue_not_reproduced', false]);
  expect(effectOf('ADV-06', text, failing(20))).toEqual([[], null, true]);
});

test('what was cancelled ends when it did', () => {
  const job = { ...waiting('a', midnight, 5, 10), conclusion: 'cancelled' as const };
  const [longer] = withWaits(ended(anAttempt({ arrivedAt: midnight, jobs: [job] })), 1.2).jobs ?? [];
  expect([longer?.startedAt, longer?.completedAt]).toEqual([midnight + 6 * minute, midnight + 15 * minute]);
});

test('a longer wait moves what follows, and takes as long', () => {
  const at = midnight;
  const attempt = ended(
    anAttempt({ arrivedAt: at, jobs: [waiting('a', at, 5, 10), waiting('b', at + 15 * minute, 10, 3)] }),
  );
  const longer = withWaits(attempt, 1.2);
  expect(
    longer.jobs?.map(({ createdAt, startedAt, completedAt }) =>
      [createdAt, startedAt, completedAt].map((time) => ((time ?? 0) - at) / minute),
    ),
  ).toEqual([
    [0, 6, 16],
    [16, 28, 31],
  ]);
  expect([(longer.endedAt ?? 0) - at, attemptMinutes(longer)]).toEqual([31 * minute, 13]);
});
