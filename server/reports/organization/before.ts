import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { compareShares, judgeChange, type Share } from '../../metrics/kernel/comparison.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import { windowBefore } from '../../metrics/kernel/window.ts';
import { sampleCi } from '../ci/demo.ts';
import { isStored } from '../kernel/stored-coverage.ts';
import type { OrganizationReading } from './reading.ts';
import type { OrgOverview } from './report.ts';

type Answer = Domain<typeof OrgOverview>;
type Before = Answer['before'];

/**
 * The same repositories in the previous 30 days, from stored runs. null unless every run of both windows is known of each
 * of them: the runs of the newest hundred do not say how many there were before.
 */
export async function readBefore(org: string, reading: OrganizationReading, context: Context): Promise<Before> {
  const { listing, repositories, activeElsewhere } = reading;
  if (repositories.length === 0 || !repositories.every(({ history }) => history?.complete)) return null;
  const window = windowBefore(reading.window, 0);
  const stored = window && (await findStored(org, reading, context));
  if (!window || !stored) return null;
  const { source, storedIds } = stored;
  const windows = await source.storedWindows([...storedIds.values()]);
  const now = context.services.clock.now();
  const isKnown = (id: number) => isStored(windows.get(storedIds.get(id) ?? 0), window, now);
  if (!repositories.every(({ repository }) => isKnown(repository.id))) return null;
  const unarchived = listing.items.filter(({ archived }) => !archived);
  const counted = new Set(repositories.flatMap(({ repository }) => storedIds.get(repository.id) ?? []));
  // As the active ones of now: of the whole organization, or of those listed where there are no others.
  const isWhole =
    !listing.partial &&
    unarchived.every(({ id }) => isKnown(id) && (activeElsewhere !== null || counted.has(storedIds.get(id) ?? 0)));
  const { workflows } = await source.tally([...(isWhole ? storedIds.values() : counted)], window);
  const own = workflows.filter(({ repoId }) => counted.has(repoId));
  const sum = (getCount: (tally: (typeof own)[number]) => number) =>
    own.reduce((total, tally) => total + getCount(tally), 0);
  const [passed, failed] = [sum((tally) => tally.passed), sum((tally) => tally.failed)];
  const rate = percent(passed, passed + failed);
  const withRuns = new Set(workflows.map(({ repoId }) => repoId));
  return {
    activeRepos: isWhole ? unarchived.filter(({ id }) => withRuns.has(storedIds.get(id) ?? 0)).length : null,
    totalRuns: sum(({ runs }) => runs),
    pooledSuccessRate: rate === null ? null : roundTo(rate, 0),
    pooledSuccessRateSample: passed + failed,
    pooledPassedRuns: passed,
  };
}

/** Where runs are stored, and by what id each visible repository is known there; null without proof of what may be seen. */
async function findStored(org: string, { listing }: OrganizationReading, context: Context) {
  if (context.isDemo)
    return {
      source: await sampleCi(listing.items, context),
      storedIds: new Map(listing.items.map(({ id }) => [id, id])),
    };
  const { store } = context.services;
  if (!store || listing.stale) return null;
  const tracked = new Map((await store.repositories.tracked(org)).map(({ codehostId, id }) => [codehostId, id]));
  const storedIds = listing.items.flatMap(({ id }) => {
    const known = tracked.get(id);
    return known === undefined ? [] : [[id, known] as const];
  });
  return { source: store.workflowFigures, storedIds: new Map(storedIds) };
}

/** Whether the share of passed runs is shown to differ from that of the 30 days before. */
export const judgeSuccess = (now: Answer['aggregate'], before: Before) =>
  judgeChange(before && compareShares(toShare(before), toShare(now)), 'percent');

const toShare = (runs: Pick<Answer['aggregate'], 'pooledPassedRuns' | 'pooledSuccessRateSample'>): Share => ({
  part: runs.pooledPassedRuns,
  n: runs.pooledSuccessRateSample,
});
