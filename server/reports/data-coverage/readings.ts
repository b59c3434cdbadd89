import type { z } from 'zod';
import { toWire } from '../../domain/wire.ts';
import { type Filling, type Reading, type Resource, resources } from './schema.ts';
import { type KnownReadings, neverRead, type StatusScope, statuses } from './status.ts';

const titles: { readonly [Key in Resource]: readonly [title: string, about: string] } = {
  workflow_runs: ['Workflow runs', 'Every run with its attempts: trends, kept runs, what became slower.'],
  pull_requests: ['Pull requests', 'Closed and merged ones with their reviews: delivery, contributors.'],
  pull_request_commits: ['Commits of merged pull requests', 'Their sizes and times: working habits.'],
  branch_commits: ['Commits of the default branch', 'Who changed what, and when: knowledge, workload.'],
  issues: ['Issues', 'Open ones and those closed lately: backlog and triage.'],
  deployments: ['Deployments', 'With their outcomes: how often, how safely, how soon it worked again.'],
  releases: ['Releases', 'They stand in where no deployments are recorded.'],
  workflow_jobs: ['Jobs of runs', 'Of attempts that somebody looked at, kept for 120 days.'],
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
  workflow_jobs: ['page', 'webhook'],
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
): z.input<typeof Reading>[] {
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
      ...toWire(status),
      state: lost === null ? status.state : 'unreachable',
      missing:
        lost === null ? status.missing : `${describeOutOfReach(known, by.day(lost))} ${status.missing ?? ''}`.trim(),
      missing_count: status.missingCount ?? null,
      expected_count: status.expectedCount ?? null,
      last_error: status.lastError ?? (lost === null ? null : (known?.lastErrorCode ?? null)),
      filled_by: ways[resource].filter(isOpen),
    };
  });
}

const describeOutOfReach = (known: KnownReadings | null, since: string) =>
  known?.lastErrorCode === 'legally_blocked'
    ? `The platform withholds the repository for legal reasons since ${since}.`
    : `The platform has said since ${since} that the repository is not there.`;
