import type { DeliveryReads, PullRequestCommits, PullRequestWithRepository } from '../codehost/delivery/client.ts';
import type { Commit, PullRequest } from '../metrics/kernel/delivery-facts.ts';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import { listShas, type WorldCommit } from './commits.ts';
import { accountId, computeContributions } from './contributions.ts';
import { issueReads } from './issue-reads.ts';
import { listing, repositoryNamed, sortNewestFirst } from './lookup.ts';
import type { WorldPullRequest } from './pull-requests.ts';
import { same, type World } from './world.ts';

/** What the delivery reads find in the sample world. Unknown names throw `Problem('not_found')`. */
export function demoDelivery(world: World): DeliveryReads {
  return {
    pullRequests: createPullRequestReads(world),
    commits: createCommitReads(world),
    releases: {
      since: async (name, since) => {
        const { releases } = repositoryNamed(world, name);
        const wanted = releases.filter((one) => (one.publishedAt ?? 0) >= since);
        return { ...listing(world, wanted), total: releases.length };
      },
    },
    deployments: createDeploymentReads(world),
    issues: issueReads(world),
    people: {
      contributions: async (login, organization) => ({
        ...computeContributions(world, login, organization),
        stale: false,
        asOf: world.now,
      }),
    },
  };
}

function createPullRequestReads(world: World): DeliveryReads['pullRequests'] {
  const pulls = (name: RepositoryName) => repositoryNamed(world, name).pullRequests;
  const closed = (name: RepositoryName) => sortNewestFirst(pulls(name), (one) => one.closedAt).map(plain);
  return {
    merged: async (name, since, until) => {
      const wanted = sortNewestFirst(pulls(name), (one) => one.mergedAt).filter(({ mergedAt }) =>
        within(mergedAt, since, until),
      );
      return { ...listing(world, wanted.map(plain), 2000), slices: 1 };
    },
    lastClosed: async (name, count) => ({ ...listing(world, closed(name), count), partial: false }),
    closed: async (name, since) =>
      listing(
        world,
        closed(name).filter((one) => within(one.closedAt, since)),
      ),
    endedPages: (name) => async () => {
      const items = sortNewestFirst(pulls(name), (one) => one.closedAt && one.updatedAt).map(plain);
      return { items, oldestUpdate: items.at(-1)?.updatedAt ?? null, next: null };
    },
    readCommits: async (name, numbers) => {
      const { pullRequests, commits } = repositoryNamed(world, name);
      return new Map(
        numbers.map((number) => {
          const found = pullRequests.find((one) => one.number === number);
          return [number, found ? commitsIn(found, commits) : null];
        }),
      );
    },
    opening: async () => null,
    signPages: () => async () => ({ items: [], oldestUpdate: null, next: null }),
    open: async (name) => {
      const open = pulls(name).filter((one) => one.state === 'open');
      return listing(
        world,
        open.sort((one, other) => one.createdAt - other.createdAt).map(({ mergeSha, ...one }) => one),
        300,
      );
    },
    // What the sample has of queues is invented where it is shown.
    queue: async () => ({ queue: null, defaultBranch: 'main', isSupported: true, stale: false, asOf: world.now }),
    window: async (name, since) => {
      const opened = sortNewestFirst(pulls(name), (one) => one.createdAt).filter((one) => one.createdAt >= since);
      return {
        opened: opened.length,
        merged: pulls(name).filter((one) => within(one.mergedAt, since)).length,
        stillOpen: opened.filter((one) => one.state === 'open').map(plain),
        partial: false,
        stale: false,
        asOf: world.now,
      };
    },
    titles: async (name, numbers) => {
      const wanted = pulls(name).filter(({ number }) => numbers.includes(number));
      return new Map(wanted.map(({ number, title }) => [number, title ?? '']));
    },
    mergedCounts: async (name, branch, spans) => {
      const merged = pulls(name).filter((one) => one.baseBranch === branch);
      return spans.map(({ from, to }) => merged.filter((one) => within(one.mergedAt, from, to - 1)).length);
    },
    authoredBy: async (owner, login, since) =>
      listing(
        world,
        everywhere(world, owner, (one) => by(one.author, login) && Math.max(one.createdAt, one.closedAt ?? 0) >= since),
      ),
    reviewedBy: async (owner, login, since) =>
      listing(
        world,
        everywhere(world, owner, (one) => {
          const reviewed = one.reviews.some(({ reviewer }) => by(reviewer, login));
          return reviewed && !by(one.author, login) && one.updatedAt >= since;
        }),
      ),
  };
}

const within = (at: Instant | null, from: Instant, to = Number.POSITIVE_INFINITY) =>
  at !== null && at >= from && at <= to;

const by = (actor: { login: string } | null, login: string) => actor !== null && same(actor.login, login);

/** Without what only open ones have. */
export function plain(one: WorldPullRequest): PullRequest {
  const { mergeSha, mergeable, reviewDecision, requestedReviewers, requestedTeams, lastPushAt, ...rest } = one;
  const { mergeQueue } = rest;
  return { ...rest, mergeQueue: mergeQueue && { ...mergeQueue, mergeSha: mergeQueue.mergeSha ?? mergeSha } };
}

/** What main shows of the commits of a pull request, oldest first: the rest went into one. */
function commitsIn(pullRequest: WorldPullRequest, commits: readonly WorldCommit[]): PullRequestCommits {
  const shas = listShas(pullRequest);
  const own = commits.filter(({ sha, parents }) => shas.includes(sha) && parents < 2).map(asFact);
  own.sort((one, other) => one.authoredAt - other.authoredAt);
  return {
    commits: own.map(({ committedAt: _, ...commit }) => commit),
    truncated: own.length < pullRequest.commitCount,
  };
}

function everywhere(
  world: World,
  owner: string,
  fits: (one: WorldPullRequest) => boolean,
): PullRequestWithRepository[] {
  const own = world.repositories.filter(({ repository }) => same(repository.owner, owner));
  return own
    .flatMap(({ repository: { owner, repo }, pullRequests }) =>
      pullRequests.filter(fits).map((one) => ({ ...plain(one), repository: { owner, repo } })),
    )
    .sort((one, other) => other.createdAt - one.createdAt);
}

function createCommitReads(world: World): DeliveryReads['commits'] {
  const since = (name: RepositoryName, from: Instant) =>
    repositoryNamed(world, name).commits.filter((one) => one.committedAt >= from);
  return {
    history: async (name, from, limit) => ({
      ...listing(world, since(name, from).map(asFact), limit),
      head: repositoryNamed(world, name).commits[0]?.sha ?? null,
    }),
    historiesBy: async (names, authorId, from) => {
      const found = names.map((name) => {
        const own = since(name, from).filter(({ author }) => author && accountId(author.login) === authorId);
        return listing(
          world,
          own.map((one) => ({ ...asFact(one), repository: { owner: name.owner, repo: name.repo } })),
          100,
        );
      });
      const items = found.flatMap((one) => one.items);
      return { ...listing(world, items), partial: found.some((one) => one.partial) };
    },
    directories: async (name, from, limit, below = '') => {
      const { commits } = repositoryNamed(world, name);
      const wanted = since(name, from);
      const touched = new Map(wanted.slice(0, limit).map(({ sha, files }) => [sha, listDirectories(files, below)]));
      const known = listDirectories(
        commits.flatMap((one) => one.files),
        below,
      );
      return { ...listing(world, wanted.map(asFact), limit), touched, known, undecided: false, unanswered: false };
    },
  };
}

export const asFact = ({ message, files, zone, ...fact }: WorldCommit): Commit => fact;

/** Two levels from the root, or one below a directory; a file at the top is in the directory without a name. */
function listDirectories(files: string[], below: string): string[] {
  const inside = below === '' ? files : files.filter((path) => path.startsWith(`${below}/`));
  const levels = below === '' ? 2 : below.split('/').length + 1;
  return [...new Set(inside.map((path) => path.split('/').slice(0, -1).slice(0, levels).join('/')))];
}

function createDeploymentReads(world: World): DeliveryReads['deployments'] {
  return {
    since: async (name, since) => {
      const { deployments } = repositoryNamed(world, name);
      const wanted = deployments.filter((one) => one.createdAt >= since);
      const found = listing(world, wanted, 500);
      return { ...found, totalCount: deployments.length, newestAt: deployments[0]?.createdAt ?? null };
    },
    productionEnvironments: async (name) => {
      const names = new Set(repositoryNamed(world, name).deployments.map((one) => one.environment));
      return names.has('production') ? ['production'] : [];
    },
  };
}
