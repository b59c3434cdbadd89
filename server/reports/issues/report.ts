import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { IssueCounts } from '../../codehost/delivery/client.ts';
import type { CamelCase } from '../../domain/wire.ts';
import { compareSides, judgeChange, toQuantileSide } from '../../metrics/kernel/comparison.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import {
  assigneeLoad,
  issueAgeLabels,
  issueAges,
  issueFigures,
  neglectedIssues,
  oldestOpenIssue,
  toIssueRef,
  topLabels,
} from '../../metrics/pull-requests/issue-triage.ts';
import { daysToClose, listTimesToClose } from '../../metrics/pull-requests/issues.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { noteListing } from '../kernel/notes.ts';
import { type RepositoryFacts, repositoryFacts } from '../repositories/facts.ts';
import { type IssuesReading, readIssues } from './reading.ts';
import { type IssuesReport, notPlannedReasons } from './schema.ts';
import { withIssueTitles } from './titles.ts';

type Answer = Domain<typeof IssuesReport>;

interface IssuesInput extends RepositoryName {
  days: number;
}

/** How many issues are open, how fast they close and which wait. */
export async function issuesReport({ days, ...name }: IssuesInput, context: Context, reply: Reply): Promise<Answer> {
  const facts = await repositoryFacts(name, context, reply);
  const reading = await readIssues(facts, days);
  const { set, coverage, window } = reading;
  const { owner, repo } = facts.repository;
  noteListing(reply, { ...set, partial: !coverage.complete });
  const source = { codehost: facts.codehost, factRepository: context.services.facts };
  const issues = await withIssueTitles(source, facts.repository, reading.issues, namedIn(reading, facts));
  const figures = computeFigures({ ...reading, issues }, facts);
  const counts = await platformCounts(reading, facts);
  return {
    repo: `${owner}/${repo}`,
    periodDays: days,
    ...figures,
    // Those of which the time of closing could not be read are not among them.
    closedByBot: coverage.complete ? figures.closedByBot : figures.closedByBot || null,
    ...counts,
    closedNotPlannedReasons: notPlannedReasons,
    reopenedInPeriod: null,
    periodBefore: earlier(reading),
    daysToCloseSample: daysToClose(window)(issues).sample,
    exact: coverage.complete ? [...counted, ...analysed] : counts ? counted : [],
    partial: !coverage.complete,
    coverage,
    generatedAt: set.asOf,
    dataSource: set.source,
  };
}

/** The same figures of the equally long window before, of what is known by now. */
function earlier({ set, before, issues, window }: IssuesReading): Answer['periodBefore'] {
  if (before === null) return null;
  const [closed, now] = [listTimesToClose(set.items, before), listTimesToClose(issues, window)];
  const judge = (q: number) =>
    judgeChange(compareSides(toQuantileSide(closed, q), toQuantileSide(now, q)), 'milliseconds');
  return {
    ...issueFigures(set.items, before),
    daysToCloseSample: closed.length,
    medianVerdict: judge(0.5),
    p90Verdict: judge(0.9),
  };
}

/** What the platform counts itself where not all issues could be read; null where all were, or on an error. */
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

type Counted = keyof CamelCase<Record<(typeof counted)[number], unknown>>;

/** Fields that only the issues themselves show. */
const analysed = [
  'closed_by_bot',
  'median_days_to_close',
  'p90_days_to_close',
  'top_labels',
  'assignee_load',
  'neglected',
] as const;

function computeFigures({ issues, window }: Pick<IssuesReading, 'issues' | 'window'>, { people }: RepositoryFacts) {
  return {
    ...issueFigures(issues, window),
    ageBuckets: issueAges(issues, window.to),
    topLabels: topLabels(issues),
    assigneeLoad: assigneeLoad(issues, people),
    neglected: neglectedIssues(issues, window.to),
    oldestOpen: oldestOpenIssue(issues, window.to),
  };
}

/** The issues that the answer names: an update of any other is no reason to read their titles anew. */
function namedIn(reading: IssuesReading, facts: RepositoryFacts): IssuesReading['issues'] {
  const { neglected, oldestOpen: oldest } = computeFigures(reading, facts);
  const numbers = new Set([...neglected, ...(oldest ? [oldest] : [])].map(({ number }) => number));
  return reading.issues.filter(({ number }) => numbers.has(number));
}

const countedByPlatform = (counts: IssueCounts, now: Instant): Pick<Answer, Counted> => ({
  ...counts,
  backlogDelta: counts.openedInPeriod - counts.closedInPeriod,
  ageBuckets: issueAgeLabels.map((label, index) => ({ label, count: counts.ages[index] ?? 0 })),
  oldestOpen: counts.oldestOpen && toIssueRef(counts.oldestOpen, now),
});
