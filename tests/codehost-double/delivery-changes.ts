import type { DeploymentState, Review } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import {
  type DoubleCommit,
  type DoubleDeployment,
  type DoubleIssue,
  type DoublePullRequest,
  type DoubleRelease,
  newestFirst,
  type ReviewParts,
} from './delivery.ts';
import {
  aCommit,
  aDeployment,
  anActor,
  anIssue,
  aPullRequest,
  aRelease,
  aReview,
  type PullRequestParts,
  shaOf,
} from './delivery-builders.ts';
import { type DoubleWorld, repositoryOf } from './world.ts';

/** Both ends are included; numbers count upwards from `first`. */
export interface Volume {
  from: Instant;
  to: Instant;
  first?: number;
}

/** What a test does to pull requests, issues, commits, releases and deployments. Repositories are `owner/repo`. */
export interface DeliveryChanges {
  /** Adds a pull request, or replaces the one with its number. */
  putPullRequest(repository: string, parts: PullRequestParts): DoublePullRequest;
  mergePullRequest(repository: string, number: number, merge: { by?: Actor | null; at: Instant }): DoublePullRequest;
  addReview(repository: string, number: number, review: ReviewParts): Review;
  /** Adds a commit to an open pull request. */
  pushTo(repository: string, number: number, at: Instant): DoublePullRequest;
  /** Adds pull requests that were merged an hour after they were opened, their merges spread evenly over a window. */
  addPullRequests(repository: string, count: number, window: Volume): void;
  putIssue(repository: string, parts: Partial<DoubleIssue> & { number: number }): DoubleIssue;
  closeIssue(
    repository: string,
    number: number,
    close: { by?: Actor; at: Instant; reason?: 'completed' | 'not_planned' | 'duplicate' },
  ): DoubleIssue;
  /** Adds open issues, their creation spread evenly over a window. */
  addIssues(repository: string, count: number, window: Volume): void;
  addCommit(repository: string, commit: DoubleCommit): void;
  /** Adds commits of ann to the default branch, spread evenly over a window. */
  addCommits(repository: string, count: number, window: Volume): void;
  /** Takes a commit away as a forced push does: what came after it, or the newest that is left, gets another id. */
  dropCommit(repository: string, sha: string): void;
  putRelease(repository: string, parts: Partial<DoubleRelease> & { id: number; createdAt: Instant }): DoubleRelease;
  putDeployment(
    repository: string,
    parts: Partial<DoubleDeployment> & { id: number; createdAt: Instant },
  ): DoubleDeployment;
  /** A success makes the earlier successes of the same environment inactive, as the platform does. */
  addDeploymentStatus(repository: string, id: number, state: DeploymentState, at: Instant): DoubleDeployment;
  /** Adds successful deployments to production, spread evenly over a window. */
  addDeployments(repository: string, count: number, window: Volume): void;
}

export function deliveryChangesOf(world: DoubleWorld): DeliveryChanges {
  return { ...pullRequestChanges(world), ...otherChanges(world) };
}

type PullRequestChanges = Pick<
  DeliveryChanges,
  'putPullRequest' | 'mergePullRequest' | 'addReview' | 'pushTo' | 'addPullRequests'
>;

function pullRequestChanges(world: DoubleWorld): PullRequestChanges {
  const put = (name: string, parts: PullRequestParts) => {
    const repository = repositoryOf(world, name);
    const base = { baseBranch: repository.facts.defaultBranch ?? 'main' };
    return replaced(repository.pullRequests, aPullRequest(world.now, { ...base, ...parts }), 'number');
  };
  const numbered = (name: string, number: number) => found(repositoryOf(world, name).pullRequests, 'number', number);
  return {
    putPullRequest: put,
    mergePullRequest: (name, number, { by = anActor('ann'), at }) => {
      const one = numbered(name, number);
      const merge = { state: 'merged', mergedAt: at, closedAt: at, updatedAt: at, mergedBy: by } as const;
      const sha = shaOf(`merge of ${number} at ${at}`);
      repositoryOf(world, name).commits.push(aCommit(at, one.author, `${one.title} (#${number})`, { sha }));
      return Object.assign(one, merge, { mergeSha: sha, isDraft: false });
    },
    addReview: (name, number, parts) => {
      const one = numbered(name, number);
      const made = aReview(`PRR_${number}_${one.reviews.length + 1}`, { commitSha: one.headSha, ...parts });
      one.reviews.push(made);
      const { state } = made;
      const decision = state === 'approved' || state === 'changes_requested' ? state : one.reviewDecision;
      Object.assign(one, { updatedAt: made.submittedAt, reviewDecision: decision });
      return made;
    },
    pushTo: (name, number, at) => {
      const one = numbered(name, number);
      const pushed = aCommit(at, one.author, `More of ${number}`);
      one.commits.push(pushed);
      return Object.assign(one, { headSha: pushed.sha, updatedAt: at });
    },
    addPullRequests: (name, count, { first = 10_001, ...window }) => {
      for (const [index, mergedAt] of spread(count, window).entries())
        put(name, { number: first + index, createdAt: mergedAt - 3_600_000, mergedAt });
    },
  };
}

function otherChanges(world: DoubleWorld): Omit<DeliveryChanges, keyof PullRequestChanges> {
  const of = (name: string) => repositoryOf(world, name);
  return {
    putIssue: (name, parts) => replaced(of(name).issues, anIssue(world.now, parts), 'number'),
    closeIssue: (name, number, { by = anActor('ann'), at, reason = 'completed' }) =>
      Object.assign(found(of(name).issues, 'number', number), {
        closedAt: at,
        updatedAt: at,
        closeReason: reason,
        closedBy: by,
      }),
    addIssues: (name, count, { first = 20_001, ...window }) => {
      for (const [index, createdAt] of spread(count, window).entries())
        of(name).issues.push(anIssue(world.now, { number: first + index, createdAt }));
    },
    addCommit: (name, commit) => void of(name).commits.push(commit),
    addCommits: (name, count, { first = 1, ...window }) => {
      for (const [index, at] of spread(count, window).entries())
        of(name).commits.push(aCommit(at, anActor('ann'), `Change ${first + index}`));
    },
    dropCommit: (name, sha) => {
      const { commits } = of(name);
      const gone = found(commits, 'sha', sha);
      commits.splice(commits.indexOf(gone), 1);
      const [newest] = newestFirst(commits);
      for (const one of commits)
        if (one === newest || one.committedAt >= gone.committedAt) one.sha = shaOf(`${one.sha} without ${sha}`);
    },
    putRelease: (name, parts) => replaced(of(name).releases, aRelease(parts), 'id'),
    putDeployment: (name, parts) => replaced(of(name).deployments, aDeployment(parts), 'id'),
    addDeploymentStatus: (name, id, state, at) => {
      const one = found(of(name).deployments, 'id', id);
      one.statuses.push({ state, at });
      if (state === 'success') supersede(of(name).deployments, one, at);
      return one;
    },
    addDeployments: (name, count, { first = 900_001, ...window }) => {
      for (const [index, createdAt] of spread(count, window).entries()) {
        const statuses = [{ state: 'success' as const, at: createdAt + 60_000 }];
        of(name).deployments.push(aDeployment({ id: first + index, createdAt, statuses }));
      }
    },
  };
}

function supersede(deployments: DoubleDeployment[], newest: DoubleDeployment, at: Instant) {
  for (const one of deployments) {
    const active = one.statuses.at(-1)?.state === 'success' && one.environment === newest.environment;
    if (active && one !== newest) one.statuses.push({ state: 'inactive', at });
  }
}

/** Evenly spread instants, on whole seconds. */
const spread = (count: number, { from, to }: Volume): Instant[] =>
  Array.from(
    { length: count },
    (_, index) => Math.floor((from + ((to - from) * index) / Math.max(1, count - 1)) / 1000) * 1000,
  );

function replaced<T, K extends keyof T>(list: T[], item: T, key: K): T {
  const index = list.findIndex((one) => one[key] === item[key]);
  if (index < 0) list.push(item);
  else list[index] = item;
  return item;
}

function found<T, K extends keyof T>(list: T[], key: K, wanted: T[K]): T {
  const one = list.find((each) => each[key] === wanted);
  if (!one) throw new Error(`The world has nothing whose ${String(key)} is ${String(wanted)}`);
  return one;
}
