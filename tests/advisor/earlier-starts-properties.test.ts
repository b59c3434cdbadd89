import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import { attemptMinutes } from '../../server/advisor/replay/days.ts';
import { rounds } from '../support/rounds.ts';
import { aJob, anAttempt, minute, now, only, recommendFor } from './histories.ts';

const text = `on: pull_request
jobs:
  lint:
    runs-on: ubuntu-24.04
    steps: [{run: make lint}]
  build:
    runs-on: ubuntu-24.04
    steps: [{run: make}]
  test:
    needs: [lint, build]
    strategy: {matrix: {cell: [a, b]}}
    runs-on: ubuntu-24.04
    steps: [{run: make test}]
  report:
    needs: [test, lint, build]
    if: always()
    runs-on: ubuntu-24.04
    steps: [{run: make report}]
`;

const span = fc.record({
  lag: fc.integer({ min: 0, max: 90 }),
  wait: fc.integer({ min: 0, max: 90 }),
  took: fc.integer({ min: 0, max: 900 }),
});
const names = ['lint', 'build', 'test (a)', 'test (b)', 'report'];
const needed: Record<string, string[]> = {
  'test (a)': ['lint', 'build'],
  'test (b)': ['lint', 'build'],
  report: ['test (a)', 'test (b)', 'lint', 'build'],
};

/** A passing run whose jobs have these lags, waits and times, in seconds. */
function anyRun(spans: readonly { lag: number; wait: number; took: number }[], index: number): RecordedAttempt {
  const arrivedAt = now - (40 - index) * 60 * minute;
  const ends = new Map<string, number>();
  const jobs = names.map((name, at) => {
    const { lag = 0, wait = 0, took = 0 } = spans[at] ?? {};
    const createdAt = Math.max(arrivedAt, ...(needed[name] ?? []).map((one) => ends.get(one) ?? 0)) + 1000 * lag;
    const job = { ...aJob(name, createdAt + 1000 * wait, took / 60), createdAt };
    ends.set(name, job.completedAt ?? 0);
    return job;
  });
  return anAttempt({ arrivedAt, jobs });
}

test('no job starts before its run or later than recorded, lasts longer or shorter, or overtakes what it needs', () => {
  const runs = fc.array(fc.array(span, { minLength: 5, maxLength: 5 }), { minLength: 30, maxLength: 40 });
  fc.assert(
    fc.property(runs, (all) => {
      const attempts = all.map(anyRun);
      const found = recommendFor(text, { attempts }).filter(({ kind }) => kind.id === 'ADV-08');
      for (const { counterfactual, changes } of found) {
        const after = counterfactual?.change(attempts) ?? [];
        expect(after.map(attemptMinutes)).toEqual(attempts.map(attemptMinutes));
        for (const [index, { arrivedAt, jobs }] of after.entries())
          for (const job of jobs ?? []) {
            const before = attempts[index]?.jobs?.find(({ id }) => id === job.id);
            const [from, to] = [job.startedAt ?? 0, job.completedAt ?? 0];
            expect(from).toBeGreaterThanOrEqual(arrivedAt);
            expect(from).toBeLessThanOrEqual(before?.startedAt ?? 0);
            expect(to - from).toBe((before?.completedAt ?? 0) - (before?.startedAt ?? 0));
            if (job.name !== 'report') continue;
            for (const cell of jobs?.filter(({ name }) => name.startsWith('test')) ?? [])
              expect(from).toBeGreaterThanOrEqual(cell.completedAt ?? 0);
          }
        expect(changes.length).toBe(1);
      }
    }),
    { numRuns: rounds('EARLIER_STARTS', 30, 2000) },
  );
});

test('jobs behind it move by what the job that ended last had kept them waiting', () => {
  const attempts = Array.from({ length: 30 }, (_, index) =>
    anyRun(
      names.map((_name, at) => ({ lag: at, wait: at, took: 60 * (5 - at) })),
      index,
    ),
  );
  const found = only(recommendFor(text, { attempts }), 'ADV-08');
  expect(found?.anchor).toEqual(['jobs', 'test', 'needs', 'lint']);
  // It ends last, and the other one a minute before it: the jobs behind it move by the difference.
  const [after] = found?.counterfactual?.change(attempts) ?? [];
  const startOf = (attempt: RecordedAttempt | undefined, name: string) =>
    attempt?.jobs?.find((job) => job.name === name)?.startedAt ?? 0;
  expect(startOf(attempts[0], 'report') - startOf(after, 'report')).toBe(58_000);
});
