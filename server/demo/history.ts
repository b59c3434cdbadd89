import type { Deployment, Issue, Release } from '../metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import { randomStream } from '../metrics/kernel/random-stream.ts';
import { second } from './calendar.ts';
import { createMergeCommits, directCommit, type Push, type WorldCommit } from './commits.ts';
import { createDeployments, previewDeployments, staleDeployments } from './deployments.ts';
import { createIssues } from './issues.ts';
import { openPullRequests } from './open-pull-requests.ts';
import type { RepositoryPlan } from './plans.ts';
import { abandonedPullRequest, mergedPullRequest, type Setting, type WorldPullRequest } from './pull-requests.ts';
import { between } from './random.ts';
import { createReleases } from './releases.ts';
import { attachRuns, withCommits } from './run-links.ts';
import type { AttemptSketch } from './runs.ts';
import type { Situation } from './situations.ts';

/** What people did to a repository beside its runs. Everything is newest first. */
export interface WorldHistory {
  pullRequests: WorldPullRequest[];
  commits: WorldCommit[];
  releases: Release[];
  deployments: Deployment[];
  issues: Issue[];
}

/** What a repository of the sample world is made of. */
export interface Making {
  seed: string;
  now: Instant;
  situation: Situation;
  plan: RepositoryPlan;
  position: number;
  cast: { people: Actor[]; bot: Actor };
}

/**
 * The history that led to the runs of a repository: each push to main becomes a commit or the merge of a pull request,
 * each deploy job a deployment. Gives the runs back with the titles, branches and numbers they then have.
 */
export function createHistory(
  making: Making,
  attempts: AttemptSketch[][],
): WorldHistory & { attempts: AttemptSketch[][] } {
  const { seed, now, plan, cast } = making;
  const setting: Setting = { seed, now, cast, plan: plan.delivery };
  const pushes = attempts.flatMap(([first]) => (first && isPushToMain(first) ? toPush(first) : []));
  const { direct, pulls } = pulledOrPushed(setting, pushes);
  const all = attachRuns(seed, [...pulls, ...openPullRequests(setting, plan.openPullRequests)], attempts);
  const issues = createIssues({ seed, now, people: cast.people, open: plan.openIssues, closed: closedIssues(plan) });
  numbered(seed, [...all.pulls, ...issues]);
  nameReverts(all.pulls);
  const commits = [
    ...direct.map((one) => directCommit(plan.delivery, one, randomStream(seed, 'commit', one.sha))),
    ...all.pulls.flatMap((one) =>
      createMergeCommits(plan.delivery, one, randomStream(seed, 'merge', one.mergeSha ?? '')),
    ),
  ].sort((one, other) => other.committedAt - one.committedAt);
  const linked = withCommits(attempts, all, commits);
  const deployments = deploymentsIn(making, linked, all.pulls, commits);
  return {
    attempts: linked,
    commits,
    deployments,
    issues: newestFirst(issues),
    pullRequests: newestFirst(all.pulls),
    releases: createReleases(commits, plan.delivery.daysBetweenReleases, now),
  };
}

/** Pushes to the branch of a pull request are for the pull request of another run. */
const isPushToMain = ({ run, after }: AttemptSketch) => run.event === 'push' && after === null;

const toPush = ({ run }: AttemptSketch): Push => ({
  sha: run.headSha,
  at: run.createdAt - between(randomStream('push', run.id), 5, 25) * second,
  by: run.actor,
  title: run.displayTitle ?? '',
});

const closedIssues = ({ delivery }: RepositoryPlan) => (delivery.tracker ? delivery.closedIssues : 0);

function pulledOrPushed(setting: Setting, pushes: Push[]): { direct: Push[]; pulls: WorldPullRequest[] } {
  const direct: Push[] = [];
  const pulls: WorldPullRequest[] = [];
  for (const push of pushes) {
    const random = randomStream(setting.seed, 'pull', push.sha);
    if (random() < setting.plan.throughPullRequests) pulls.push(mergedPullRequest(setting, push, random));
    else direct.push(push);
    if (random() < 0.06) pulls.push(abandonedPullRequest(setting, push, random));
  }
  return { direct, pulls };
}

/** Pull requests and issues share one row of numbers, in the order of their creation. */
function numbered(seed: string, items: { number: number; createdAt: Instant }[]) {
  const before = between(randomStream(seed, 'numbers'), 40, 400);
  const sorted = [...items].sort((one, other) => one.createdAt - other.createdAt);
  for (const [index, one] of sorted.entries()) one.number = before + index;
}

/** As the platform names their branches: each takes back the last change that was merged before it. */
function nameReverts(pulls: WorldPullRequest[]) {
  const merged = pulls
    .filter(({ mergedAt, isRevert }) => mergedAt !== null && !isRevert)
    .sort((one, other) => (one.mergedAt ?? 0) - (other.mergedAt ?? 0));
  for (const one of pulls.filter(({ isRevert }) => isRevert)) {
    const reverted = merged.findLast(({ mergedAt }) => (mergedAt ?? 0) < one.createdAt);
    if (reverted) one.headBranch = one.headBranch.replace(/^revert-\d+/, `revert-${reverted.number}`);
  }
}

const newestFirst = <T extends { number: number }>(items: T[]) => [...items].sort((a, b) => b.number - a.number);

function deploymentsIn(
  { now, plan, position, cast }: Making,
  attempts: AttemptSketch[][],
  pulls: WorldPullRequest[],
  commits: WorldCommit[],
): Deployment[] {
  const firstId = 500_000_000 + position * 1_000_000;
  const kind = plan.delivery.deployments;
  const old = commits.filter((one) => one.committedAt < now).map((one) => one.sha);
  if (kind === 'none') return [];
  if (kind === 'stale') return staleDeployments(cast.people[0] ?? null, old.reverse(), now, firstId);
  const deploys = attempts.flat().filter(({ run }) => run.workflowName === 'Deploy');
  const previews = previewDeployments(newestFirst(pulls).slice(0, 6), firstId + 900_000);
  return [...createDeployments(deploys, firstId), ...previews].sort((one, other) => other.createdAt - one.createdAt);
}
