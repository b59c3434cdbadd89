import type { Issue } from '../kernel/delivery-facts.ts';
import type { Actor, Instant } from '../kernel/facts.ts';
import { roundTo } from '../kernel/statistics.ts';
import { dayMs, type Window } from '../kernel/window.ts';
import { compareLogins, type People } from '../people/people.ts';
import {
  closedIssues,
  daysToClose,
  isOpenIssue,
  isUnanswered,
  openedIssues,
  openIssues,
  staleIssues,
  unansweredIssues,
  unassignedIssues,
  unlabelledIssues,
} from './issues.ts';

export interface IssueFigures {
  openCount: number;
  openedInPeriod: number;
  closedInPeriod: number;
  /** Opened − closed. */
  backlogDelta: number;
  /** null where it could not be read who closed one of them. */
  closedByBot: number | null;
  /** null where the reason of one of them could not be read. */
  closedNotPlanned: number | null;
  medianDaysToClose: number | null;
  p90DaysToClose: number | null;
  staleCount: number;
  /** null, as the next, where the labels of an open one could not be read. */
  unlabelledCount: number | null;
  /** null where the comments of any that it may be about could not be read. */
  unansweredCount: number | null;
  unassignedCount: number | null;
  totalAnalysed: number;
}

/** Computed from the issues that were read; the platform's own counts win where not all were read. */
export function issueFigures(issues: readonly Issue[], window: Window): IssueFigures {
  const { counted: closed } = closedIssues(window).evidence(issues);
  const openedInPeriod = openedIssues(window)(issues).sample;
  return {
    openCount: openIssues(issues).sample,
    openedInPeriod,
    closedInPeriod: closed.length,
    backlogDelta: openedInPeriod - closed.length,
    closedByBot: closed.some(({ closedByBot }) => closedByBot === null)
      ? null
      : closed.filter(({ closedByBot }) => closedByBot).length,
    closedNotPlanned: closed.some(({ isCloseReasonUnread }) => isCloseReasonUnread)
      ? null
      : closed.filter(({ closeReason }) => closeReason === 'not_planned').length,
    medianDaysToClose: daysToClose(window)(issues).value,
    p90DaysToClose: daysToClose(window, 0.9)(issues).value,
    staleCount: staleIssues(window.to)(issues).sample,
    unlabelledCount: unlabelledIssues(issues).value,
    unansweredCount: unansweredIssues(window.to)(issues).value,
    unassignedCount: unassignedIssues(issues).value,
    totalAnalysed: issues.length,
  };
}

export const issueAgeLabels = ['< 1 week', '1–4 weeks', '1–3 months', '> 3 months'] as const;

/** Open issues by age: under 7 days, under 30, under 90, older. */
export function issueAges(
  issues: readonly Issue[],
  now: Instant,
): { label: (typeof issueAgeLabels)[number]; count: number }[] {
  const ages = issues.filter(isOpenIssue).map(({ createdAt }) => now - createdAt);
  return issueAgeLabels.map((label, index) => {
    const [from, to] = [ageBounds[index - 1] ?? -Infinity, ageBounds[index] ?? Infinity];
    return { label, count: ages.filter((age) => age >= from && age < to).length };
  });
}

interface LabelUse {
  label: string;
  color: string;
  count: number;
}

/** Labels of open issues, most used first; null where those of one could not be read. */
export function topLabels(issues: readonly Issue[], count = 8): LabelUse[] | null {
  const labelled = issues.filter(isOpenIssue).map(({ labels }) => labels);
  if (!labelled.every((labels) => labels !== null)) return null;
  const labels = labelled.flatMap((own) => distinctBy(own, ({ name }) => name));
  return [...Map.groupBy(labels, ({ name }) => name)]
    .map(([label, uses]) => ({ label, color: uses.map(({ color }) => color).sort()[0] ?? '', count: uses.length }))
    .sort((a, b) => b.count - a.count || compareLogins(a.label, b.label))
    .slice(0, count);
}

interface Load {
  login: string;
  open: number;
}

/** Who has how many open issues, one with two people counted for both; null where those of one could not be read. */
export function assigneeLoad(issues: readonly Issue[], people: People, count = 6): Load[] | null {
  const logins = issues.filter(isOpenIssue).map(({ assignees }) => assignees);
  if (!logins.every((own) => own !== null)) return null;
  const assigned = logins.map((own) => own.map(toAccount));
  const roster = people.roster(assigned.flat());
  const keys = assigned.flatMap((actors) => [...new Set(actors.map(people.toKey))]);
  return [...roster.values()]
    .map(({ key, login }) => ({ login, open: keys.filter((each) => each === key).length }))
    .sort((a, b) => b.open - a.open || compareLogins(a.login, b.login))
    .slice(0, count);
}

export interface IssueRef {
  number: number;
  title: string | null;
  /** One decimal. */
  ageDays: number;
  comments: number | null;
  htmlUrl: string;
}

/** Issues that are known to be unanswered, oldest first. */
export function neglectedIssues(issues: readonly Issue[], now: Instant, count = 8): IssueRef[] {
  return oldestFirst(issues.filter((issue) => isOpenIssue(issue) && isUnanswered(issue, now)))
    .slice(0, count)
    .map((issue) => toIssueRef(issue, now));
}

export function oldestOpenIssue(issues: readonly Issue[], now: Instant): IssueRef | null {
  const oldest = oldestFirst(issues.filter(isOpenIssue))[0];
  return oldest === undefined ? null : toIssueRef(oldest, now);
}

export function toIssueRef({ number, title, createdAt, comments, htmlUrl }: Issue, now: Instant): IssueRef {
  return { number, title, ageDays: roundTo((now - createdAt) / dayMs, 1), comments, htmlUrl };
}

const ageBounds = [7, 30, 90].map((days) => days * dayMs);

function oldestFirst(issues: readonly Issue[]): Issue[] {
  return issues.toSorted((a, b) => a.createdAt - b.createdAt || a.number - b.number);
}

function distinctBy<Item>(items: readonly Item[], getKey: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [getKey(item), item])).values()];
}

/** Assignees are reported by login alone. */
function toAccount(login: string): Actor {
  return { login, avatarUrl: '', isBot: false };
}
