import { expect, test } from 'vitest';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { quantile } from '../../../server/metrics/kernel/statistics.ts';
import { dayMs, minuteMs } from '../../../server/metrics/kernel/window.ts';
import { ejectingChecks, nameCheck } from '../../../server/metrics/merge-queue/deciding-checks.ts';
import { queueHistory } from '../../../server/metrics/merge-queue/history.ts';
import { countBatchSizes, countReasons, measureQueue } from '../../../server/metrics/merge-queue/summary.ts';
import { findTrains } from '../../../server/metrics/merge-queue/trains.ts';
import { pageEntries } from '../../../server/reports/merge-queue/entries.ts';
import { mixedQueue } from '../../metrics/merge-queue/mixed-queue.ts';
import { at } from '../../metrics/merge-queue/queue-facts.ts';
import { rounds } from '../../support/rounds.ts';

const now = at('20:00');
type Input = Parameters<typeof pageEntries>[2];
type Row = ReturnType<typeof pageEntries>['entries'][number];

const rounded = (value: number | null, digits = 1) =>
  value === null
    ? null
    : Number((Math.round(Number((value * 10 ** digits).toPrecision(12))) / 10 ** digits).toFixed(digits));
const share = (rows: Row[], holds: (row: Row) => boolean) => (100 * rows.filter(holds).length) / rows.length;
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const timesFrom = (rows: Row[], select: (row: Row) => number | null) =>
  rows.flatMap((row) => {
    const from = select(row);
    return from === null || row.leftAt === null ? [] : (row.leftAt - from) / minuteMs;
  });
const atLeast = (floor: number, rows: readonly unknown[], value: () => number | null, digits = 1) => ({
  value: rows.length < floor ? null : rounded(value(), digits),
  sample: rows.length,
});

/** Each figure from the rows alone. */
function figuresOf(rows: Row[]) {
  const merged = rows.filter(({ outcome }) => outcome === 'merged');
  const timed = merged.filter(({ enteredAt }) => enteredAt !== null);
  const decided = rows.filter(({ outcome }) => outcome === 'merged' || outcome === 'ejected');
  const byChecks = rows.filter(({ group }) => group === 'checks_failed' || group === 'checks_timed_out');
  const isOld = ({ leftAt }: Row) => leftAt !== null && leftAt <= now - 2 * dayMs;
  const known = byChecks.filter((row) => row.mergedUnchanged !== null && isOld(row));
  const built = merged.filter(({ checksRounds }) => checksRounds !== null);
  const checked = rows.filter(({ outcome, checksMinutes }) => outcome !== 'open' && checksMinutes !== null);
  const inQueue = timesFrom(timed, ({ enteredAt }) => enteredAt);
  const inAll = timesFrom(timed, ({ firstEnteredAt }) => firstEnteredAt);
  return {
    queueTimeP50: atLeast(5, timed, () => quantile(inQueue, 0.5)),
    queueTimeP90: atLeast(5, timed, () => quantile(inQueue, 0.9)),
    queueTotalP50: atLeast(5, timed, () => quantile(inAll, 0.5)),
    queueTotalP90: atLeast(5, timed, () => quantile(inAll, 0.9)),
    attemptsPerMerge: atLeast(5, merged, () => mean(merged.map(({ attempts }) => attempts)), 2),
    ejectionRate: atLeast(10, decided, () => share(decided, ({ outcome }) => outcome === 'ejected')),
    innocentRebuilds: atLeast(10, built, () => mean(built.map(({ checksRounds }) => (checksRounds ?? 1) - 1)), 2),
    flakyEjectionShare: atLeast(5, known, () => share(known, ({ mergedUnchanged }) => mergedUnchanged === true), 0),
    checksTimeP50: atLeast(5, checked, () =>
      quantile(
        checked.flatMap(({ checksMinutes }) => checksMinutes ?? []),
        0.5,
      ),
    ),
    throughputPerHour: merged.length,
  };
}

function sizesOf(rows: Row[]) {
  const batches = Map.groupBy(
    rows.filter(({ batchId }) => batchId !== null),
    ({ batchId }) => batchId,
  );
  const sizes = Map.groupBy(batches.values(), ({ length }) => length);
  return [...sizes].map(([size, { length }]) => ({ size, batches: length })).sort((a, b) => a.size - b.size);
}

test('rows of random queues sum up to every number of the summary, page by page and by each filter', () => {
  for (let world = 0; world < rounds('QUEUE_ROWS', 60, 3000); world++) {
    const random = randomStream('queue rows', world);
    const facts = mixedQueue(random, now);
    const history = queueHistory(facts, 'main', now);
    const window = { from: now - (1 + Math.floor(random() * 30)) * dayMs, to: now };
    const scope = { history, window, runsFrom: 0 };
    const trains = findTrains(history, facts.pullRequests, null);
    const list = (input: Omit<Input, 'limit' | 'cursor'> = {}) => {
      const rows: Row[] = [];
      const limit = 1 + Math.floor(random() * 20);
      for (let cursor: string | undefined; ; ) {
        const page = pageEntries({ history, trains }, { window, asOf: now }, { ...input, cursor, limit });
        rows.push(...page.entries);
        if (page.nextCursor === null) {
          expect(page.total).toBe(rows.length);
          return rows;
        }
        expect(page.entries).toHaveLength(limit);
        cursor = page.nextCursor;
      }
    };
    const rows = list();
    expect(new Set(rows.map(({ number, enteredAt, leftAt }) => `${number} ${enteredAt} ${leftAt}`)).size).toBe(
      rows.length,
    );
    const ended = rows.filter(({ outcome }) => outcome !== 'open');
    const measured = measureQueue(scope);
    const { throughputPerHour, ...figures } = figuresOf(ended);
    expect(measured).toMatchObject(figures);
    expect(measured.throughputPerHour.sample).toBe(throughputPerHour);
    expect(rows.length - ended.length).toBe(history.stays.filter(({ outcome }) => outcome === 'open').length);
    for (const { group, count } of countReasons(scope)) expect(list({ reason: group })).toHaveLength(count);
    for (const outcome of ['merged', 'ejected', 'removed', 'open'] as const)
      expect(list({ outcome })).toEqual(rows.filter((row) => row.outcome === outcome));
    for (const { ejections, thenPassed, ...check } of ejectingChecks(scope)) {
      const own = list({ check: nameCheck(check) });
      expect([own.length, own.filter(({ mergedUnchanged }) => mergedUnchanged).length]).toEqual([
        ejections,
        thenPassed,
      ]);
    }
    // A batch whose end is in the window may have begun before it.
    if (history.batches.every(({ entries }) => entries.every(({ leftAt }) => (leftAt ?? 0) >= window.from)))
      expect(sizesOf(rows)).toEqual(countBatchSizes(scope));
  }
});
