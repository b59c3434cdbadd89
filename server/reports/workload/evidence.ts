import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { isAfterHours, isWeekend, type Workday } from '../../metrics/people/workload.ts';
import { commitItem } from '../bus-factor/report.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { workloadCommits } from './reading.ts';
import { computeOutsideShare } from './team.ts';

/** The team's share of commits outside the workday: each commit with its hours, and not with who wrote it. */
export const outsideWorkdayExplanation: Explanation = {
  key: 'outside_workday_pct',
  feature: 'workloadRisk',
  needs: ['owner', 'repo'],
  async explain({ days, ...input }, context, reply) {
    const facts = await repositoryFacts(input as RepositoryName, context, reply);
    const reading = await workloadCommits(facts, days === 30 || days === 90 ? days : 42, context);
    const { window, coverage, workday, asOf, source, stale } = reading;
    const partial = !coverage.complete;
    noteListing(reply, { partial, stale, asOf });
    const asItem = commitItem(facts, context, ({ authoredAt }) => authoredAt);
    return explainMetric(computeOutsideShare(reading, facts), reading.commits, {
      window,
      partial,
      asOf,
      source,
      item: (commit) => ({ ...asItem(commit), note: formatHours(commit.authoredAt, workday) }),
    });
  },
};

function formatHours(at: Instant, workday: Workday): string {
  if (isWeekend(at, workday)) return 'on a weekend';
  return isAfterHours(at, workday) ? 'before or after the workday' : 'in the workday';
}
