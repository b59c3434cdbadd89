import { expect, test } from 'vitest';
import { afterHoursCommits, oversizedCommits } from '../../server/alerts/commit-metrics.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import { putMerged } from '../store/merged-pull-requests.ts';
import { day, hour, noon, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { keepMerged, type Merged, mergedWorld } from './merged-worlds.ts';

interface Counted {
  part: number;
  total: number;
  /** Who wrote them. */
  writers: Set<string>;
}

const tooFew = 'Fewer than three people wrote the commits that count.';

/** Counted a second time; the team works from 8 to 19 in a zone seven hours ahead of UTC. */
function naive(world: readonly Merged[], now: number, windowHours: number): Record<string, Counted> {
  const from = now - windowHours * hour;
  const oversized: Counted = { part: 0, total: 0, writers: new Set() };
  const afterHours: Counted = { part: 0, total: 0, writers: new Set() };
  for (const { mergedAt, isBots, commits } of world) {
    if (isBots || mergedAt < from || mergedAt >= now) continue;
    for (const { author, authorName, parents, additions, deletions, changedFiles, authoredAt } of commits) {
      if (parents > 1 || author?.login === 'robot[bot]') continue;
      if (additions !== null && deletions !== null && changedFiles !== null) {
        oversized.total++;
        oversized.writers.add(author?.login ?? authorName);
        if (additions + deletions > 400 || changedFiles > 20) oversized.part++;
      }
      if (authoredAt < from) continue;
      const local = new Date(authoredAt + 7 * hour);
      const isWorkday = local.getUTCDay() >= 1 && local.getUTCDay() <= 5;
      afterHours.total++;
      afterHours.writers.add(author?.login ?? authorName);
      if (!isWorkday || local.getUTCHours() < 8 || local.getUTCHours() >= 19) afterHours.part++;
    }
  }
  return { [oversizedCommits.key]: oversized, [afterHoursCommits.key]: afterHours };
}

aDatabase((given) => {
  test('shares of commits are what a second count of the raw facts says, at any moment of random worlds', async () => {
    const store = await given.open();
    const seen = new Set<number | null>();
    let hidden = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const world = mergedWorld(seed);
      const repoId = await track(store, seed);
      await keepMerged(store, { repoId, codehostId: seed, asOf: noon }, world);
      const range = { repoId, defaultBranch: 'main', people: createPeople(), from: noon - 12 * day, until: noon };
      for (const metric of [oversizedCommits, afterHoursCommits])
        for (const windowHours of [30, 24 * 7]) {
          const facts = await metric.load({ ...range, windowHours }, store);
          for (const now of [noon, noon - 31 * hour, noon - 5 * day, noon - 12 * day]) {
            const { part, total, writers } = naive(world, now, windowHours)[metric.key] as Counted;
            const isHidden = total > 0 && writers.size < 3;
            const value = total === 0 || isHidden ? null : (100 * part) / total;
            const expected = { value, sample: total, ...(isHidden && { incomplete: tooFew }) };
            expect(metric.measure(facts, { now, windowHours })).toEqual(expected);
            seen.add(value);
            if (isHidden) hidden++;
          }
        }
    }
    expect(hidden).toBeGreaterThan(5);
    expect(seen.size).toBeGreaterThan(15);
  });

  test('a window is known from where its commits were read, and not further back than they are stored', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await keepMerged(store, { repoId, codehostId: 1, asOf: noon }, mergedWorld(1));
    const range = { repoId, defaultBranch: 'main', people: createPeople(), from: noon - 90 * day, until: noon };
    const facts = await oversizedCommits.load({ ...range, windowHours: 24 }, store);
    expect(facts.knownFrom).toBe(noon - 119 * day);
    await putMerged(store, 1, { number: 99, mergedAt: noon - 30 * day });
    const gap = await oversizedCommits.load({ ...range, windowHours: 24 }, store);
    expect(gap.knownFrom).toBe(noon - 29 * day + 1);
    await putMerged(store, 1, { number: 100, mergedAt: noon + 1 });
    expect((await oversizedCommits.load({ ...range, windowHours: 24 }, store)).knownFrom).toBe(noon - 29 * day + 1);
  });
});
