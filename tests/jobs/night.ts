import type { Services } from '../../server/access/context.ts';
import type { App } from '../../server/start.ts';
import { aCommit, anActor } from '../codehost-double/delivery-builders.ts';
import type { Double } from '../codehost-double/double.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { commitsSince, storedCommits } from '../sync/pull-request-stage.ts';
import { day, hour, platformRuns, repoIdOf, storedRuns } from '../sync/stage.ts';

type Store = NonNullable<Services['store']>;

/** Repositories of the platform with runs and merged pull requests of the last weeks, by name. */
export function fillPlatform(double: Double, count: number, now: number, firstId = 95_001): string[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `octo/night-${firstId + at}`;
    double.addRepository({ name, facts: { id: firstId + at } });
    double.addRuns(name, 120, { from: now - 60 * day, to: now - hour, firstId: (firstId + at) * 10_000 });
    double.addPullRequests(name, 25, { from: now - 60 * day, to: now - hour, first: 1 });
    const [newest] = repositoryOf(double.world, name).pullRequests;
    for (let part = 0; newest && part < 3; part++)
      newest.commits.push(aCommit(newest.createdAt + part * 1000, anActor('bo'), `part ${part}`));
    return name;
  });
}

/** What happens on the platform on another day: runs, endings, and merges. */
export function goOn(double: Double, names: readonly string[], now: number, round: number): void {
  for (const name of names) {
    const { id } = repositoryOf(double.world, name).facts;
    const window = { from: now - 2 * hour, to: now };
    double.addRuns(name, 20, { ...window, firstId: id * 10_000 + 200 + 20 * round });
    double.addPullRequests(name, 5, { ...window, first: 1000 * (round + 1) });
  }
}

/** Tracks them, as if somebody had synchronized each. */
export async function trackAll(double: Double, store: Store, names: readonly string[], now: number): Promise<void> {
  for (const name of names) await store.repositories.track(repositoryOf(double.world, name).facts, 'ann', now);
}

/** What is stored of each repository, and what the platform has: runs, pull requests with their change, commits. */
export async function storedAndAvailable(double: Double, store: Store, names: readonly string[]) {
  const both = await Promise.all(
    names.map(async (name) => {
      const repoId = await repoIdOf(store, name);
      const world = repositoryOf(double.world, name);
      const facts = await store.facts.facts(world.facts, 'pull_requests', 0);
      const stored = {
        runs: await storedRuns(store, repoId),
        pullRequests: inOrder(facts),
        commits: await storedCommits(store, repoId, 0),
      };
      const there = {
        runs: platformRuns(world),
        pullRequests: inOrder(world.pullRequests),
        commits: commitsSince(world, 0),
      };
      return { kept: stored, there };
    }),
  );
  return { kept: both.map(({ kept }) => kept), there: both.map(({ there }) => there) };
}

const inOrder = (pulls: readonly { number: number; updatedAt: number }[]) =>
  pulls.map(({ number, updatedAt }) => ({ number, updatedAt })).sort((one, other) => one.number - other.number);

/** The runs of a job, oldest first, in words. */
export async function rowsOf({ services }: Pick<App, 'services'>, job: string): Promise<string[]> {
  const rows = (await services.store?.jobRuns.latest(job, 50)) ?? [];
  return rows.toReversed().map(({ slot, trigger, status }) => `${slot} ${trigger} ${status}`);
}
