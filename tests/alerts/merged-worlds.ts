import type { PullRequestCommit } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { anActor } from '../metrics/delivery-builders.ts';
import { randomOf } from '../metrics/worlds.ts';
import { putMerged } from '../store/merged-pull-requests.ts';
import { hour, noon } from '../store/world.ts';

export interface Merged {
  number: number;
  mergedAt: number;
  isBots: boolean;
  commits: PullRequestCommit[];
}

/** Pull requests merged in twenty days, of people and bots, with commits of unknown, usual and great size. */
export function mergedWorld(seed: number, count = 14): Merged[] {
  const random = randomOf(seed);
  const pick = <Item>(...items: Item[]) => items[Math.floor(random() * items.length)] as Item;
  return Array.from({ length: count }, (_, index) => {
    const mergedAt = noon - Math.floor(random() * 20 * 24) * hour;
    const commits = Array.from({ length: pick(1, 2, 5) }, (_, position) => ({
      sha: `${seed}-${index}-${position}`.padEnd(40, '0'),
      author: pick(anActor('ann'), anActor('bo'), anActor('robot[bot]'), null),
      authorName: 'Kim',
      authoredAt: mergedAt - Math.floor(random() * 60) * hour,
      parents: pick(1, 1, 1, 1, 2),
      additions: pick(5, 400, null),
      deletions: pick(0, 1),
      changedFiles: pick(1, 20, 21, null),
    }));
    return { number: index + 1, mergedAt, isBots: random() < 0.15, commits };
  });
}

/** Keeps what was merged by then, and after the reading before, with its commits, as a night's reading would. */
export async function keepMerged(
  store: Store,
  { repoId, codehostId, asOf, after = 0 }: { repoId: number; codehostId: number; asOf: number; after?: number },
  world: readonly Merged[],
): Promise<void> {
  const author = (isBots: boolean) => anActor(isBots ? 'robot[bot]' : 'ann');
  const merged = world.filter(({ mergedAt }) => mergedAt > after && mergedAt <= asOf);
  const pullRequests = merged.map(({ number, mergedAt, isBots }) => ({ number, mergedAt, author: author(isBots) }));
  if (merged.length > 0) await putMerged(store, codehostId, ...pullRequests);
  for (const { number, commits } of merged)
    await store.pullRequestCommits.put(repoId, number, commits, { truncated: false, syncedAt: asOf });
  await store.pullRequestCommits.readThrough(repoId, asOf);
}
