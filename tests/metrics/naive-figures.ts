/** Lists, ages, calendars and scores a second time, straight from the words. */
import type { Commit, PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { naiveDayOf, naiveDelivered } from './naive-delivery.ts';
import {
  distinct,
  naiveCommitId,
  naiveId,
  naiveIsBot,
  naiveIsBotCommit,
  naiveReviews,
  naiveRound,
  sortedBy,
  total,
} from './naive-people.ts';
import { day, hour } from './worlds.ts';

export function naiveScatter(world: DeliveryWorld) {
  const delivered = naiveDelivered(world, world.now - 90 * day, world.now);
  return sortedBy(delivered, (pr) => [-Number(pr.mergedAt), -pr.number])
    .slice(0, 200)
    .map((pr) => ({
      number: pr.number,
      isBot: naiveIsBot(pr.author),
      hoursToMerge: naiveRound(Number(pr.mergedAt) - pr.createdAt, hour, 1),
      loc: pr.additions + pr.deletions,
      mergedAt: pr.mergedAt,
    }));
}

export function naiveAges({ openPullRequests, now }: DeliveryWorld): number[] {
  const older = (hours: number) => openPullRequests.filter((pr) => !pr.isDraft && now - pr.createdAt >= hours * hour);
  const least = [0, 24, 72, 168, 336].map((hours) => older(hours).length);
  return least.map((count, index) => count - (least[index + 1] ?? 0));
}

export function naiveConcurrent({ openPullRequests, links }: DeliveryWorld) {
  const ids = openPullRequests.flatMap((pr) => naiveId(pr.author, links) ?? []);
  const rows = distinct(ids).map((login) => {
    const own = openPullRequests.filter((pr) => naiveId(pr.author, links) === login);
    const isBot = own.some((pr) => naiveIsBot(pr.author));
    return { login, isBot, count: own.length, drafts: own.filter((pr) => pr.isDraft).length };
  });
  return sortedBy(rows, (row) => [-row.count, row.login]);
}

/** Aliases, in lower case, of each person that brought something to the tables of a window, by login. */
export function naiveLinked({ links }: DeliveryWorld, merged: PullRequest[], opened: PullRequest[]) {
  const selfMerges = merged.filter(
    (pr) => pr.author && !naiveIsBot(pr.author) && naiveId(pr.author, links) === naiveId(pr.mergedBy, links),
  );
  const actors = [
    ...[...merged, ...opened].map((pr) => pr.author),
    ...selfMerges.map((pr) => pr.mergedBy),
    ...merged.flatMap((pr) => naiveReviews(pr, links).map((review) => review.reviewer)),
  ];
  const logins = distinct(actors.flatMap((actor) => actor?.login.toLowerCase() ?? []));
  return (id: string) => {
    const aliases = links.filter(({ primary }) => primary.toLowerCase() === id).map(({ alias }) => alias);
    return sortedBy(
      aliases.filter((alias) => logins.includes(alias)),
      (alias) => [alias],
    );
  };
}

export function naiveLoad(pairs: { author: string; reviewer: string; count: number }[], reviewed: Map<string, number>) {
  const reviewers = distinct(pairs.map(({ reviewer }) => reviewer));
  const given = (name: string) => total(pairs.filter(({ reviewer }) => reviewer === name).map(({ count }) => count));
  const all = total(pairs.map(({ count }) => count));
  const overloaded = reviewers.filter((name) => given(name) * 10 > all * 4 || given(name) * reviewers.length > 2 * all);
  const sole = pairs.filter(
    ({ author, count }) => (reviewed.get(author) ?? 0) >= 3 && 10 * count >= 8 * (reviewed.get(author) ?? 0),
  );
  return {
    overloaded: sortedBy(overloaded, (name) => [name.toLowerCase()]),
    soleReviewer: sortedBy(sole, ({ author, reviewer }) => [author.toLowerCase(), reviewer.toLowerCase()]),
  };
}

export function naiveTrendOfWeeks(weeks: number[]): string {
  if (weeks.length < 4) return 'unknown';
  const newestFirst = weeks.toReversed();
  const size = weeks.length >= 12 ? 6 : Math.floor(weeks.length / 2);
  const [recent, prior] = [total(newestFirst.slice(0, size)), total(newestFirst.slice(size, 2 * size))];
  if (prior === 0) return recent > 0 ? 'up' : 'flat';
  const change = 100 * (recent - prior);
  if (change > 15 * prior) return 'up';
  return change < -15 * prior ? 'down' : 'flat';
}

export function naiveComposite(tier: string | null, factor: number | null) {
  const tierScore = tier === null ? null : 100 - 25 * ['elite', 'high', 'medium', 'low'].indexOf(tier);
  const busFactorScore = !factor ? null : factor === 1 ? 25 : factor === 2 ? 60 : 100;
  if (tierScore === null || busFactorScore === null)
    return { score: null, band: 'insufficient_data', tierScore, busFactorScore };
  const score = naiveRound(60 * tierScore + 40 * busFactorScore, 100) ?? 0;
  return { score, band: score >= 80 ? 'healthy' : score >= 50 ? 'watch' : 'at_risk', tierScore, busFactorScore };
}

/** The figures of the whole: of the newest 300 commits of 90 days, merges and bots taken out afterwards. */
export function naiveCapped(commits: Commit[], { now, links }: DeliveryWorld) {
  const within = sortedBy(
    commits.filter((c) => c.committedAt >= now - 90 * day && c.committedAt <= now),
    (c) => [-c.committedAt, c.sha],
  );
  const newest = within.slice(0, 300);
  const merges = newest.filter((c) => c.parents >= 2);
  const bots = newest.filter((c) => c.parents < 2 && naiveIsBotCommit(c));
  const own = newest.filter((c) => c.parents < 2 && !naiveIsBotCommit(c));
  return {
    inWindow: within.length,
    totalCommits: own.length,
    totalContributors: distinct(own.map((c) => naiveCommitId(c, links))).length,
    excluded: { merges: merges.length, bots: bots.length },
    coversFrom: newest.length === 0 ? null : Math.min(...newest.map((c) => c.committedAt)),
    isCapped: within.length > 300,
  };
}

/** Commits by day of the team's zone, of the year, of twelve weeks, and by weekday and hour. */
export function naiveCalendar({ commits, now, timezone }: DeliveryWorld) {
  const dayOf = naiveDayOf(timezone);
  const back = (date: string, days: number) => new Date(Date.parse(date) - days * day).toISOString().slice(0, 10);
  const own = commits.filter((c) => c.parents < 2);
  const recent = own.filter((c) => c.authoredAt >= now - 90 * day && c.authoredAt <= now);
  const days = new Map(own.map((c) => [c, dayOf(c.authoredAt)]));
  const on = (list: Commit[], date: string) => list.filter((c) => days.get(c) === date).length;
  const today = dayOf(now);
  const monday = back(today, (new Date(today).getUTCDay() + 6) % 7);
  const { format: hourOf } = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit' });
  const grid = Array.from({ length: 7 }, () => Array(24).fill(0) as number[]);
  for (const { authoredAt } of recent) {
    const row = grid[new Date(dayOf(authoredAt)).getUTCDay()] ?? [];
    row[Number(hourOf(authoredAt))] = (row[Number(hourOf(authoredAt))] ?? 0) + 1;
  }
  return {
    year: Array.from({ length: 365 }, (_, index) => back(today, 364 - index)).map((date) => ({
      date,
      count: on(own, date),
    })),
    weeks: Array.from({ length: 12 }, (_, index) => {
      const weekStart = back(monday, 7 * (11 - index));
      const week = [0, 1, 2, 3, 4, 5, 6].map((offset) => back(weekStart, -offset));
      return { weekStart, count: total(week.map((date) => on(recent, date))), partial: index === 11 };
    }),
    grid,
  };
}

export function naiveOrgRuns(
  repositories: { successRate: number | null; passed: number; failed: number; totalRuns: number | null }[],
) {
  const rates = repositories.flatMap(({ successRate }) => successRate ?? []);
  const counts = repositories.flatMap(({ totalRuns }) => totalRuns ?? []);
  const passed = total(repositories.map((one) => one.passed));
  const unknown = repositories.length > 0 && counts.length === 0;
  return {
    activeRepositories: unknown ? null : repositories.filter((one) => Number(one.totalRuns) > 0).length,
    totalRuns: unknown ? null : total(counts),
    uncountedRepos: repositories.filter((one) => one.totalRuns === null).length,
    avgSuccessRate: naiveRound(total(rates), rates.length),
    pooledSuccessRate: naiveRound(100 * passed, passed + total(repositories.map((one) => one.failed))),
    pooledPassedRuns: passed,
  };
}
