import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { dayMs } from '../../../server/metrics/kernel/window.ts';
import {
  attemptsPerMerge,
  minutesBetween,
  minutesToMerge,
  multipleAttemptsShare,
  queueGap,
  queueTotal,
} from '../../../server/metrics/merge-queue/attempts.ts';
import {
  checksTime,
  ciMinutesPerMerge,
  innocentRebuilds,
  listCheckRuns,
} from '../../../server/metrics/merge-queue/checks.ts';
import { decidingChecks, ejectingChecks } from '../../../server/metrics/merge-queue/deciding-checks.ts';
import {
  batchSize,
  bypassShare,
  ejectionRate,
  flakyEjectionShare,
  queueTime,
  throughput,
} from '../../../server/metrics/merge-queue/figures.ts';
import { type QueueFacts, queueHistory } from '../../../server/metrics/merge-queue/history.ts';
import { measureQueue } from '../../../server/metrics/merge-queue/summary.ts';
import { rounds } from '../../support/rounds.ts';
import { type Known, naiveFigures } from './naive-queue.ts';
import { added, at, groupRun, notice, pullRequest, removed } from './queue-facts.ts';

// Ejections of that day are old enough to tell what became of them.
const now = at('68:00');
const window = { from: now - 7 * dayMs, to: now };
const sha = (letter: string) => letter.repeat(40);

const historyOf = (facts: Partial<QueueFacts>) =>
  queueHistory({ pullRequests: [], notices: [], runs: [], ...facts }, 'main', now);
const scopeOf = (facts: Partial<QueueFacts>) => ({ window, history: historyOf(facts), runsFrom: 0 });

/** So many pull requests that the queue merged after 10, 20, … minutes. */
const merges = (count: number, first = 100) =>
  Array.from({ length: count }, (_, index) => {
    const end = `11:${String(10 * (index % 6)).padStart(2, '0')}:${String(index).padStart(2, '0')}`;
    return pullRequest({
      number: first + index,
      events: [added('11:00'), removed(end, 'merged')],
      mergedAt: end,
      mergeSha: `m${index}`,
      parentSha: `p${index}`,
    });
  });

describe('the figures of a queue', () => {
  test('of a pull request that was removed and merged in a second attempt', () => {
    const again = pullRequest({
      events: [added('10:00'), removed('10:30', 'failed_checks'), added('11:00'), removed('11:25', 'merged')],
      mergedAt: '11:25',
    });
    const scope = scopeOf({ pullRequests: [again] });
    const last = scope.history.stays.at(-1);
    expect(last?.attempts).toHaveLength(2);
    expect(last && minutesToMerge(last)).toBe(85);
    expect(last && minutesBetween(last)).toBe(30);
    const nine = scopeOf({ pullRequests: [again, ...merges(8)] });
    expect(ejectionRate(nine)(nine.history.stays)).toMatchObject({ value: 10, sample: 10 });
  });

  test('count no merge of a pull request that was closed while it was in the queue', () => {
    for (const [reason, group] of [
      ['manual', 'manual'],
      ['failed_checks', 'checks_failed'],
      [null, 'unknown'],
    ] as const) {
      const closed = pullRequest({ events: [added('10:00'), removed('10:20', reason)], closedAt: '10:20' });
      const scope = scopeOf({ pullRequests: [closed, ...merges(9)] });
      expect(scope.history.stays.find(({ number }) => number === 1)).toMatchObject({ outcome: 'removed', group });
      expect(attemptsPerMerge(scope)(scope.history.stays).sample).toBe(9);
      expect(scope.history.batches.flatMap(({ entries }) => entries.map(({ number }) => number))).not.toContain(1);
    }
  });

  test('count what was merged without the queue since the queue is known', () => {
    const before = pullRequest({ number: 1, mergedAt: '10:59' });
    const past = pullRequest({ number: 2, mergedAt: '11:30' });
    const scope = scopeOf({ pullRequests: [before, past, ...merges(9)] });
    expect(bypassShare(scope)(scope.history.merged)).toMatchObject({ value: 10, sample: 10 });
    const [left] = bypassShare(scope).evidence(scope.history.merged).excluded;
    expect(left).toMatchObject({ fact: { number: 1 }, reason: 'merged before anything is known of the queue' });
  });

  test('count what was ejected and is open as not merged unchanged', () => {
    const open = [1, 2, 3, 4, 5].map((number) =>
      pullRequest({ number, events: [added('10:00'), removed('10:30', 'failed_checks', 'head')] }),
    );
    const scope = scopeOf({ pullRequests: open });
    expect(flakyEjectionShare(scope)(scope.history.stays)).toMatchObject({ value: 0, sample: 5 });
  });

  test('wait 48 hours before an ejection counts as merged unchanged, or as not', () => {
    const again = [1, 2, 3, 4, 5].map((number) =>
      pullRequest({
        number,
        events: [added('10:00'), removed('10:30', 'failed_checks', 'head'), added('11:00'), removed('11:25', 'merged')],
        mergedAt: '11:25',
      }),
    );
    const measuredAt = (time: string) => {
      const history = queueHistory({ pullRequests: again, notices: [], runs: [] }, 'main', at(time));
      const scope = { history, window: { from: at('00:00'), to: at(time) }, runsFrom: 0 };
      return flakyEjectionShare(scope)(history.stays);
    };
    expect(measuredAt('58:29')).toMatchObject({ value: null, sample: 0 });
    expect(measuredAt('58:30')).toMatchObject({ value: 100, sample: 5 });
  });

  test('name no head of a pull request where the timeline names the commit of its merge group', () => {
    const branch = `gh-readonly-queue/main/pr-1-${sha('a')}`;
    const again = (headSha: string) =>
      pullRequest({
        events: [
          added('10:00'),
          removed('10:30', 'failed_checks', headSha),
          added('11:00'),
          removed('11:25', 'merged'),
        ],
        mergedAt: '11:25',
      });
    const runs = [groupRun(branch, '10:01', 5)];
    const isUnchanged = (facts: Partial<QueueFacts>) => historyOf(facts).stays[0]?.isMergedUnchanged;
    const ofGroup = again(`head of ${branch}`);
    expect(isUnchanged({ pullRequests: [again('head')], runs })).toBe(true);
    expect(isUnchanged({ pullRequests: [ofGroup], runs })).toBeNull();
    const told = notice(removed('10:30:04', 'ci_failure'));
    expect(isUnchanged({ pullRequests: [ofGroup], runs, notices: [told] })).toBe(true);
  });

  test('are withheld below their floors', () => {
    const few = scopeOf({ pullRequests: merges(4) });
    expect(queueTime(few, 0.5)(few.history.stays)).toMatchObject({ value: null, sample: 4 });
    const enough = scopeOf({ pullRequests: merges(5) });
    expect(queueTime(enough, 0.5)(enough.history.stays).value).not.toBeNull();
    expect(ejectionRate(enough)(enough.history.stays).value).toBeNull();
  });

  test('count neither unknown reasons nor new commits in the ejection rate', () => {
    const odd = [
      pullRequest({ number: 1, events: [added('10:00'), removed('10:30', 'brand_new_reason')] }),
      pullRequest({ number: 2, events: [added('10:00'), removed('10:30:30', 'failed_checks')], pushedAt: '10:30' }),
    ];
    const scope = scopeOf({ pullRequests: [...odd, ...merges(10)] });
    expect(ejectionRate(scope)(scope.history.stays)).toMatchObject({ value: 0, sample: 10 });
  });

  test('divide the minutes of all builds by the merges, and name what was wasted', () => {
    const branch = (letter: string) => `gh-readonly-queue/main/pr-12-${sha(letter)}`;
    const runs = [
      groupRun(branch('a'), '10:00', 10),
      groupRun(branch('a'), '10:01', 10),
      groupRun(branch('b'), '10:20', 7, { conclusion: 'cancelled' }),
    ];
    const three = scopeOf({ pullRequests: merges(3), runs });
    expect(ciMinutesPerMerge(three, 'all')(listCheckRuns(three.history)).value).toBeNull();
    const scope = scopeOf({ pullRequests: merges(6), runs });
    const checkRuns = listCheckRuns(scope.history);
    expect(ciMinutesPerMerge(scope, 'all')(checkRuns).value).toBe(4.5);
    expect(ciMinutesPerMerge(scope, 'wasted')(checkRuns).value).toBe(1.2);
    // Three runs, and six merges that they are divided by.
    expect(measureQueue(scope)).toMatchObject({
      queueCiMinutesPerMerge: { value: 4.5, sample: 6 },
      queueWastedMinutesPerMerge: { value: 1.2, sample: 6 },
    });
  });

  test('count a group that passed and was built anew as wasted', () => {
    const branch = (letter: string) => `gh-readonly-queue/main/pr-12-${sha(letter)}`;
    const rebuilt = pullRequest({
      number: 12,
      mergedAt: '11:00',
      events: [added('09:59'), removed('11:00', 'merged')],
    });
    const runs = [groupRun(branch('a'), '10:00', 10), groupRun(branch('b'), '10:20', 7)];
    const scope = scopeOf({ pullRequests: [...merges(6), rebuilt], runs });
    const checkRuns = listCheckRuns(scope.history);
    expect(checkRuns.map(({ result }) => result)).toEqual(['void', 'pass']);
    const mergedCount = scope.history.stays.filter(({ outcome }) => outcome === 'merged').length;
    expect(ciMinutesPerMerge(scope, 'wasted')(checkRuns).value).toBe(Math.round(100 / mergedCount) / 10);
  });

  test('divide no minutes where runs or merges of the window are not all known', () => {
    const runs = [groupRun('gh-readonly-queue/main/pr-x', '10:00', 30)];
    const scope = scopeOf({ pullRequests: merges(5), runs });
    const unread = scopeOf({
      pullRequests: [...merges(5), { ...pullRequest({ mergedAt: '12:00' }), mergeQueue: null }],
      runs,
    });
    const partly = { ...scope, runsFrom: window.from + 1 };
    for (const gap of [partly, { ...scope, runsFrom: null }, unread])
      for (const part of ['all', 'wasted'] as const)
        for (const some of [listCheckRuns(gap.history), []])
          expect(ciMinutesPerMerge(gap, part)(some).value).toBeNull();
    const [left] = ciMinutesPerMerge(partly, 'all').evidence(listCheckRuns(partly.history)).excluded;
    expect(left?.reason).toBe('not all runs since the start of the window are stored');
  });

  test('count a build without a number in minutes alone', () => {
    const runs = [groupRun('gh-readonly-queue/main/pr-x', '10:00', 30)];
    const scope = scopeOf({ pullRequests: merges(5), runs });
    expect(ciMinutesPerMerge(scope, 'all')(listCheckRuns(scope.history)).value).toBe(6);
    expect(scope.history.stays.flatMap(({ builds }) => builds)).toEqual([]);
  });

  test('agree with a second computation of random worlds', () => {
    for (let world = 0; world < rounds('QUEUE_FIGURES', 30, 1000); world++) {
      const { facts, known } = inventWorld(randomStream('queue figures', world));
      const scope = scopeOf(facts);
      const { stays, batches, merged } = scope.history;
      const runs = listCheckRuns(scope.history);
      const value = (measured: { value: number | null }) => measured.value;
      expect({
        time: value(queueTime(scope, 0.5)(stays)),
        slow: value(queueTime(scope, 0.9)(stays)),
        total: value(queueTotal(scope, 0.5)(stays)),
        attempts: value(attemptsPerMerge(scope)(stays)),
        repeated: value(multipleAttemptsShare(scope)(stays)),
        gap: value(queueGap(scope)(stays)),
        ejected: value(ejectionRate(scope)(stays)),
        flaky: value(flakyEjectionShare(scope)(stays)),
        rebuilds: value(innocentRebuilds(scope)(stays)),
        checks: value(checksTime(scope, 0.5)(stays)),
        minutes: value(ciMinutesPerMerge(scope, 'all')(runs)),
        hourly: value(throughput(scope)(stays)),
        batch: value(batchSize(scope, 'max')(batches)),
        bypass: value(bypassShare(scope)(merged)),
      }).toEqual(naiveFigures(known));
    }
  });
});

/** Pull requests of a day, with what became of each stay written down beside. */
function inventWorld(random: () => number) {
  const known: Known = { stays: [], bypassed: 0 };
  const facts: QueueFacts = { pullRequests: [], notices: [], runs: [] };
  const pullRequests: ReturnType<typeof pullRequest>[] = [];
  const runs: ReturnType<typeof groupRun>[] = [];
  const clock = (minutes: number) =>
    `${Math.floor(minutes / 60)}:${String(Math.floor(minutes % 60)).padStart(2, '0')}:00`;
  const count = 20 + Math.floor(random() * 30);
  for (let number = 1; number <= count; number++) {
    if (random() < 0.1) {
      pullRequests.push(pullRequest({ number, mergedAt: '15:00' }));
      known.bypassed++;
      continue;
    }
    const events = [];
    const own: Known['stays'] = [];
    let time = 8 * 60 + Math.floor(random() * 200);
    const isSameHead = random() < 0.5;
    for (let attempt = 1; ; attempt++) {
      const from = time;
      const builds = 1 + Math.floor(random() * 2.4);
      const lengths = Array.from({ length: builds }, () => 2 + Math.floor(random() * 9));
      time += 40 + Math.floor(random() * 30);
      const isMerged = attempt === 3 || random() < 0.7;
      const reason = isMerged ? 'merged' : random() < 0.6 ? 'failed_checks' : 'merge_conflict';
      for (const [index, length] of lengths.entries())
        runs.push(
          groupRun(
            `gh-readonly-queue/main/pr-${number}-${`${attempt}${index}`.repeat(20)}`,
            clock(from + index * 12),
            length,
            {
              id: runs.length,
              conclusion: isMerged && index === builds - 1 ? 'success' : 'failure',
            },
          ),
        );
      // Batches are told apart by commits.
      events.push(added(clock(from)), removed(clock(time), reason, isSameHead ? 'head' : 'other'));
      own.push({ number, from, to: time, reason, lengths, attempt, isSameHead });
      if (isMerged) break;
      time += 5 + Math.floor(random() * 60);
    }
    known.stays.push(...own);
    pullRequests.push(
      pullRequest({ number, events, mergedAt: clock(time), mergeSha: `m${number}`, parentSha: `p${number}` }),
    );
  }
  return { facts: { ...facts, pullRequests, runs }, known };
}

describe('checks that decide and eject', () => {
  const branch = `gh-readonly-queue/main/pr-1-${sha('a')}`;
  const job = (name: string, from: string, to: string, conclusion: 'success' | 'failure' | 'skipped' = 'success') => ({
    name,
    conclusion,
    startedAt: at(from),
    completedAt: at(to),
  });
  const ejected = pullRequest({ events: [added('9:59'), removed('10:30', 'failed_checks', 'head')] });

  test('are jobs where these are stored, and workflows elsewhere', () => {
    const jobs = [
      job('build', '10:00', '10:04'),
      job('test', '10:04', '10:20', 'failure'),
      job('x', '10:20', '10:20', 'skipped'),
    ];
    const runs = [
      groupRun(branch, '10:00', 20, { id: 1, jobs, conclusion: 'failure' }),
      groupRun(branch, '10:00', 12, { id: 2, workflowName: 'Lint' }),
    ];
    const scope = scopeOf({ pullRequests: [ejected], runs });
    expect(decidingChecks(scope)).toEqual([
      { workflow: 'CI', job: 'test', minutesP50: 16, minutesP90: 16, lastToFinishPct: 100 },
      { workflow: 'CI', job: 'build', minutesP50: 4, minutesP90: 4, lastToFinishPct: 0 },
      { workflow: 'Lint', job: null, minutesP50: 12, minutesP90: 12, lastToFinishPct: 0 },
    ]);
    expect(ejectingChecks(scope)).toEqual([{ workflow: 'CI', job: 'test', ejections: 1, thenPassed: 0 }]);
  });

  test('count what a re-run only lists once', () => {
    const build = job('build', '10:00', '10:04');
    const first = { id: 1, jobs: [build, job('test', '10:04', '10:20', 'failure')], conclusion: 'failure' as const };
    const again = { id: 1, attempt: 2, startedAt: at('10:30'), jobs: [build, job('test', '10:31', '10:33')] };
    const runs = [groupRun(branch, '10:00', 20, first), groupRun(branch, '10:00', 33, again)];
    const builds = [...runs, groupRun(branch, '10:00', 12, { id: 2, jobs: [job('build', '10:00', '10:12')] })];
    expect(decidingChecks(scopeOf({ runs: builds }))).toMatchObject([
      { job: 'test', minutesP50: 9 },
      { job: 'build', minutesP50: 8 },
    ]);
  });

  test('are not what passed when it was run again', () => {
    const runs = [
      groupRun(branch, '10:00', 5, { id: 1, conclusion: 'failure' }),
      groupRun(branch, '10:00', 9, { id: 1, attempt: 2 }),
      groupRun(branch, '10:00', 12, { id: 2, workflowName: 'Lint', conclusion: 'failure' }),
    ];
    expect(ejectingChecks(scopeOf({ pullRequests: [ejected], runs }))).toMatchObject([{ workflow: 'Lint', job: null }]);
  });
});
