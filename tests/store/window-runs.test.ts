import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FactBatch } from '../../server/facts/fact-repository.ts';
import { tallyQuantile, tallyValues } from '../../server/metrics/kernel/bootstrap.ts';
import { quantile } from '../../server/metrics/kernel/statistics.ts';
import type { Window } from '../../server/metrics/kernel/window.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { syncStateOf } from '../facts/made-facts.ts';
import { conclusive, latest, naiveDurations, naiveWaits, passed } from '../metrics/naive.ts';
import { worlds } from '../metrics/worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { mergedPullRequest } from './merged-pull-requests.ts';
import { day, noon, repository, track } from './world.ts';

const isIn = ({ createdAt }: MeasuredRun, { from, to }: Window) => createdAt >= from && createdAt <= to;

const spread = (counted: readonly { value: number; count: number }[]) =>
  counted.flatMap(({ value, count }) => Array.from({ length: count }, () => value)).sort((a, b) => a - b);

eachDatabase((given) => {
  test('the runs of a window are counted, and their times too, as they are one by one', async () => {
    // A repository for each world, beside those before it: a database for each takes ten times as long.
    const store = await given.open();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(worlds, async ({ now, attempts: made }) => {
        const window: Window = { from: now - 30 * day, to: now };
        const repoId = await track(store, ++number);
        // A run is of one repository.
        const attempts = made.map((one) => ({
          ...one,
          id: 1000 * number + one.id,
          headSha: one.headSha.padEnd(40, '0'),
        }));
        await store.runs.ingest(repoId, attempts, { syncedAt: now });
        const known = latest(attempts).filter((one) => isIn(one, window));
        const [outcomes, durations, waits] = await Promise.all([
          store.windowRuns.outcomes([repoId], window, 30),
          store.windowRuns.durations([repoId], window),
          store.windowRuns.waits([repoId], window),
        ]);
        const byDay = Map.groupBy(known, ({ createdAt }) => Math.min(29, Math.floor((createdAt - window.from) / day)));
        expect(new Map(outcomes.map(({ day: index, ...counts }) => [index, counts]))).toEqual(
          new Map(
            [...byDay].map(([index, own]) => {
              const ended = conclusive(own);
              const good = ended.filter(passed).length;
              return [index, { runs: own.length, passed: good, failed: ended.length - good }];
            }),
          ),
        );
        expect(spread(durations)).toEqual(naiveDurations(known).sort((a, b) => a - b));
        expect(spread(waits)).toEqual(naiveWaits(known).sort((a, b) => a - b));
        const tally = tallyValues(durations.map(({ value, count }) => [value, count]));
        for (const q of [0.5, 0.95]) expect(tallyQuantile(tally, q)).toEqual(quantile(naiveDurations(known), q));
        expect(await store.windowRuns.outcomes([], window, 30)).toEqual([]);
      }),
      { numRuns: rounds('PROPERTY_RUNS', 12, 200) },
    );
  });

  test('pull requests that ended in a window are those that were stored, of the repositories that were named', async () => {
    const store = await given.open();
    const [web, other] = [await track(store, 1), await track(store, 2)];
    const bob = { login: 'bob', avatarUrl: 'https://codehost.test/bob.png', isBot: false };
    const review = {
      id: 'r1',
      reviewer: bob,
      state: 'approved',
      submittedAt: noon - 3 * day,
      commitSha: null,
    } as const;
    const items = [
      mergedPullRequest({ number: 1, mergedAt: noon - 2 * day, reviews: [{ ...review, comments: 2 }] }),
      { ...mergedPullRequest({ number: 2, mergedAt: noon - day }), state: 'closed' as const, mergedAt: null },
      mergedPullRequest({ number: 3, mergedAt: noon - 40 * day }),
      mergedPullRequest({ number: 4, mergedAt: noon - 30 * day }),
      mergedPullRequest({ number: 5, mergedAt: noon }),
    ];
    for (const id of [1, 2]) {
      const syncState = syncStateOf('pull_requests', { floor: noon - 90 * day, through: noon });
      await store.facts.store(repository(id), [{ syncState, items, replaces: true } as FactBatch]);
    }
    const stored = await store.facts.facts(repository(1), 'pull_requests', 0);
    const byNumber = <One extends { number: number }>(list: One[]) => list.toSorted((a, b) => a.number - b.number);
    const found = await store.endedPullRequests([web], { from: noon - 30 * day, to: noon });
    expect(byNumber(found)).toEqual(
      byNumber(stored.filter(({ number }) => number !== 3)).map((one) => ({ ...one, repoId: web })),
    );
    expect(found.find(({ number }) => number === 1)?.reviews).toMatchObject([{ reviewer: bob, comments: 2 }]);
    const both = await store.endedPullRequests([web, other], { from: noon - 2 * day, to: noon - 2 * day });
    expect(both.map(({ repoId, number }) => [repoId, number]).sort()).toEqual([
      [web, 1],
      [other, 1],
    ]);
    expect(await store.pullRequestWindows([web, 4711])).toEqual(new Map([[web, { from: noon - 90 * day, to: noon }]]));
  });
});
