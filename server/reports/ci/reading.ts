import type { Context } from '../../access/context.ts';
import { priceChanges } from '../../metrics/cost/runner-prices.ts';
import {
  type JobGroup,
  priceJobs,
  type Spend,
  toMonthly,
  type WorkflowSpend,
} from '../../metrics/cost/workflow-spend.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { Calendar, Day } from '../../metrics/people/workday-hours.ts';
import type { Store } from '../../store/orm.ts';
import type { StoredCosts, StoredJobs, WindowTally } from '../../store/workflow-figures.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { countElapsedDays, findExactWindow, findPeriod, type Range } from '../kernel/period.ts';
import { listOwnRepositories, listVisibleRepositories, visibleRepository } from '../repositories/visibility.ts';
import { largerRunnerLabels } from '../runners/report.ts';

export interface ScopeInput {
  org?: string | undefined;
  /** `owner/name`. */
  repo?: string | undefined;
}

/** Where the figures come from. */
export type CiSource = Store['workflowFigures'] & {
  /** Up to when the runs of the least up to date of these repositories are stored; null where one was never read. */
  syncedThrough(repoIds: readonly number[]): Promise<Instant | null>;
};

export interface ScopeRepository {
  /** The id that the source knows it by. */
  id: number;
  name: string;
  isPublic: boolean;
  defaultBranch: string | null;
  onPlatform: Repository;
}

/** The repositories of a scope that the caller's token can see and whose runs are stored. */
export interface StoredScope {
  source: CiSource;
  repositories: ReadonlyMap<number, ScopeRepository>;
  /** Names of those that the token can see beside them. */
  unsynced: readonly string[];
  /** All that the token can see; null where their list is incomplete. */
  visible: number | null;
  calendar: Calendar;
}

/** The same with the range that is reported. */
export interface CiScope extends StoredScope {
  /** What is counted, one by one and by day alike. */
  window: Window;
  /** The days that it touches, oldest first: the first one and today may lie in it only in part. */
  days: Day[];
  /** How many days of the range have gone by, today in part. */
  dayCount: number;
}

type SampleSource = (repositories: readonly Repository[]) => Promise<CiSource>;

/** Proves what may be seen, which is all that is requested of the platform. */
export async function readScope(
  input: ScopeInput,
  range: Range,
  context: Context,
  sampleSource: SampleSource,
): Promise<CiScope> {
  const calendar = await teamCalendar(context);
  const period = findPeriod(range, calendar, context.services.clock.now());
  const scope = await findScope(input, calendar, context, sampleSource);
  const window = findExactWindow(range, period);
  return {
    ...scope,
    window,
    days: calendar.daysBetween(window.from, window.to),
    dayCount: countElapsedDays(range, period, calendar),
  };
}

/** The same for what has periods of its own. */
export async function findScope(
  input: ScopeInput,
  calendar: Calendar,
  context: Context,
  sampleSource: SampleSource,
): Promise<StoredScope> {
  // Without a database this throws before any request to the platform.
  const store = context.isDemo ? null : context.store;
  const { items, partial } = await listVisible(input, context);
  const about = { visible: partial ? null : items.length, calendar };
  const describe = (id: number, onPlatform: Repository) => {
    const { owner, repo, visibility, defaultBranch } = onPlatform;
    return [
      id,
      { id, name: `${owner}/${repo}`, isPublic: visibility === 'public', defaultBranch, onPlatform },
    ] as const;
  };
  if (!store)
    return {
      ...about,
      source: await sampleSource(items),
      repositories: new Map(items.map((one) => describe(one.id, one))),
      unsynced: [],
    };
  const { workflowFigures, trends } = store;
  const seen = new Map(items.map((one) => [one.id, one]));
  const stored = await listStored(input, items, store);
  const known = stored.flatMap(({ id, codehostId }) => {
    const repository = seen.get(codehostId);
    return repository ? [describe(id, repository)] : [];
  });
  const isStored = new Set(stored.map(({ codehostId }) => codehostId));
  const unsynced = items.filter(({ id }) => !isStored.has(id)).map(({ owner, repo }) => `${owner}/${repo}`);
  const syncedThrough = async (repoIds: readonly number[]) => (await trends.coverage(repoIds)).syncedThrough;
  return { ...about, source: { ...workflowFigures, syncedThrough }, repositories: new Map(known), unsynced };
}

async function listVisible({ org, repo }: ScopeInput, context: Context) {
  if (repo) {
    const [owner = '', name = ''] = repo.split('/');
    return { items: [await visibleRepository({ owner, repo: name }, context)], partial: false };
  }
  if (org) return listVisibleRepositories(org, context);
  return listOwnRepositories(context);
}

/** One that is requested by its name is shown as long as its runs are stored, tracked or not. */
async function listStored({ org, repo }: ScopeInput, visible: readonly Repository[], { repositories }: Store) {
  if (!repo) return repositories.tracked(org);
  const found = await Promise.all(visible.map((one) => repositories.find(one)));
  return found.filter((one) => one !== null);
}

/** As much of a scope as its cost is read by. */
export interface SpendScope extends Pick<CiScope, 'source' | 'calendar'> {
  repositories: ReadonlyMap<number, Pick<ScopeRepository, 'id' | 'name' | 'isPublic'>>;
}

/** What the workflows of a window cost: one entry for each that has a run in it. */
export async function readSpend(
  scope: SpendScope,
  { tally, window, days }: { tally: WindowTally; window: Window; days: number },
  context: Pick<Context, 'services'>,
): Promise<CiSpend[]> {
  return priceWorkflows(scope, { tally, stored: (await readCosts(scope, window)).workflows, days }, context);
}

/** What is stored of the cost of a window. */
export function readCosts({ source, repositories, calendar }: SpendScope, window: Window): Promise<StoredCosts> {
  const publicIds = [...repositories.values()].filter(({ isPublic }) => isPublic).map(({ id }) => id);
  return source.costs([...repositories.keys()], window, { priceChanges, zone: calendar.timezone, publicIds });
}

/** The workflows of a window with what they cost. */
export function priceWorkflows(
  { repositories }: Pick<SpendScope, 'repositories'>,
  { tally, stored, days }: { tally: WindowTally; stored: readonly StoredJobs[]; days: number },
  context: Pick<Context, 'services'>,
): CiSpend[] {
  const byWorkflow = new Map(stored.map((one) => [keyOf(one), one]));
  const labels = largerRunnerLabels(context.services.env);
  const price = (groups: readonly JobGroup[], isPublic: boolean) =>
    priceJobs(groups, { isPublic, largerRunnerLabels: labels });
  return tally.workflows.map((one) => {
    const { name: repo = '', isPublic = false } = repositories.get(one.repoId) ?? {};
    const jobs = byWorkflow.get(keyOf(one));
    const spend = jobs ? price(jobs.groups, isPublic) : null;
    return {
      key: keyOf(one),
      repo,
      workflowId: one.workflowId,
      workflow: one.workflow,
      completedRuns: one.completed,
      costedRuns: jobs?.runs ?? 0,
      unknownJobs: spend?.unknownJobs ?? 0,
      minutes: spend?.minutes ?? 0,
      usd: spend?.usd ?? null,
      wastedUsd: spend?.wastedUsd ?? null,
      perMonth: toMonthly(spend?.usd ?? null, days),
      wastedPerMonth: toMonthly(spend?.wastedUsd ?? null, days),
    };
  });
}

export interface CiSpend extends WorkflowSpend, Pick<Spend, 'unknownJobs' | 'minutes' | 'usd' | 'wastedUsd'> {
  key: string;
}

export const keyOf = ({ repoId, workflowId }: { repoId: number; workflowId: number }): string =>
  `${repoId} ${workflowId}`;
