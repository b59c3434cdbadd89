import { createPeople } from '../accounts/contributions.ts';
import { createIssues } from '../issues/issues.ts';
import { createPullRequests } from '../pull-requests/pull-requests.ts';
import { createCommits } from '../repositories/commits.ts';
import { createReleases } from '../repositories/releases.ts';
import type { DeliveryReads } from './client.ts';
import type { DeliveryContext } from './context.ts';
import { createDeployments } from './deployments.ts';

/** Reads of what people deliver: pull requests, commits, releases, deployments, issues, contributions. */
export const createDelivery = (context: DeliveryContext): DeliveryReads => ({
  pullRequests: createPullRequests(context),
  commits: createCommits(context),
  releases: createReleases(context),
  deployments: createDeployments(context),
  issues: createIssues(context),
  people: createPeople(context),
});
