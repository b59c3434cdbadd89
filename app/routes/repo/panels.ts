import { count, figures } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getDelivery } from '../../../server/reports/delivery/operations.ts';
import type { getDeployments } from '../../../server/reports/deployments/operations.ts';
import type { getOpenPullRequests } from '../../../server/reports/pull-requests/operations.ts';
import type { getRepositorySummary } from '../../../server/reports/repositories/operations.ts';
import type { getRepositoryOverview } from '../../../server/reports/workflows/operations.ts';

/** What the pages about a repository's delivery and workflows are drawn with. */
export type RepositoryPanels = PanelsOf<{
  summary: typeof getRepositorySummary;
  workflows: typeof getRepositoryOverview;
  delivery: typeof getDelivery;
  deployments: typeof getDeployments;
  openPullRequests: typeof getOpenPullRequests;
}>;

type Data<Answer> = Extract<Answer, { ok: true }> extends { data: infer Found } ? Found : never;

export type Delivery = Data<RepositoryPanels['delivery']>;
export type Deployments = Data<RepositoryPanels['deployments']>;
export type OpenPullRequests = Data<RepositoryPanels['openPullRequests']>;
export type OpenPullRequest = OpenPullRequests['open_prs'][number];
export type RepositorySummary = Data<RepositoryPanels['summary']>;
export type WorkflowOverview = Data<RepositoryPanels['workflows']>[number];

/** A repository as its address names it. */
export interface RepositoryPath {
  owner: string;
  repo: string;
}

export const pullRequestFeature = {
  label: 'Pull request life cycle',
  shows: 'open pull requests by state, review and merge times',
};

/** Whether open ones are missing that were not read, so that counts of those that were are minimums. */
export const areSomeUnread = ({
  total_open: total,
  fetched_prs: read,
}: Pick<OpenPullRequests, 'total_open' | 'fetched_prs'>) => total === null || read < total;

/** Why none is listed. */
export const describeNoneOpen = ({ total_open: total }: OpenPullRequests, among = ''): string =>
  total === 0 ? `No open pull requests${among}.` : 'Open pull requests could not be loaded.';

/** What is missing where not everything about the open ones could be read. */
export function incomplete({ total_open: total, fetched_prs: read, open_prs: open }: OpenPullRequests): string {
  if (total === null)
    return `Only the oldest ${figures(read)} open pull requests are loaded, of an unknown number: counts are minimums.`;
  if (read < total)
    return `Only the oldest ${figures(read)} of ${figures(total)} open pull requests are loaded: counts are minimums.`;
  const unknown = open.filter(({ waiting_on: whom, is_bot: isBot }) => whom === null && !isBot).length;
  return unknown > 0
    ? `What ${count(unknown, 'open pull request waits', 'open pull requests wait')} for is unknown.`
    : 'Partial data for long reviews: rounds are minimums, and times are approximate.';
}
