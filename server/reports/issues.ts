import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { IssueCounts } from '../codehost/delivery-client.ts';
import type { RepositoryName } from '../metrics/facts.ts';
import {
  assigneeLoad,
  type IssueRef,
  issueAgeLabels,
  issueAges,
  issueFigures,
  neglectedIssues,
  oldestOpenIssue,
  refOf,
  topLabels,
} from '../metrics/issue-triage.ts';
import { daysToClose } from '../metrics/issues.ts';
import { ifReadable } from './deployments.ts';
import { iso } from './instants.ts';
import { type IssuesReading, issuesOf } from './issues-reading.ts';
import { type IssuesReport, notPlannedReasons } from './issues-schema.ts';
import { withIssueTitles } from './issues-titles.ts';
import { noteListing } from './notes.ts';
import { type RepositoryFacts, repositoryFacts } from './repository-facts.ts';

type Answer = z.input<typeof IssuesReport>;
type Figures = Pick<Answer, (typeof counted)[number] | (typeof analysed)[number]>;

interface IssuesInput extends RepositoryName {
  days: number;
}

/** How many issues are open, how fast they close and which wait. */
export async function issuesReport({ days, ...name }: IssuesInput, context: Context, reply: Reply): Promise<Answer> {
  const facts = await repositoryFacts(name, context, reply);
  const reading = await issuesOf(facts, days);
  const { set, coverage, window } = reading;
  const { owner, repo } = facts.repository;
  noteListing(reply, { ...set, partial: !coverage.complete, totalCount: null });
  const source = { codehost: facts.codehost, shelf: context.services.facts };
  const issues = await withIssueTitles(source, facts.repository, reading.issues, namedIn(reading, facts));
  const figures = figuresOf({ ...reading, issues }, facts);
  const counts = await platformCounts(reading, facts);
  return {
    repo: `${owner}/${repo}`,
    period_days: days,
    ...figures,
    ...counts,
    closed_not_planned_reasons: [...notPlannedReasons],
    reopened_in_period: null,
    period_before: earlier(reading),
    days_to_close_sample: daysToClose(window)(issues).sample,
    total_analysed: issues.length,
    exact: coverage.complete ? [...counted, ...analysed] : counts ? [...counted] : [],
    partial: !coverage.complete,
    coverage,
    generated_at: iso(set.asOf),
    data_source: set.source,
  };
}

/** The same figures of the equally long window before, of what is known by now. */
function earlier({ set, before }: IssuesReading): Answer['period_before'] {
  if (before === null) return null;
  const figures = issueFigures(set.items, before);
  return {
    opened_in_period: figures.openedInPeriod,
    closed_in_period: figures.closedInPeriod,
    backlog_delta: figures.backlogDelta,
    median_days_to_close: figures.medianDaysToClose,
    p90_days_to_close: figures.p90DaysToClose,
    days_to_close_sample: daysToClose(before)(set.items).sample,
  };
}

/** What the platform counts itself where not all issues could be read; null where all were, or it does not tell. */
export async function platformCounts({ coverage, window }: IssuesReading, { codehost, repository }: RepositoryFacts) {
  if (coverage.complete) return null;
  const counts = await ifReadable(codehost.issues.counts(repository, { since: window.from, now: window.to }));
  return counts && countedByPlatform(counts, window.to);
}

/** Fields that the platform counts itself where not all issues can be read. */
const counted = [
  'open_count',
  'opened_in_period',
  'closed_in_period',
  'backlog_delta',
  'closed_not_planned',
  'stale_count',
  'unlabelled_count',
  'unassigned_count',
  'unanswered_count',
  'age_buckets',
  'oldest_open',
] as const;

/** Fields that only the issues themselves tell. */
const analysed = [
  'closed_by_bot',
  'median_days_to_close',
  'p90_days_to_close',
  'top_labels',
  'assignee_load',
  'neglected',
] as const;

function figuresOf({ issues, window }: Pick<IssuesReading, 'issues' | 'window'>, { people }: RepositoryFacts): Figures {
  const figures = issueFigures(issues, window);
  const oldest = oldestOpenIssue(issues, window.to);
  return {
    open_count: figures.openCount,
    opened_in_period: figures.openedInPeriod,
    closed_in_period: figures.closedInPeriod,
    backlog_delta: figures.backlogDelta,
    closed_not_planned: figures.closedNotPlanned,
    closed_by_bot: figures.closedByBot,
    median_days_to_close: figures.medianDaysToClose,
    p90_days_to_close: figures.p90DaysToClose,
    stale_count: figures.staleCount,
    unlabelled_count: figures.unlabelledCount,
    unassigned_count: figures.unassignedCount,
    unanswered_count: figures.unansweredCount,
    age_buckets: issueAges(issues, window.to),
    top_labels: topLabels(issues),
    assignee_load: assigneeLoad(issues, people),
    neglected: neglectedIssues(issues, window.to).map(referenceOf),
    oldest_open: oldest && referenceOf(oldest),
  };
}

/** The issues that the answer names: an update of any other is no reason to read their titles anew. */
function namedIn(reading: IssuesReading, facts: RepositoryFacts): IssuesReading['issues'] {
  const { neglected, oldest_open: oldest } = figuresOf(reading, facts);
  const numbers = new Set([...neglected, ...(oldest ? [oldest] : [])].map(({ number }) => number));
  return reading.issues.filter(({ number }) => numbers.has(number));
}

function countedByPlatform(counts: IssueCounts, now: number): Pick<Answer, (typeof counted)[number]> {
  return {
    open_count: counts.open,
    opened_in_period: counts.opened,
    closed_in_period: counts.closed,
    backlog_delta: counts.opened - counts.closed,
    closed_not_planned: counts.closedNotPlanned,
    stale_count: counts.stale,
    unlabelled_count: counts.unlabelled,
    unassigned_count: counts.unassigned,
    unanswered_count: counts.unanswered,
    age_buckets: issueAgeLabels.map((label, index) => ({ label, count: counts.ages[index] ?? 0 })),
    oldest_open: counts.oldestOpen && referenceOf(refOf(counts.oldestOpen, now)),
  };
}

const referenceOf = ({ number, title, ageDays, comments, htmlUrl }: IssueRef) => ({
  ...{ number, title, age_days: ageDays, comments, html_url: htmlUrl },
});
