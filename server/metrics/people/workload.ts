import type { Commit, PullRequest } from '../kernel/delivery-facts.ts';
import type { Actor, Instant } from '../kernel/facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { percent, roundTo } from '../kernel/statistics.ts';
import { dayMs, isWithin, lastDaysWindow, type Window } from '../kernel/window.ts';
import { type Author, compareLogins, type People, type Person, unreadAuthor } from './people.ts';
import { cliffPriorMinimum, cliffRecentDays, findLanding, findRenamed } from './silence.ts';
import type { Calendar } from './workday-hours.ts';

/** The team's workday: full hours, `start` inside and `end` outside. */
export interface Workday {
  calendar: Calendar;
  /** 0–23. */
  start: number;
  /** 1–24. */
  end: number;
}

export const workloadThresholds = {
  afterHoursPct: 30,
  weekendPct: 25,
  minCommits: 5,
  concurrentPrs: 4,
  cliffRecentDays,
} as const;

/** Before the start or after the end of the workday, on whatever weekday. */
export function isAfterHours(instant: Instant, { calendar, start, end }: Workday): boolean {
  const hour = calendar.getHour(instant);
  return hour < start || hour >= end;
}

/** Saturday or Sunday. */
export function isWeekend(instant: Instant, { calendar }: Workday): boolean {
  return calendar.getWeekday(instant) % 6 === 0;
}

export function isOutsideWorkday(instant: Instant, workday: Workday): boolean {
  return isAfterHours(instant, workday) || isWeekend(instant, workday);
}

/** Whether a commit carries the moment of a merge, as squashed ones do, in place of that when it was written. */
export const hasMergeMoment = ({ authoredAt, committedAt }: Commit, merges: ReadonlySet<Instant | null>): boolean =>
  authoredAt === committedAt && merges.has(committedAt);

export interface WorkloadScope {
  window: Window;
  workday: Workday;
  people: People;
}

/** Share of people's commits written outside the workday or on weekends. */
export function outsideWorkdayShare(scope: WorkloadScope): Metric<Commit> {
  return metric({
    key: 'outside_workday_pct',
    label: 'Commits outside the workday',
    unit: 'percent',
    better: 'lower',
    source: 'commits of people on the default branch',
    definition:
      'Share of commits written before or after the hours of the workday, or on a weekend. A squashed commit has the time of its merge. Merge commits and commits of bots are excluded.',
    counts: (commit) => countsAsWork(commit, scope),
    share: ({ authoredAt }) => isOutsideWorkday(authoredAt, scope.workday),
  });
}

export interface WorkloadRow {
  login: string;
  avatarUrl: string;
  isBot: boolean;
  linkedLogins: string[];
  unlinkedName: boolean;
  /** null, like all that depends on commits, while it could not be read of any who wrote it. */
  totalCommits: number | null;
  recentPeriodCommits: number | null;
  priorPeriodCommits: number | null;
  afterHoursCommits: number | null;
  weekendCommits: number | null;
  /** Either of the two. */
  outsideWorkdayCommits: number | null;
  /** Shares of the commits, 0–100; null without commits. */
  afterHoursPct: number | null;
  weekendPct: number | null;
  outsideWorkdayPct: number | null;
  /** Drafts included; null, as `openDraftCount`, where not all that are open are known. */
  openPrCount: number | null;
  openDraftCount: number | null;
  flags: {
    afterHours: boolean | null;
    weekend: boolean | null;
    /** By what is known to be open. */
    concurrentPrOverload: boolean;
    activityCliff: boolean | null;
  };
  /** Flags that are true; null where commits, or what is open, could not be read. */
  riskScore: number | null;
  sampleOk: boolean | null;
}

export interface WorkloadInput {
  commits: readonly Commit[];
  /** Those that could be read. */
  openPullRequests: readonly PullRequest[];
  /** All that are open, and who opened each. */
  isOpenKnown: boolean;
  windowDays: number;
  now: Instant;
  workday: Workday;
  people: People;
  /** The reading of commits stopped early; then nobody's silence can be reported. */
  isCapped: boolean;
  /** Commits are missing that could not be read; then nobody is known to have none. */
  hasGaps: boolean;
}

/** Everybody who wrote a commit or has a pull request open, bots last. Starting points for a talk, not verdicts. */
export function workloadRows(input: WorkloadInput): WorkloadRow[] {
  const { people, openPullRequests, workday, windowDays, now } = input;
  const window = lastDaysWindow(windowDays, now);
  const commits = input.commits.filter(({ parents, authoredAt }) => parents <= 1 && isWithin(authoredAt, window));
  const known = commits.filter(({ isAuthorUnread }) => !isAuthorUnread);
  const hasUnread = known.length < commits.length;
  const byPerson = Map.groupBy(known, people.toAuthorKey);
  const open = Map.groupBy(openPullRequests, ({ author }) => author && people.toKey(author));
  const owners = openPullRequests.flatMap(({ author }) => (author === null ? [] : [asAuthor(author)]));
  const renamed = findRenamed([...known, ...owners], people);
  const landing = findLanding(input.commits, now, people);
  return [...people.authorRoster([...known, ...owners]).values()]
    .map((person) => {
      const own = byPerson.get(person.key) ?? [];
      const isUnknown = hasUnread || (input.hasGaps && own.length === 0);
      const work = isUnknown ? null : commitFigures(own, now, workday);
      const pulls = open.get(person.key) ?? [];
      return toRow(person, work, pulls, {
        ...input,
        isRenamed: renamed.has(person.key),
        hasLanded: landing.has(person.key),
      });
    })
    .sort(byRisk);
}

interface CommitFigures {
  total: number;
  recent: number;
  afterHours: number;
  weekend: number;
  outside: number;
}

function commitFigures(commits: readonly Commit[], now: Instant, workday: Workday): CommitFigures {
  const count = (holds: (instant: Instant) => boolean) => commits.filter(({ authoredAt }) => holds(authoredAt)).length;
  return {
    total: commits.length,
    recent: count((instant) => instant >= now - cliffRecentDays * dayMs),
    afterHours: count((instant) => isAfterHours(instant, workday)),
    weekend: count((instant) => isWeekend(instant, workday)),
    outside: count((instant) => isOutsideWorkday(instant, workday)),
  };
}

function toRow(
  person: Person,
  work: CommitFigures | null,
  openPullRequests: readonly PullRequest[],
  {
    isOpenKnown,
    isCapped,
    hasGaps,
    windowDays,
    isRenamed,
    hasLanded,
  }: WorkloadInput & { isRenamed: boolean; hasLanded: boolean },
): WorkloadRow {
  const { login, avatarUrl, isBot, linkedLogins, unlinkedName } = person;
  const drafts = openPullRequests.filter(({ isDraft }) => isDraft).length;
  const prior = work && work.total - work.recent;
  const { minCommits, afterHoursPct, weekendPct, concurrentPrs } = workloadThresholds;
  const sampleOk = work && work.total >= minCommits;
  const isOften = (figure: 'afterHours' | 'weekend', limit: number) =>
    work && !isBot && work.total >= minCommits && 100 * work[figure] >= limit * work.total;
  const isCliff = work && !isBot && work.recent === 0 && !hasLanded && work.total >= cliffPriorMinimum(windowDays);
  const flags = {
    afterHours: isOften('afterHours', afterHoursPct),
    weekend: isOften('weekend', weekendPct),
    concurrentPrOverload: !isBot && openPullRequests.length - drafts >= concurrentPrs,
    // Who is silent under one login may go on under the other.
    activityCliff: isCapped || (isRenamed && isCliff) ? null : isCliff,
  };
  return {
    login,
    avatarUrl,
    isBot,
    linkedLogins,
    unlinkedName,
    totalCommits: work?.total ?? null,
    recentPeriodCommits: work?.recent ?? null,
    priorPeriodCommits: prior,
    afterHoursCommits: work?.afterHours ?? null,
    weekendCommits: work?.weekend ?? null,
    outsideWorkdayCommits: work?.outside ?? null,
    afterHoursPct: work && roundPercent(work.afterHours, work.total),
    weekendPct: work && roundPercent(work.weekend, work.total),
    outsideWorkdayPct: work && roundPercent(work.outside, work.total),
    openPrCount: isOpenKnown ? openPullRequests.length : null,
    openDraftCount: isOpenKnown ? drafts : null,
    flags,
    riskScore: work === null || hasGaps || !isOpenKnown ? null : countRaised({ flags }),
    sampleOk,
  };
}

function countsAsWork(commit: Commit, { window, people }: WorkloadScope): Verdict {
  if (!isWithin(commit.authoredAt, window)) return 'written outside the window';
  if (commit.parents > 1) return 'a merge commit';
  if (commit.isAuthorUnread) return { unknown: unreadAuthor };
  return people.isBotAuthor(commit) ? 'by a bot' : true;
}

const countRaised = ({ flags }: Pick<WorkloadRow, 'flags'>): number =>
  Object.values(flags).filter((flag) => flag === true).length;

function byRisk(a: WorkloadRow, b: WorkloadRow): number {
  return (
    Number(a.isBot) - Number(b.isBot) ||
    countRaised(b) - countRaised(a) ||
    (b.totalCommits ?? 0) - (a.totalCommits ?? 0) ||
    compareLogins(a.login, b.login)
  );
}

function roundPercent(part: number, sum: number): number | null {
  const value = percent(part, sum);
  return value === null ? null : roundTo(value, 0);
}

function asAuthor(author: Actor): Author {
  return { author, authorName: '' };
}
