import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { type Filling, type Reading, type Resource, resources } from './schema.ts';
import { type KnownReadings, neverRead, type StatusScope, statuses } from './status.ts';

const titles: { readonly [Key in Resource]: readonly [title: string, about: string] } = {
  workflow_runs: ['Workflow runs', 'Runs and attempts: trends, stored runs, slowdowns.'],
  pull_requests: ['Pull requests', 'Closed and merged, with reviews: delivery, contributors.'],
  pull_request_commits: ['Commits of merged pull requests', 'Size and time: working habits.'],
  branch_commits: ['Commits of the default branch', 'Authors, paths and times: knowledge, workload.'],
  issues: ['Issues', 'Open and recently closed: backlog and triage.'],
  deployments: ['Deployments', 'With results: frequency, failure rate, recovery.'],
  releases: ['Releases', 'Used when there are no deployments.'],
  workflow_jobs: ['Jobs of runs', 'For cost, queue wait and job times; stored for 120 days.'],
};

export const getTitle = (resource: Resource): string => titles[resource][0];

/** The ways by which a kind can be filled at all. */
const ways: { readonly [Key in Resource]: readonly Filling[] } = {
  workflow_runs: ['sync_now', 'nightly', 'webhook'],
  pull_requests: ['nightly', 'page'],
  pull_request_commits: ['nightly'],
  branch_commits: ['page'],
  issues: ['page'],
  deployments: ['page'],
  releases: ['page'],
  workflow_jobs: ['nightly', 'page', 'webhook'],
};

/**
 * The eight readings of a repository; `known` is null where nothing is known of it. `open` are the ways that are set
 * up.
 */
export function listReadings(
  repo: string,
  known: KnownReadings | null,
  by: StatusScope,
  open: readonly Filling[],
): Domain<typeof Reading>[] {
  const lost = known?.unreachableSince ?? null;
  // Nightly work is about tracked repositories.
  const isOpen = (way: Filling) => open.includes(way) && (way !== 'nightly' || known?.tracked === true);
  return resources.map((resource) => {
    const status = known ? statuses[resource](known, by) : neverRead;
    const [title, about] = titles[resource];
    return {
      repo,
      resource,
      title,
      about,
      ...status,
      state: lost === null ? status.state : 'unreachable',
      missing: lost === null ? status.missing : `${describeOutOfReach(known, lost, by)} ${status.missing ?? ''}`.trim(),
      missingCount: status.missingCount ?? null,
      expectedCount: status.expectedCount ?? null,
      lastError: status.lastError ?? (lost === null ? null : (known?.lastErrorCode ?? null)),
      filledBy: ways[resource].filter(isOpen),
    };
  });
}

const describeOutOfReach = (known: KnownReadings | null, since: Instant, { host, day }: StatusScope) =>
  known?.lastErrorCode === 'legally_blocked'
    ? `${host} has blocked the repository for legal reasons since ${day(since)}.`
    : `${host} has returned “not found” for the repository since ${day(since)}.`;
