import { camelCase } from '../../domain/wire.ts';
import type { Issue } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import {
  closedIssues,
  daysToClose,
  openedIssues,
  openIssues,
  staleIssues,
  unansweredIssues,
  unassignedIssues,
  unlabelledIssues,
} from '../../metrics/pull-requests/issues.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { readIssues } from './reading.ts';
import { platformCounts } from './report.ts';
import { withIssueTitles } from './titles.ts';

const explainIssues = (
  key: string,
  metricIn: (window: Window) => Metric<Issue>,
  happened: (issue: Issue) => Instant = ({ closedAt, createdAt }) => closedAt ?? createdAt,
): Explanation => ({
  key,
  feature: 'issueHealth',
  needs: ['owner', 'repo'],
  anyDays: true,
  async explain({ owner = '', repo = '', days = 30 }, context, reply) {
    const facts = await repositoryFacts({ owner, repo }, context, reply);
    const reading = await readIssues(facts, days);
    const { window, set, coverage } = reading;
    const source = { codehost: facts.codehost, factRepository: context.services.facts };
    const issues = await withIssueTitles(source, facts.repository, set.items);
    const measure = metricIn(window);
    const answer = explainMetric(measure, issues, {
      window,
      partial: !coverage.complete,
      asOf: set.asOf,
      source: set.source,
      item: (one) => ({
        ...toItem(one, measure.unit === 'days' ? measure([one]).value : null),
        at: happened(one),
      }),
    });
    const counts: Record<string, unknown> = (await platformCounts(reading, facts)) ?? {};
    const value = counts[camelCase(key)];
    return typeof value === 'number' ? { ...answer, value } : answer;
  },
});

const toItem = ({ number, title, htmlUrl, assignees }: Issue, value: number | null) => ({
  label: title === null ? `#${number}` : `#${number} ${title}`,
  url: htmlUrl,
  value,
  note: assignees?.join(', ') || null,
});

/** The headline numbers of a tracker. */
export const issueExplanations: readonly Explanation[] = [
  explainIssues(openIssues.key, () => openIssues),
  explainIssues('opened_in_period', openedIssues, ({ createdAt }) => createdAt),
  explainIssues('closed_in_period', closedIssues),
  explainIssues('median_days_to_close', (window) => daysToClose(window)),
  explainIssues('p90_days_to_close', (window) => daysToClose(window, 0.9)),
  explainIssues('stale_count', ({ to }) => staleIssues(to)),
  explainIssues('unanswered_count', ({ to }) => unansweredIssues(to)),
  explainIssues(unlabelledIssues.key, () => unlabelledIssues),
  explainIssues(unassignedIssues.key, () => unassignedIssues),
];
