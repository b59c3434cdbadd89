import type { Context, Reply } from '../../access/context.ts';
import { peopleIn } from '../../identity/people.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { mergeTotals, windowSample } from '../../metrics/people/contributors.ts';
import type { Scope } from '../../metrics/pull-requests/pull-requests.ts';
import { type ExplainInput, explainMetric, pullRequestItem } from '../kernel/evidence.ts';
import { assertOwner } from '../repositories/visibility.ts';
import { coverTeam, isPartial, noteReading } from './coverage.ts';
import { readTracked } from './reading.ts';

interface Explained {
  metric(scope: Scope): Metric<PullRequest>;
  /** What a pull request adds. */
  measured(pullRequest: PullRequest): number | null;
  /** Whether it is of their reviews, of which some may be missing. */
  isOfReviews: boolean;
}

/** A number of the people of an organization: the pull requests merged in the window, and whose repositories count. */
export async function explainOrganizationTeam(
  { metric, measured, isOfReviews }: Explained,
  { org = '', days, bots }: ExplainInput,
  context: Context,
  reply: Reply,
) {
  const [reading, people] = await Promise.all([
    readTracked(org, days === 90 ? 90 : 30, context),
    peopleIn(context.services),
  ]);
  const { window, repositories } = reading;
  if (repositories.length === 0 && !reading.isListTruncated) await assertOwner(org, context);
  const merged = repositories.flatMap(({ repository, set }) =>
    set === null ? [] : windowSample(set.items, window).merged.map((pullRequest) => ({ pullRequest, repository })),
  );
  const pullRequests = merged.map(({ pullRequest }) => pullRequest);
  const nameOf = new Map(merged.map(({ pullRequest, repository }) => [pullRequest, repository.repo]));
  const coverage = coverTeam(reading, isOfReviews ? mergeTotals(pullRequests, people).reviewsTruncatedPrs : 0);
  const item = pullRequestItem(measured);
  const answer = explainMetric(metric({ window, people, bots }), pullRequests, {
    window,
    partial: isPartial(coverage),
    asOf: noteReading(reading, coverage, reply),
    source: context.services.facts.isDatabase ? 'mixed' : 'live',
    coverage,
    repositories: repositories.map(({ repository: { owner, repo }, set, reason }) => ({
      repo: `${owner}/${repo}`,
      included: set !== null,
      reason,
    })),
    item: (one) => {
      const { label, url, ...rest } = item({ ...one, title: null });
      return { ...rest, label: `${nameOf.get(one)}${label}`, url: context.isDemo ? null : url };
    },
  });
  return coverage.read === 0 ? { ...answer, value: null } : answer;
}
