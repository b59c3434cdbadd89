import type { Issue } from '../metrics/delivery-facts.ts';
import { daysToClose, staleIssues, unansweredIssues, unassignedIssues, unlabelledIssues } from '../metrics/issues.ts';
import type { Metric } from '../metrics/metric.ts';
import type { Window } from '../metrics/window.ts';
import { type Explanation, explained } from './explained.ts';
import { iso } from './instants.ts';
import { issuesOf } from './issues-reading.ts';
import { withIssueTitles } from './issues-titles.ts';
import { repositoryFacts } from './repository-facts.ts';

const ofIssues = (key: string, metricIn: (window: Window) => Metric<Issue>): Explanation => ({
  key,
  feature: 'issueHealth',
  needs: ['owner', 'repo'],
  anyDays: true,
  async explain({ owner = '', repo = '', days = 30 }, context, reply) {
    const facts = await repositoryFacts({ owner, repo }, context, reply);
    const { window, set, coverage } = await issuesOf(facts, days);
    const source = { codehost: facts.codehost, shelf: context.services.facts };
    const issues = await withIssueTitles(source, facts.repository, set.items);
    const measure = metricIn(window);
    return explained(measure, issues, {
      ...{ window, partial: !coverage.complete, asOf: set.asOf, source: set.source },
      item: (one) => itemOf(one, measure.unit === 'days' ? measure([one]).value : null),
    });
  },
});

const itemOf = ({ number, title, htmlUrl, closedAt, createdAt, assignees }: Issue, value: number | null) => ({
  label: title === null ? `#${number}` : `#${number} ${title}`,
  url: htmlUrl,
  at: iso(closedAt ?? createdAt),
  value,
  note: assignees.join(', ') || null,
});

/** The headline numbers of a tracker. */
export const issueExplanations: readonly Explanation[] = [
  ofIssues('median_days_to_close', (window) => daysToClose(window)),
  ofIssues('p90_days_to_close', (window) => daysToClose(window, 0.9)),
  ofIssues('stale_count', ({ to }) => staleIssues(to)),
  ofIssues('unanswered_count', ({ to }) => unansweredIssues(to)),
  ofIssues(unlabelledIssues.key, () => unlabelledIssues),
  ofIssues(unassignedIssues.key, () => unassignedIssues),
];
