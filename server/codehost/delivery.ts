import { createCommits } from './commits.ts';
import { createPeople } from './contributions.ts';
import type { DeliveryReads } from './delivery-client.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { createDeployments } from './deployments.ts';
import { createIssues } from './issues.ts';
import { createPullRequests } from './pull-requests.ts';
import { createReleases } from './releases.ts';

/** Reads of what people deliver: pull requests, commits, releases, deployments, issues, contributions. */
export const createDelivery = (context: DeliveryContext): DeliveryReads => ({
  pullRequests: createPullRequests(context),
  commits: createCommits(context),
  releases: createReleases(context),
  deployments: createDeployments(context),
  issues: createIssues(context),
  people: createPeople(context),
});
