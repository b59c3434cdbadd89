import type { Context, Reply } from '../access/context.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { AtomFeed } from '../platform/atom.ts';
import { assertOwner, listVisibleRepositories } from '../reports/repositories/visibility.ts';
import { scorecard } from '../reports/scorecard/report.ts';
import { weekAt } from './leadership-digest.ts';
import { narrative } from './narrative.ts';

/** What is stored of a week for one reader: fixed words, figures and names of repositories alone. */
interface StoredWeek {
  lines: string[];
  /** Those that were scored, in lower case. */
  repositories: string[];
}

const weeks = 12;
const weekMs = 7 * dayMs;
/** As many repositories as the page of the scores has. */
const scored = 10;

/**
 * The latest weeks of an organization, in the sentences of the weekly email. A week is written once, when its feed is
 * first read in it with all scores computed and none failed, and is left out once its reader no longer sees one of its repositories.
 */
export async function weeklyFeed(org: string, context: Context, reply: Reply): Promise<AtomFeed> {
  const { answers, clock, env } = context.services;
  const { id: accountId } = await context.actor();
  await assertOwner(org, context);
  const { items } = await listVisibleRepositories(org, context);
  const visible = new Set(items.map(({ repo }) => repo.toLowerCase()));
  const now = clock.now();
  const { hostname } = new URL(env.APP_URL);
  const feedId = `tag:${hostname},2026:week:${org.toLowerCase()}`;
  const keyOf = (week: string) => `weekly-feed:${accountId}:${org.toLowerCase()}:${week}`;
  const { week: current } = weekAt(now);
  if (!(await answers.get(keyOf(current)))) {
    const written = await writeWeek(org, context, reply);
    if (written) await answers.claim(keyOf(current), written, now, now + weeks * weekMs);
  }
  const latest = Array.from({ length: weeks }, (_, index) => weekAt(now - index * weekMs).week);
  const entries = await Promise.all(
    latest.map(async (week) => {
      const found = await answers.get<StoredWeek>(keyOf(week));
      return found?.value.repositories.every((name) => visible.has(name)) ? [{ week, ...found }] : [];
    }),
  );
  return {
    id: feedId,
    title: `Weekly summary of ${org}`,
    author: 'Delivery Analytics',
    self: `${env.APP_URL}/api/feeds/weekly.atom?org=${org}`,
    page: `${env.APP_URL}/org/${org}/health`,
    entries: entries.flat().map(({ week, value, madeAt }) => ({
      id: `${feedId}:${week}`,
      title: `${org}, week ${week}`,
      updated: madeAt,
      page: `${env.APP_URL}/org/${org}/health`,
      content: value.lines.join('\n'),
    })),
  };
}

/** The week as its scores are now; null while they are being computed, and where one may succeed later. */
async function writeWeek(org: string, context: Context, reply: Reply): Promise<StoredWeek | null> {
  const report = await scorecard({ org, limit: scored }, context, reply);
  const { repos, reposAttempted, skipped, computedAt } = report;
  const denied = skipped.filter(({ reason }) => reason === 'forbidden').length;
  if (computedAt === null || repos.length + denied < reposAttempted) return null;
  const { summary, highlights, concerns } = narrative(repos);
  return { lines: [summary, ...highlights, ...concerns], repositories: repos.map(({ repo }) => repo.toLowerCase()) };
}
