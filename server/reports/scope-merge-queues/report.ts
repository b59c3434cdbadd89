import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { percent } from '../../metrics/kernel/statistics.ts';
import { isWithin, lastDaysWindow, staleAfterMs, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { countMerges } from '../../metrics/merge-queue/checks.ts';
import { measureQueue } from '../../metrics/merge-queue/summary.ts';
import { cover } from '../ci/scope-coverage.ts';
import { type Covered, findExclusion } from '../kernel/repository-coverage.ts';
import { type KnownQueue, type RepositoryQueues, readMs } from './known-queue.ts';
import { readScopeQueues } from './reading.ts';
import type { ScopeMergeQueues } from './schema.ts';

type Answer = Domain<typeof ScopeMergeQueues>;
type Row = Answer['queues'][number];

interface Input {
  org: string;
  days: number;
}

/** How the merge queues of an organization fared in the last days, from stored facts alone. */
export async function scopeMergeQueues({ org, days }: Input, context: Context): Promise<Answer> {
  const { scope, repositories, now } = await readScopeQueues(org, context);
  const queues = repositories
    .flatMap((one) => one.queues.map((queue) => toRow(queue, one, days, now)))
    .sort(bySlowness);
  const byId = new Map(repositories.map((one) => [one.repository.id, one]));
  const covered = cover(scope, (id) => {
    const one = byId.get(id);
    return one ? judge(one, days, now) : { included: false, reason: 'not_yet_read' };
  });
  const lengths = queues.flatMap(({ length }) => length ?? []);
  const read = queues.flatMap(({ asOf }) => asOf ?? []);
  const asOf = read.length === 0 ? null : Math.min(...read);
  return {
    org,
    queues,
    waiting: lengths.length === 0 ? null : lengths.reduce((sum, length) => sum + length, 0),
    reposWithoutQueue: repositories.filter((one) => isWithoutQueue(one, days, now)).length,
    windowDays: days,
    covered,
    reposIncluded: scope.repositories.size,
    reposVisible: scope.visible,
    asOf,
    partial: !covered.coverage.complete,
    generatedAt: asOf ?? now,
    dataSource: 'database',
  };
}

const bySlowness = (a: Row, b: Row): number =>
  (b.queueTimeP90 ?? -1) - (a.queueTimeP90 ?? -1) ||
  (b.length ?? -1) - (a.length ?? -1) ||
  a.repo.localeCompare(b.repo, 'en') ||
  a.branch.localeCompare(b.branch, 'en');

/** Figures are of repositories whose window is stored from its begin on. */
function judge(one: RepositoryQueues, days: number, now: Instant): Covered {
  const reason = findExclusion(one.stored, lastDaysWindow(days, now), now);
  if (reason !== null) return { included: reason === 'end_missing', reason };
  return { included: true, reason: one.queues.length > 0 && hasUnread(one, days, now) ? 'sub_fetch_failed' : null };
}

/** What was not read may have a queue. */
const isWithoutQueue = (one: RepositoryQueues, days: number, now: Instant): boolean =>
  one.queues.length === 0 &&
  (judge(one, days, now).included || (one.polled?.hasQueue === false && one.polled.at > now - staleAfterMs));

/** A window ends where its repository was last read. */
const findWindow = ({ stored }: RepositoryQueues, days: number, now: Instant): Window =>
  lastDaysWindow(days, Math.min(now, stored?.to ?? now));

/** What waits, or was ejected and is open still, is known from open pull requests alone. */
const hasUnread = (one: RepositoryQueues, days: number, now: Instant): boolean =>
  one.queues.some(({ length }) => length === null) || isUnreadIn(one, findWindow(one, days, now));

/** Whether some that ended in a window were read without what happened to them in a queue. */
const isUnreadIn = ({ ended }: RepositoryQueues, window: Window): boolean =>
  ended.some(({ mergedAt, closedAt, mergeQueue }) => mergeQueue === null && isWithin(mergedAt ?? closedAt, window));

function toRow({ history, runsFrom, length }: KnownQueue, one: RepositoryQueues, days: number, now: Instant): Row {
  const { included, reason } = judge(one, days, now);
  const window = findWindow(one, days, now);
  const earlier = windowBefore(window, Math.max(window.to - readMs, one.stored?.from ?? now));
  const scope = { history, window, runsFrom };
  const figures = included ? measureQueue(scope) : null;
  const before = figures && earlier && !isUnreadIn(one, earlier) ? measureQueue({ ...scope, window: earlier }) : null;
  return {
    repo: one.repository.name,
    branch: history.branch,
    length: length?.value ?? null,
    lengthAsOf: length?.asOf ?? null,
    queueTimeP50: figures?.queueTimeP50.value ?? null,
    queueTimeP90: figures?.queueTimeP90.value ?? null,
    ejectionRate: length && (figures?.ejectionRate.value ?? null),
    throughputPerHour: length && (figures?.throughputPerHour.value ?? null),
    ciMinutesPerMerge: figures?.queueCiMinutesPerMerge.value ?? null,
    attemptsPerMerge: figures?.attemptsPerMerge.value ?? null,
    changePct: findChange(figures?.queueTimeP50.value ?? null, before?.queueTimeP50.value ?? null),
    sample: figures ? countMerges(scope) : null,
    sampleBefore: before && earlier ? countMerges({ ...scope, window: earlier }) : null,
    asOf: one.stored?.to ?? null,
    partial: reason !== null,
  };
}

/** null where either is unknown, or nothing was waited for before. */
function findChange(now: number | null, before: number | null): number | null {
  if (now === null || before === null || before === 0) return null;
  const change = percent(now - before, before);
  return change === null ? null : Math.round(change);
}
