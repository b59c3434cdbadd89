import type { Codehost } from '../../codehost/client/client.ts';
import type { DeliveryReads, PullRequestCommits } from '../../codehost/delivery/client.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { HabitFacts, HabitPullRequest } from '../../metrics/people/habit-figures.ts';
import type { Store } from '../../store/orm.ts';

/** Where working habits are read from. */
export type HabitSource = Pick<Store['workingHabits'], 'facts' | 'shas' | 'coverage'>;

/** The sample organization has no database: what the nightly job would store is read from its world at once. */
export function demoHabits(
  { pullRequests }: Pick<Codehost & DeliveryReads, 'pullRequests'>,
  repositories: readonly Repository[],
  now: Instant,
): HabitSource {
  const shas = new Map<string, string>();
  const factsIn = async (repository: Repository, from: Instant, to: Instant): Promise<HabitFacts> => {
    const merged = (await pullRequests.merged(repository, from, to - 1)).items;
    const read = await pullRequests.readCommits(
      repository,
      merged.map(({ number }) => number),
    );
    const habits = merged.map((one) => toFacts(repository.id, one, read.get(one.number)?.commits ?? []));
    for (const { number } of merged)
      for (const [position, { sha }] of (read.get(number)?.commits ?? []).entries())
        shas.set(formatPlace({ repoId: repository.id, number, position }), sha);
    return { pullRequests: habits.map((one) => one.pullRequest), commits: habits.flatMap((one) => one.commits) };
  };
  return {
    async facts({ from, to }) {
      const read = await Promise.all(repositories.map((one) => factsIn(one, from, to)));
      return {
        pullRequests: read.flatMap((one) => one.pullRequests),
        commits: read.flatMap((one) => one.commits),
      };
    },
    shas: async (places) => places.map((place) => shas.get(formatPlace(place)) ?? null),
    coverage: async () => ({ reposSynced: repositories.length, syncedThrough: now, lastRunAt: now }),
  };
}

const formatPlace = ({ repoId, number, position }: { repoId: number; number: number; position: number }) =>
  `${repoId} ${number} ${position}`;

function toFacts(repoId: number, merged: PullRequest, read: PullRequestCommits['commits']) {
  const { number, author, additions, deletions, changedFiles } = merged;
  const own = read.map((commit, position) => ({ ...commit, position }));
  const written = own.filter(({ parents }) => parents < 2);
  const pullRequest: HabitPullRequest = {
    repoId,
    number,
    author,
    mergedAt: merged.mergedAt ?? 0,
    files: changedFiles,
    lines: additions + deletions,
    // Most were merged as one commit; how many they were is known all the same.
    commits: merged.commitCount,
    isTruncated: false,
  };
  const commits = written.map(({ author: by, authorName, position, ...size }) => ({
    author: by,
    authorName,
    commits: [{ pullRequest, position, files: size.changedFiles, lines: countLines(size) }],
  }));
  return { pullRequest, commits };
}

const countLines = ({ additions, deletions }: { additions: number | null; deletions: number | null }) =>
  additions === null || deletions === null ? null : additions + deletions;
