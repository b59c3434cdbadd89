/** Commits, issues and runs of people a second time, straight from the words. */
import type { Commit } from '../../server/metrics/kernel/delivery-facts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { naiveBusFactor } from './naive-contributors.ts';
import { naiveDayOf } from './naive-delivery.ts';
import {
  distinct,
  naiveCommitId,
  naiveId,
  naiveIsBot,
  naiveIsBotCommit,
  naiveMean,
  naiveRound,
  naiveTenths,
  sortedBy,
  total,
} from './naive-people.ts';
import { day } from './worlds.ts';

export function naiveBusFactors({ now, commits, directories, links }: DeliveryWorld) {
  const newest = sortedBy(
    commits.filter((c) => c.committedAt >= now - 90 * day),
    (c) => [-c.committedAt, c.sha],
  );
  const own = newest.slice(0, 300).filter((c) => c.parents < 2 && !naiveIsBotCommit(c));
  const usable = own.filter((c) => c.changedFiles !== null && c.changedFiles <= 100);
  const partsOf = (c: Commit) =>
    (directories.get(c.sha) ?? [])
      .filter((path) => !/(^|\/)(node_modules|vendor|dist|build)(\/|$)/.test(path))
      .map((path) => path.split('/').filter(Boolean));
  const touching = (prefix: string[]) => usable.filter((c) => partsOf(c).some((parts) => startsWith(parts, prefix)));
  const isSplit = (prefix: string[]) => {
    const below = usable.flatMap(partsOf).filter((parts) => startsWith(parts, prefix) && parts.length > prefix.length);
    const children = distinct(below.map((parts) => parts[prefix.length]));
    return prefix.length < 5 && children.length >= 2 && 10 * touching(prefix).length > 4 * own.length;
  };
  const moduleOf = (parts: string[]) => {
    let depth = 2;
    while (parts.length > depth && isSplit(parts.slice(0, depth))) depth++;
    return parts.slice(0, depth).join('/') || '(root)';
  };
  const placed = usable.map((c) => ({ id: naiveCommitId(c, links), modules: distinct(partsOf(c).map(moduleOf)) }));
  const modules = distinct(placed.flatMap((c) => c.modules)).map((module) => {
    const authors = placed.filter((c) => c.modules.includes(module)).map((c) => c.id);
    const busFactor = naiveBusFactor(countsOf(authors));
    const risk = authors.length < 5 ? 'low_sample' : (['critical', 'critical', 'warning'][busFactor] ?? 'healthy');
    return { module, busFactor, risk, totalCommits: authors.length, uniqueContributors: distinct(authors).length };
  });
  const outside = own.filter(
    (c) => directories.get(c.sha)?.length !== 0 && !(usable.includes(c) && directories.has(c.sha)),
  );
  return {
    overallBusFactor: naiveBusFactor(countsOf(own.map((c) => naiveCommitId(c, links)))),
    totalCommits: own.length,
    outsideModules: outside.length,
    outsideCommits: outside.map(({ sha, changedFiles }) => ({
      sha,
      reason:
        changedFiles === null ? 'unknown_number_of_files' : changedFiles < 101 ? 'unknown_directories' : 'many_files',
    })),
    totalContributors: distinct(own.map((c) => naiveCommitId(c, links))).length,
    criticalModules: modules.filter((each) => each.risk === 'critical').length,
    modules: sortedBy(modules, (each) => [each.risk === 'critical' ? 0 : 1, -each.totalCommits, each.module]),
  };
}

export function naiveWorkload(world: DeliveryWorld, windowDays: number, isCapped: boolean) {
  const { now, links, openPullRequests } = world;
  const commits = world.commits.filter(
    (c) => c.parents < 2 && c.authoredAt >= now - windowDays * day && c.authoredAt <= now,
  );
  const clock = naiveClockOf(world.timezone);
  const open = openPullRequests.filter((pr) => pr.author !== null);
  const ids = distinct([
    ...commits.map((c) => naiveCommitId(c, links)),
    ...open.map((pr) => naiveId(pr.author, links) ?? ''),
  ]);
  const rows = ids.map((id) => {
    const own = commits.filter((c) => naiveCommitId(c, links) === id);
    const pulls = open.filter((pr) => naiveId(pr.author, links) === id);
    const isBot = own.some(naiveIsBotCommit) || pulls.some((pr) => naiveIsBot(pr.author));
    const late = own.filter((c) => clock(c.authoredAt).hour < 8 || clock(c.authoredAt).hour > 18);
    const free = own.filter((c) => ['Sat', 'Sun'].includes(clock(c.authoredAt).weekday));
    const outside = distinct([...late, ...free]);
    const recent = own.filter((c) => c.authoredAt >= now - 14 * day).length;
    const least = { 30: 3, 42: 3, 90: 9 }[windowDays] ?? 0;
    const landed = world.commits.some(
      (c) => c.parents < 2 && naiveCommitId(c, links) === id && c.committedAt >= now - 14 * day && c.committedAt <= now,
    );
    const enough = own.length >= 5 && !isBot;
    const flags = {
      afterHours: enough && 10 * late.length >= 3 * own.length,
      weekend: enough && 4 * free.length >= own.length,
      concurrentPrOverload: !isBot && pulls.filter((pr) => !pr.isDraft).length > 3,
      activityCliff: isCapped ? null : !isBot && recent === 0 && !landed && own.length >= least,
    };
    return {
      id,
      isBot,
      totalCommits: own.length,
      recentPeriodCommits: recent,
      priorPeriodCommits: own.length - recent,
      afterHoursCommits: late.length,
      weekendCommits: free.length,
      outsideWorkdayCommits: outside.length,
      afterHoursPct: naiveRound(100 * late.length, own.length),
      weekendPct: naiveRound(100 * free.length, own.length),
      outsideWorkdayPct: naiveRound(100 * outside.length, own.length),
      openPrCount: pulls.length,
      openDraftCount: pulls.filter((pr) => pr.isDraft).length,
      flags,
      riskScore: total([flags.afterHours, flags.weekend, flags.concurrentPrOverload, flags.activityCliff].map(Number)),
      sampleOk: own.length >= 5,
    };
  });
  return sortedBy(rows, (row) => [Number(row.isBot), -row.riskScore, -row.totalCommits, row.id.replace(' (name)', '')]);
}

export function naiveActivity({ now, commits, timezone }: DeliveryWorld) {
  const own = commits.filter((c) => c.parents < 2 && c.authoredAt >= now - 90 * day && c.authoredAt <= now);
  const clock = naiveClockOf(timezone);
  const dayOf = naiveDayOf(timezone);
  const days = distinct(own.map((c) => dayOf(c.authoredAt)));
  const back = (date: string) => Math.round((Date.parse(dayOf(now)) - Date.parse(date)) / day);
  const hours = own.map((c) => clock(c.authoredAt).hour);
  const weekdays = own.map((c) => clock(c.authoredAt).weekday);
  const late = hours.filter((hour) => hour < 8 || hour > 18).length;
  const free = weekdays.filter((weekday) => weekday[0] === 'S').length;
  return {
    totalCommits: own.length,
    activeDaysPerWeek: [0, 1, 2, 3].map((week) => days.filter((date) => Math.floor(back(date) / 7) === week).length),
    commitHourDistribution: Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length),
    afterHoursCommits: late,
    weekendCommits: free,
    afterHoursPct: naiveRound(100 * late, own.length),
    weekendPct: naiveRound(100 * free, own.length),
  };
}

/** The share of people's commits that were written outside 8 to 19 o'clock or on a weekend. */
export function naiveOutside({ now, commits, timezone }: DeliveryWorld, days: number): number | null {
  const clock = naiveClockOf(timezone);
  const own = commits.filter(
    (c) => c.parents < 2 && c.authoredAt >= now - days * day && c.authoredAt <= now && !naiveIsBotCommit(c),
  );
  const outside = own.filter((c) => {
    const { hour, weekday } = clock(c.authoredAt);
    return hour < 8 || hour > 18 || weekday === 'Sat' || weekday === 'Sun';
  });
  return naiveRound(100 * outside.length, own.length);
}

export function naiveIssues({ issues, now, links }: DeliveryWorld, days: number) {
  const from = now - days * day;
  const open = issues.filter((issue) => issue.closedAt === null);
  const closed = issues.filter((issue) => issue.closedAt !== null && issue.closedAt >= from && issue.closedAt <= now);
  const times = closed.map((issue) => Number(issue.closedAt) - issue.createdAt).filter((time) => time >= 0);
  const waiting = open.filter((issue) => issue.comments === 0 && issue.createdAt <= now - 14 * day);
  const opened = issues.filter((issue) => issue.createdAt >= from && issue.createdAt <= now).length;
  const older = (least: number) => open.filter((issue) => now - issue.createdAt >= least * day).length;
  const names = open.flatMap((issue) => distinct((issue.labels ?? []).map((label) => label.name)));
  const holders = open.flatMap((issue) =>
    distinct((issue.assignees ?? []).map((login) => naiveId({ login, avatarUrl: '', isBot: false }, links) ?? '')),
  );
  return {
    figures: {
      openCount: open.length,
      openedInPeriod: opened,
      closedInPeriod: closed.length,
      backlogDelta: opened - closed.length,
      closedByBot: closed.filter((issue) => issue.closedByBot).length,
      closedNotPlanned: closed.filter((issue) => issue.closeReason === 'not_planned').length,
      medianDaysToClose: naiveTenths(times, 5, day, 1),
      p90DaysToClose: naiveTenths(times, 9, day, 1),
      staleCount: open.filter((issue) => issue.updatedAt <= now - 30 * day).length,
      unlabelledCount: open.filter((issue) => issue.labels?.length === 0).length,
      unansweredCount: waiting.length,
      unassignedCount: open.filter((issue) => issue.assignees?.length === 0).length,
      totalAnalysed: issues.length,
    },
    ages: [open.length - older(7), older(7) - older(30), older(30) - older(90), older(90)],
    labels: ranked(names).slice(0, 8),
    load: ranked(holders).slice(0, 6),
    neglected: sortedBy(waiting, (issue) => [issue.createdAt, issue.number])
      .slice(0, 8)
      .map((issue) => issue.number),
    oldest: sortedBy(open, (issue) => [issue.createdAt, issue.number])[0]?.number ?? null,
  };
}

export function naiveTeam({ runs, now, timezone, links }: DeliveryWorld) {
  const done = runs.filter((run) => run.status === 'completed');
  const own = done.filter((run) => run.actor !== null && run.event !== 'schedule');
  const clock = naiveClockOf(timezone);
  const rows = distinct(own.map((run) => naiveId(run.actor, links))).map((id) => {
    const mine = own.filter((run) => naiveId(run.actor, links) === id);
    const success = mine.filter((run) => run.conclusion === 'success').length;
    const failure = mine.filter((run) => run.conclusion === 'failure' || run.conclusion === 'timed_out').length;
    const ended = mine.filter((run) => run.conclusion !== 'action_required');
    const durations = ended.map((run) => run.updatedAt - Number(run.startedAt));
    const waits = mine.filter((run) => run.attempt === 1).map((run) => Number(run.startedAt) - run.createdAt);
    const hours = mine.map((run) => clock(run.createdAt).hour);
    const byHour = Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length);
    const weekdays = mine.map((run) => clock(run.createdAt).weekday);
    return {
      id,
      isBot: mine.some((run) => naiveIsBot(run.actor)),
      totalRuns: mine.length,
      success,
      failure,
      successRate: naiveRound(100 * success, success + failure),
      avgDurationMs: naiveMean(durations, 1, 0),
      medianDurationMs: naiveTenths(durations, 5, 1, 0),
      avgQueueWaitMs: naiveMean(waits, 1, 0),
      lastRunAt: Math.max(...mine.map((run) => run.createdAt)),
      activityByHour: byHour,
      activityByDow: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].map(
        (name) => weekdays.filter((each) => each === name).length,
      ),
      busiestHour: sortedBy([...byHour.keys()], (hour) => [-(byHour[hour] ?? 0), hour])[0],
      rerunsTriggered: runs.filter((run) => run.attempt > 1 && naiveId(run.triggeringActor, links) === id).length,
    };
  });
  const people = sortedBy(rows, (row) => [-row.totalRuns, row.id ?? '']);
  const humans = people.filter((row) => !row.isBot);
  const sure = humans.filter((row) => row.success + row.failure >= 5);
  const [best] = sortedBy(sure, (row) => [-row.success / (row.success + row.failure), -row.totalRuns, row.id ?? '']);
  return {
    people,
    topContributor: humans[0]?.id ?? null,
    mostReliable: best?.id ?? null,
    totalRuns: done.length,
    unattributedRuns: done.length - own.length,
    periodDays: Math.max(1, ...done.map((run) => Math.ceil((now - run.createdAt) / day))),
  };
}

function countsOf<Item>(items: Item[]): number[] {
  return distinct(items).map((item) => items.filter((each) => each === item).length);
}

function ranked(names: string[]): [string, number][] {
  const counts = distinct(names).map((name): [string, number] => [name, names.filter((each) => each === name).length]);
  return sortedBy(counts, ([name, count]) => [-count, name]);
}

function startsWith(parts: string[], prefix: string[]): boolean {
  return prefix.every((part, index) => parts[index] === part);
}

export function naiveClockOf(timeZone: string): (instant: number) => { hour: number; weekday: string } {
  const { format: hourOf } = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' });
  const { format: weekdayOf } = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' });
  return (instant) => ({ hour: Number(hourOf(instant)), weekday: weekdayOf(instant) });
}
