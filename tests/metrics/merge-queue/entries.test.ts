import { describe, expect, test } from 'vitest';
import type { MergeQueueEvent } from '../../../server/metrics/kernel/delivery-facts.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { findBatches } from '../../../server/metrics/merge-queue/batches.ts';
import { findBuilds, readGroupBranch } from '../../../server/metrics/merge-queue/builds.ts';
import { findEntries, type MergeQueueNotice, minutesInQueue } from '../../../server/metrics/merge-queue/entries.ts';
import { isEjection } from '../../../server/metrics/merge-queue/reasons.ts';
import { rounds } from '../../support/rounds.ts';
import { added, at, groupRun, minute, notice, pullRequest, removed } from './queue-facts.ts';

const now = at('12:00');
const sha = (letter: string) => letter.repeat(40);

const summary = (entries: ReturnType<typeof findEntries>) =>
  entries.map((entry) => [entry.outcome, entry.group, minutesInQueue(entry), entry.isInferred]);

describe('entries of a queue', () => {
  test('of a merged pull request', () => {
    const one = pullRequest({ events: [added('10:00'), removed('10:40', 'merged')], mergedAt: '10:40' });
    expect(summary(findEntries([one], [], now))).toEqual([['merged', 'merged', 40, false]]);
  });

  test('end with the pull request where the removal was never written', () => {
    const merged = pullRequest({ events: [added('10:00')], mergedAt: '10:40' });
    expect(summary(findEntries([merged], [], now))).toEqual([['merged', 'merged', 40, true]]);
    const closed = pullRequest({ events: [added('10:00')], closedAt: '10:20' });
    expect(summary(findEntries([closed], [], now))).toEqual([['removed', 'manual', 20, true]]);
    const open = pullRequest({ events: [added('10:00')] });
    expect(summary(findEntries([open], [], now))).toEqual([['open', null, null, false]]);
  });

  test('without their begin have no time', () => {
    const one = pullRequest({ events: [removed('10:40', 'failed_checks')] });
    expect(summary(findEntries([one], [], now))).toEqual([['removed', 'checks_failed', null, false]]);
  });

  test('removed by new commits are no ejection, whatever the reason says', () => {
    const one = pullRequest({ events: [added('10:00'), removed('10:30:30', 'manual')], pushedAt: '10:30' });
    const [entry] = findEntries([one], [], now);
    expect([entry?.group, isEjection(entry?.group ?? null)]).toEqual(['pushed', false]);
  });

  test('keep a reason that is not known as it is said', () => {
    const one = pullRequest({ events: [added('10:00'), removed('10:30', 'brand_new_reason')] });
    expect(findEntries([one], [], now)).toMatchObject([{ group: 'unknown', reason: 'brand_new_reason' }]);
  });

  test('take the instant and the reason of the timeline over those of a webhook', () => {
    const one = pullRequest({ events: [added('10:00'), removed('10:30:01', 'failed_checks')] });
    const entries = findEntries([one], [notice(removed('10:30:04', 'ci_failure'))], now);
    expect(entries).toMatchObject([{ leftAt: at('10:30:01'), reason: 'failed_checks', source: 'timeline' }]);
  });

  test('are known by webhooks alone for 48 hours', () => {
    const notices = [notice(added('10:00')), notice(removed('10:40', 'merge'))];
    expect(summary(findEntries([], notices, now))).toEqual([['merged', 'merged', 40, false]]);
    expect(findEntries([], notices, now + 48 * 60 * minute)).toEqual([]);
  });

  test('keep the head that a webhook named after its 48 hours', () => {
    const one = pullRequest({ events: [added('10:00'), removed('10:30:01', 'failed_checks', 'head of the group')] });
    const later = now + 60 * 60 * minute;
    expect(findEntries([one], [notice(removed('10:30:04', 'ci_failure'))], later)).toMatchObject([{ headSha: 'head' }]);
    // What it says alone is not believed any more.
    expect(findEntries([one], [notice(added('11:00'))], later)).toHaveLength(1);
  });

  test('are the same for any order and repetition of what was reported', () => {
    const events = [added('10:00'), removed('10:30:01', 'failed_checks'), added('11:00'), removed('11:25', 'merged')];
    const notices = [notice(removed('10:30:04', 'ci_failure')), notice(added('11:00:02'))];
    const expected = findEntries([pullRequest({ events, mergedAt: '11:25' })], notices, now);
    expect(summary(expected)).toEqual([
      ['removed', 'checks_failed', 30 + 1 / 60, false],
      ['merged', 'merged', 25, false],
    ]);
    let orders = 0;
    for (const order of permutations<MergeQueueEvent | MergeQueueNotice>([...events, ...notices])) {
      orders += 1;
      const twice = [...order, ...order];
      const isNotice = (one: MergeQueueEvent): one is MergeQueueNotice => 'baseBranch' in one;
      const one = pullRequest({ events: twice.filter((each) => !isNotice(each)), mergedAt: '11:25' });
      expect(findEntries([one], twice.filter(isNotice), now)).toEqual(expected);
    }
    expect(orders).toBe(720);
  });

  test('of random histories are those that happened, with webhooks lost, doubled and late', () => {
    for (let world = 0; world < rounds('QUEUES', 40, 2000); world++) {
      const random = randomStream('merge queue', world);
      const stays = inventStays(random);
      const events = stays.flatMap(({ from, to, reason }): MergeQueueEvent[] => [
        { kind: 'added', at: from, isByBot: false, reason: null, headSha: null },
        ...(to === null ? [] : [{ kind: 'removed' as const, at: to, isByBot: false, reason, headSha: null }]),
      ]);
      const notices = events
        .filter(() => random() < 0.7)
        .flatMap((event) => {
          const later = notice({ ...event, at: event.at + Math.floor(random() * 20) * 1000 });
          return random() < 0.3 ? [later, later] : [later];
        })
        .sort(() => random() - 0.5);
      const one = { ...pullRequest(), mergeQueue: { events, mergeSha: null, parentSha: null } };
      const found = findEntries([one], notices, now);
      expect(found.map(({ enteredAt, leftAt, reason }) => ({ from: enteredAt, to: leftAt, reason }))).toEqual(stays);
    }
  });
});

/** Stays of one pull request, at least three minutes apart. */
function inventStays(random: () => number) {
  const stays: { from: number; to: number | null; reason: string | null }[] = [];
  let time = at('08:00');
  const step = () => (time += (3 + Math.floor(random() * 40)) * minute);
  for (let left = 1 + Math.floor(random() * 5); left > 0; left--) {
    const from = step();
    const isLast = left === 1;
    const to = isLast && random() < 0.5 ? null : step();
    if (to !== null && to > now) break;
    stays.push({ from, to, reason: to === null ? null : random() < 0.5 ? 'failed_checks' : 'manual' });
  }
  return stays.filter(({ from }) => from <= now);
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length < 2) yield [...items];
  for (const [index, first] of items.entries())
    if (items.length > 1)
      for (const rest of permutations(items.filter((_, other) => other !== index))) yield [first, ...rest];
}

describe('builds of merge groups', () => {
  test('are named by their branch', () => {
    expect(readGroupBranch(`gh-readonly-queue/release/1.2/pr-7-${sha('a')}`)).toEqual({
      branch: 'release/1.2',
      number: 7,
      baseSha: sha('a'),
    });
    expect(readGroupBranch('gh-readonly-queue/main/pr-x')).toEqual({ branch: 'main', number: null, baseSha: null });
    expect(readGroupBranch('topic')).toEqual({ branch: null, number: null, baseSha: null });
  });

  test('have all runs of a head, and end with the last', () => {
    const branch = `gh-readonly-queue/main/pr-12-${sha('a')}`;
    const runs = [groupRun(branch, '10:00', 10), groupRun(branch, '10:01', 20, { conclusion: 'failure' })];
    expect(findBuilds([...runs, ...runs])).toMatchObject([
      { number: 12, result: 'fail', createdAt: at('10:00'), completedAt: at('10:21'), runs },
    ]);
    const again = groupRun(branch, '10:01', 25, { attempt: 2, createdAt: at('10:01') });
    expect(findBuilds([...runs, again])).toMatchObject([
      { result: 'pass', runs: [...runs, again].toSorted((a, b) => a.id - b.id || a.attempt - b.attempt) },
    ]);
    const cancelled = groupRun(branch, '10:02', 1, { conclusion: 'cancelled' });
    expect(findBuilds([runs[0] ?? cancelled, cancelled])).toMatchObject([{ result: 'void' }]);
    expect(findBuilds([groupRun(branch, '10:00', null)])).toMatchObject([{ result: 'running', completedAt: null }]);
  });
});

describe('batches', () => {
  const merges = (times: string[], shas: readonly (readonly [string, string])[]) =>
    findEntries(
      times.map((time, index) => {
        const [parentSha, mergeSha] = shas[index] ?? [];
        const parts = parentSha && mergeSha ? { parentSha, mergeSha } : {};
        return pullRequest({
          number: index + 1,
          events: [added('09:00'), removed(time, 'merged')],
          mergedAt: time,
          ...parts,
        });
      }),
      [],
      now,
    );
  const times = ['10:00:01', '10:00:04', '10:00:09', '10:00:15'];

  test('follow the commits', () => {
    const chained = merges(times, [
      ['0', 'a'],
      ['a', 'b'],
      ['b', 'c'],
      ['x', 'd'],
    ]);
    expect(findBatches(chained).map(({ basis, entries }) => [basis, entries.length])).toEqual([
      ['commits', 3],
      ['commits', 1],
    ]);
  });

  test('follow the time where commits are not known', () => {
    expect(findBatches(merges(times, [])).map(({ basis, entries }) => [basis, entries.length])).toEqual([['time', 4]]);
  });
});
