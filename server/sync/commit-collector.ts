import type { Services } from '../access/context.ts';
import { createCalendar } from '../metrics/people/workday-hours.ts';
import { aiAuthorship, markTable, markTableVersion } from '../settings/ai-authorship.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import type { KnownRepository } from '../store/repositories.ts';
import type { Collector, CollectorContext } from './collect.ts';
import { type FactSyncResult, factSyncResult, noRules, withRepositoryLease } from './fact-collector.ts';
import { syncPullRequestCommits } from './pull-request-commits.ts';
import { type MarksSync, type MarksSyncOptions, openersPerNight, syncPullRequestMarks } from './pull-request-marks.ts';
import { problemResult } from './repository-sync-result.ts';

/** What reading the commits of one repository's merged pull requests came to. */
export interface CommitSyncResult extends FactSyncResult {
  prs: number;
  commits: number;
  truncated: number;
}

/** Reads the commits of the merged pull requests of a tracked repository, then marks of agents while these are looked for. */
export const commitCollector: Collector<CommitSyncResult> = {
  kind: 'commits',
  queue: 'collect-commits',
  async collect(known, repository, context) {
    const both = await withRepositoryLease(known.id, context, async (options) => {
      const read = await syncPullRequestCommits(known.id, repository, options);
      const wanted = read.problem ? null : await findMarkOptions(known, context);
      const marks = wanted && (await syncPullRequestMarks(known.id, repository, { ...options, ...wanted }));
      return { read, marks };
    });
    const { read = null, marks = null } = both ?? {};
    const result = await factSyncResult(known, 'commits', read, context);
    return {
      ...result,
      ...(marks && result.status === 'ok' && toMarksResult(marks, context)),
      prs: read?.prsSynced ?? 0,
      commits: read?.commitsUpserted ?? 0,
      truncated: read?.prsTruncated ?? 0,
    };
  },
  emptyResult: (result) => ({ ...result, prs: 0, commits: 0, truncated: 0, rules: noRules }),
};

/** By what marks are looked for; null where they are not, and those that are stored are removed. */
async function findMarkOptions(
  { id, owner, repo }: KnownRepository,
  { services, store }: CollectorContext,
): Promise<Pick<MarksSyncOptions, 'table' | 'version' | 'calendar' | 'mayReadOpener'> | null> {
  const [setting, zone] = await Promise.all([readSetting(aiAuthorship, store), readSetting(workday, store)]);
  if (!setting.databaseAvailable || !zone.databaseAvailable) return null;
  const { enabled, repositories_excluded } = setting.value;
  const isExcluded = repositories_excluded.some((name) => name.toLowerCase() === `${owner}/${repo}`.toLowerCase());
  if (!enabled || isExcluded) {
    await store.pullRequestMarks.forget(id);
    return null;
  }
  const { timezone } = zone.value;
  const { limits, clock, env } = services;
  const table = markTable(setting.value, env.BOT_LOGINS);
  const version = markTableVersion(setting.value, { timezone, botLogins: env.BOT_LOGINS });
  const mayReadOpener = async () =>
    (await limits.hit('ai-authorship-openers', openersPerNight, openersWithinMs, clock.now())).allowed;
  return { table, version, calendar: createCalendar(timezone), mayReadOpener };
}

/** Removes the marks that are left of the time before they were switched off: of lost repositories, or of a late pass. */
export async function forgetMarksWhileOff({ store }: Pick<Services, 'store'>): Promise<void> {
  if (store === null) return;
  const { value, databaseAvailable } = await readSetting(aiAuthorship, store);
  if (databaseAvailable && !value.enabled) await store.pullRequestMarks.forgetAll();
}

/** Less than a day, so that each night has its own. */
const openersWithinMs = 20 * 3_600_000;

/** The marks are read with the commits; what is left of them makes the reading of both partial. */
function toMarksResult({ complete, problem }: MarksSync, { services }: CollectorContext) {
  if (problem) return problemResult(problem, services.clock.now());
  return complete ? {} : { status: 'partial' as const };
}
