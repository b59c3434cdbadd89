import type { Codehost, Listing } from '../codehost/client.ts';
import { pageSize } from '../codehost/listing.ts';
import type { Instant, LiveWorkflowRun, RepositoryName, Workflow } from '../metrics/facts.ts';
import { Problem } from '../platform/problem.ts';

/** What was read of one workflow's runs: always its newest ones, without gaps. */
export interface WorkflowRuns {
  runs: LiveWorkflowRun[];
  /** Every run of the last 30 days is among them. */
  coversWindow: boolean;
  /** The newest 20 are among them, or all there are. */
  isEnough: boolean;
}

type Runs = Listing<LiveWorkflowRun>;

interface OverviewRuns {
  /** null for a workflow whose runs could not be read, or of which none was met before the requests were used up. */
  of(workflow: Workflow): WorkflowRuns | null;
  /** The list of the last 30 days. */
  recent: Runs;
  /** What was read beside it. */
  others: Runs[];
}

export const overviewWindowMs = 30 * 86_400_000;
const dayMs = 86_400_000;

/** Requests one overview may cost, the one that proves the repository visible left out. */
const mostRequests = 6;
const mostRecentPages = 5;
const newestWanted = 20;

/**
 * Reads the runs of a repository's workflows: one shared list of the last 30 days, then what is missing to the newest
 * 20 of each, as far as the requests reach. Workflows that are few enough are asked for one by one. For more of them
 * the newest runs of the repository are read, whatever their age, if that at least doubles what is known; otherwise
 * those come first of which least is known.
 */
export async function readOverviewRuns(
  name: RepositoryName,
  codehost: Codehost,
  now: Instant,
): Promise<{ list: Listing<Workflow>; runs: OverviewRuns }> {
  // Whole days, as the platform is asked: what it answers beyond the window costs nothing more.
  const since = Math.floor((now - overviewWindowMs) / dayMs) * dayMs;
  const [list, recent] = await Promise.all([
    codehost.workflows.list(name),
    codehost.runs.recent(name, since, mostRecentPages),
  ]);
  const quiet = mostInNeed(list.items, recent);
  const left = Math.max(0, mostRequests - pagesOf(list) - pagesOf(recent));
  const isWidened = quiet.length > left && left * pageSize >= 2 * recent.items.length;
  if (isWidened) {
    const newest = await orNull(codehost.runs.recent(name, 0, left));
    return { list, runs: overviewRuns(recent, newest, new Map()) };
  }
  const asked = quiet.slice(0, left).map(async ({ id }) => {
    const own = await orNull(codehost.runs.ofWorkflow(name, id, newestWanted));
    return [id, own] as const;
  });
  return { list, runs: overviewRuns(recent, null, new Map(await Promise.all(asked))) };
}

const pagesOf = ({ items }: Listing<unknown>) => Math.max(1, Math.ceil(items.length / pageSize));

/** The workflows with fewer than 20 runs in the list: active ones first, then those with the fewest. */
function mostInNeed(workflows: readonly Workflow[], recent: Runs): Workflow[] {
  const counts = new Map(workflows.map(({ id }) => [id, 0]));
  for (const { workflowId } of recent.items) counts.set(workflowId, (counts.get(workflowId) ?? 0) + 1);
  const known = ({ id }: Workflow) => counts.get(id) ?? 0;
  return workflows
    .filter((workflow) => known(workflow) < newestWanted)
    .sort((a, b) => Number(b.state === 'active') - Number(a.state === 'active') || known(a) - known(b));
}

/** `newest` are runs of all workflows whatever their age, `own` those of one workflow, null where reading them failed. */
function overviewRuns(recent: Runs, newest: Runs | null, own: ReadonlyMap<number, Runs | null>): OverviewRuns {
  const everything = newest !== null && !newest.partial;
  return {
    recent,
    others: [newest, ...own.values()].filter((one) => one !== null),
    of({ id }) {
      const asked = own.get(id);
      if (asked === null) return null;
      const known = [asked, newest, recent].flatMap((one) => one?.items ?? []).filter((run) => run.workflowId === id);
      const runs = [...new Map(known.toReversed().map((run) => [run.id, run])).values()];
      const isEnough = everything || asked !== undefined || runs.length >= newestWanted;
      if (!isEnough && runs.length === 0) return null;
      const hasAll = everything || (asked?.totalCount ?? Number.POSITIVE_INFINITY) <= (asked?.items.length ?? 0);
      return { runs, coversWindow: hasAll || !recent.partial, isEnough };
    },
  };
}

/** A part that the platform refuses does not keep the rest from being shown; a rejected token does. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Problem && error.code !== 'unauthenticated') return null;
    throw error;
  }
}
