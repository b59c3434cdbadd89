import type { Context } from '../../access/context.ts';
import type { Instant, LiveWorkflowRun, Repository } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { addDays, createCalendar, getQuarter } from '../../metrics/people/workday-hours.ts';
import { getQueueWait } from '../../metrics/runs/queue-wait.ts';
import { countRuns } from '../../metrics/runs/run-totals.ts';
import { getDuration } from '../../metrics/runs/workflow-runs.ts';
import type { RepositoryReadings } from '../../store/collection.ts';
import type { StoredRun } from '../../store/stored-run.ts';
import type { TrendWindow } from '../../store/trends.ts';
import { listAllRuns } from '../ci/demo.ts';
import type { HistorySource } from './source.ts';

/** The sample organization has no database: its runs are what a database would hold of it, complete up to now. */
export async function sampleHistory(context: Context): Promise<HistorySource> {
  const codehost = await context.codehost();
  const now = context.services.clock.now();
  const { items } = await codehost.repositories.mine();
  const listRuns = async (repoIds: readonly number[], window: Window = { from: 0, to: now }) => {
    const repositories = items.filter(({ id }) => repoIds.includes(id));
    const lists = await Promise.all(repositories.map((one) => listAllRuns(codehost, one, window)));
    return lists.flat().map((run) => toStoredRun(run, now));
  };
  const listOf = async (repoIds: readonly number[], { from, to, timezone }: TrendWindow) => {
    const { getStart, getDay } = createCalendar(timezone);
    const runs = await listRuns(repoIds, { from: getStart(from), to: getStart(addDays(to, 1)) - 1 });
    return runs.map((run) => ({ run, day: getDay(run.createdAt) }));
  };
  return {
    repositories: {
      find: async ({ id }) => ({ id }),
      tracked: async () => items.map(({ id }) => ({ id, codehostId: id })),
    },
    trends: {
      async daily(repoIds, window) {
        const days = Map.groupBy(await listOf(repoIds, window), ({ day }) => day);
        return [...days]
          .map(([date, ofDay]) => ({ date, ...countRuns(ofDay.map(({ run }) => run)) }))
          .sort((a, b) => (a.date < b.date ? -1 : 1));
      },
      async quarterly(repoIds, window) {
        const quarters = Map.groupBy(await listOf(repoIds, window), ({ day }) => getQuarter(day).firstDay);
        return [...quarters]
          .map(([firstDay, own]) => ({ ...getQuarter(firstDay), ...countRuns(own.map(({ run }) => run)) }))
          .sort((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
      },
      async coverage(repoIds) {
        const firstRunAt = findOldest(await listRuns(repoIds));
        return { syncedThrough: now, firstRunAt, someKnownFrom: null, allKnownFrom: null, partial: false };
      },
    },
    runs: {
      async page({ repoId, limit, offset, conclusion }) {
        const runs = (await listRuns([repoId])).filter((run) => !conclusion || run.conclusion === conclusion);
        runs.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
        return { runs: runs.slice(offset, offset + limit), total: runs.length };
      },
    },
    cursors: { get: async () => ({ syncedThrough: now }) },
    collection: {
      of: (codehostIds, mergedSince) =>
        Promise.all(
          items
            .filter(({ id }) => codehostIds.includes(id))
            .sort((a, b) => (a.repo < b.repo ? -1 : 1))
            .map(async (one) => describeReadings(one, await listRuns([one.id]), { mergedSince, now })),
        ),
    },
  };
}

function toStoredRun(run: LiveWorkflowRun, now: Instant): StoredRun {
  const completedAt = run.status === 'completed' ? run.updatedAt : null;
  const queueWaitMs = getQueueWait(run).ms;
  return { ...run, completedAt, durationMs: getDuration(run), jobWaitMs: null, queueWaitMs, syncedAt: now };
}

const findOldest = (runs: readonly StoredRun[]): Instant | null =>
  runs.length === 0 ? null : Math.min(...runs.map(({ createdAt }) => createdAt));

/** Everything was read up to now, without an error. */
function describeReadings(
  { owner, repo, id, createdAt }: Repository,
  runs: readonly StoredRun[],
  { mergedSince, now }: { mergedSince: Instant; now: Instant },
): RepositoryReadings {
  const [ended, through] = [{ resume: null, lastFinishedAt: now, lastError: null }, { syncedThrough: now }];
  const since = findOldest(runs) ?? createdAt ?? now;
  return {
    owner,
    repo,
    codehostId: id,
    tracked: true,
    unreachableSince: null,
    lastErrorCode: null,
    firstRunAt: findOldest(runs),
    cursors: (['runs', 'prs', 'commits'] as const).map((kind) => ({ kind, ...through, backfilledTo: since, ...ended })),
    states: (['pull_requests', 'commits', 'issues', 'deployments', 'releases'] as const).map((kind) => ({
      kind,
      floor: since,
      through: now,
      capped: false,
      oldestAt: null,
    })),
    merged: { total: 0, unread: 0, truncated: 0, oldestReadAt: mergedSince, newestReadAt: now },
    jobs: { attempts: runs.reduce((sum, { attempt }) => sum + attempt, 0), lastReadAt: now },
  };
}
