import type { Context } from '../access/context.ts';
import type { Freshness, Listing } from '../codehost/client.ts';
import type { LiveWorkflowRun, Repository, WorkflowRun } from '../metrics/facts.ts';
import { isWithin, type Window } from '../metrics/window.ts';

/** The runs of one repository, newest first and without gaps. */
export interface RunHistory extends Freshness {
  /** Also some from before the window where that cost nothing. */
  runs: WorkflowRun[];
  /** Those created in the window. */
  recent: WorkflowRun[];
  /** Every run of the window is among them. */
  complete: boolean;
  /** Runs created in the window; where not all were read, as the platform counts whole UTC days. null when not told. */
  total: number | null;
  source: 'live' | 'mixed';
}

/** Stored runs where they are up to date, else one list of the platform. Throws the problems of the platform. */
export async function runHistory(
  repository: Repository,
  window: Window,
  context: Context,
  mayUseStore: boolean,
): Promise<RunHistory> {
  const stored = mayUseStore ? await storedHistory(repository, window, context) : null;
  return stored ?? liveHistory(repository, window, context);
}

/** For how long stored runs count as up to date: as long as the overview itself. */
export const storedFreshMs = 15 * 60_000;
/** A busier repository is asked of the platform, which counts without listing. */
const mostStored = 3000;
/** Of a quiet repository older runs are shown too. */
const historyLimit = 100;

async function storedHistory(repository: Repository, window: Window, { services: { store } }: Context) {
  const known = await store?.repositories.find(repository);
  const cursor = known && (await store?.cursors.get(known.id));
  if (!store || !known || !cursor?.syncedThrough) return null;
  const { syncedThrough, backfilledTo } = cursor;
  if (syncedThrough < window.to - storedFreshMs || backfilledTo === null || backfilledTo > window.from) return null;
  const recent = await store.runs.recent(known.id, { since: window.from, limit: mostStored });
  if (recent.length === mostStored) return null;
  const runs = recent.length >= historyLimit ? recent : await store.runs.recent(known.id, { limit: historyLimit });
  const kept: RunHistory = {
    ...{ runs, recent, complete: true, total: recent.length },
    ...{ stale: false, asOf: syncedThrough, source: 'mixed' },
  };
  return kept;
}

/** Where nothing was pushed in the window, the newest runs of any age tell more, and mostly reach back far enough. */
async function liveHistory(repository: Repository, window: Window, context: Context): Promise<RunHistory> {
  const { runs } = await context.codehost();
  const isQuiet = (repository.pushedAt ?? 0) < window.from;
  const newest = isQuiet ? await runs.recent(repository, 0, 1) : null;
  if (newest && reaches(newest, window)) return historyOf(newest, window);
  return historyOf(await runs.recent(repository, window.from, 1), window);
}

type Runs = Listing<LiveWorkflowRun>;

const reaches = ({ items, partial }: Runs, { from }: Window) =>
  !partial || items.some(({ createdAt }) => createdAt < from);

function historyOf(list: Runs, window: Window): RunHistory {
  const { items, stale, asOf } = list;
  const recent = items.filter(({ createdAt }) => isWithin(createdAt, window));
  const complete = reaches(list, window);
  const total = complete ? recent.length : list.totalCount;
  return { runs: items, recent, complete, total, stale, asOf, source: 'live' };
}
