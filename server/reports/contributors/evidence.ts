import type { Context, Reply } from '../../access/context.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import {
  firstPassApproval,
  hoursToMerge,
  medianHoursToMerge,
  mergedPullRequests,
  type OpenedPullRequest,
  openedPullRequests,
  reviewedShare,
  type Scope,
} from '../../metrics/pull-requests/pull-requests.ts';
import { selfMergedShare } from '../../metrics/pull-requests/self-merges.ts';
import {
  type ExplainInput,
  type Explanation,
  explainMetric,
  namedPullRequest,
  pullRequestItem,
} from '../kernel/evidence.ts';
import { noteListing } from '../kernel/notes.ts';
import { explainOrganizationTeam } from '../organization-contributors/evidence.ts';
import { readNewestTitles } from '../pull-requests/titles.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { readContributors, unboundedWindow } from './reading.ts';

/** What truncated reviews make incomplete. */
const ofReviews: ReadonlySet<string> = new Set(['reviewed_before_merge', 'first_pass_approval_rate']);

/** The headline numbers of a team's pull requests; of a repository without days over the last 60 closed ones. */
export const contributorExplanations: readonly Explanation[] = [
  explainTeam('prs_merged_total', mergedPullRequests),
  explainTeam('median_hours_to_merge', medianHoursToMerge, hoursToMerge),
  explainTeam('reviewed_before_merge', reviewedShare),
  explainTeam('self_merged', selfMergedShare),
  explainTeam('first_pass_approval_rate', firstPassApproval),
  {
    key: 'prs_opened_in_window',
    feature: 'teamInsights',
    needs: ['owner', 'repo'],
    explain: opened,
  },
];

function explainTeam(
  key: string,
  metric: (scope: Scope) => Metric<PullRequest>,
  measured: (pullRequest: PullRequest) => number | null = () => null,
): Explanation {
  return {
    key,
    feature: 'teamInsights',
    needs: ['owner', 'repo'],
    orNeeds: ['org'],
    async explain(input, context, reply) {
      if (!input.owner || !input.repo)
        return explainOrganizationTeam({ metric, measured, isOfReviews: ofReviews.has(key) }, input, context, reply);
      const { facts, reading, about } = await read(input, context, reply);
      const titles = await readNewestTitles(reading.pullRequests, facts, context);
      const item = pullRequestItem(measured);
      const scope = { window: reading.window ?? unboundedWindow, people: facts.people, bots: input.bots };
      return explainMetric(metric(scope), reading.pullRequests, {
        ...about,
        item: (one) => item({ ...one, title: titles.get(one.number) ?? null }),
      });
    },
  };
}

async function read({ owner = '', repo = '', days, bots }: ExplainInput, context: Context, reply: Reply) {
  const facts = await repositoryFacts({ owner, repo }, context, reply);
  const reading = await readContributors(facts, { days: days === 30 || days === 90 ? days : undefined, bots }, context);
  const { window, coverage, partialReason, stale, asOf, source } = reading;
  const partial = !coverage.complete;
  noteListing(reply, { partial, partialReason, stale, asOf });
  return { facts, reading, about: { window, partial, asOf, source } };
}

/** What the platform counted as created in the window; not known of the last closed ones. */
async function opened(input: ExplainInput, context: Context, reply: Reply) {
  const { facts, reading, about } = await read(input, context, reply);
  const items = reading.opened === null ? [] : reading.sample.opened;
  const numbers = new Set(items.map(({ number }) => number));
  const ended = reading.pullRequests.filter(({ number }) => numbers.has(number));
  const titles = await readNewestTitles(ended, facts, context);
  const page = context.isDemo ? null : facts.repository.htmlUrl;
  const item = (one: OpenedPullRequest) => {
    const htmlUrl = page === null ? '#' : `${page}/pull/${one.number}`;
    return namedPullRequest(
      { ...one, mergedAt: null, closedAt: null, title: titles.get(one.number) ?? null, htmlUrl },
      null,
    );
  };
  const metric = openedPullRequests({ people: facts.people, bots: input.bots });
  return { ...explainMetric(metric, items, { ...about, item }), value: reading.opened };
}
