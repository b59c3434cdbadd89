import type { Codehost, Freshness, Listing } from '../../codehost/client/client.ts';
import { pageSize } from '../../codehost/client/listing.ts';
import type { Instant, LiveWorkflowRun, Repository, RepositoryName, Workflow } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { conclusiveOnDefault, isJudgedAlone, maxJudged } from '../../metrics/runs/health.ts';
import { withRequests } from '../../platform/stored-only.ts';
import { ifReadable } from '../kernel/coverage.ts';

/** What was read of one workflow's runs. */
export interface WorkflowRuns {
  /** Its newest runs, without gaps. */
  runs: LiveWorkflowRun[];
  /** Those that its health and success rate look at: also older ones of the default branch. */
  judged: LiveWorkflowRun[];
  /** Every run of the last 30 days is among its newest ones. */
  coversWindow: boolean;
  /** The newest 20 and the last ten conclusive ones of the default branch were read, or all there are. */
  isEnough: boolean;
  /** Nothing older of the default branch exists than what `runs` and `judged` hold. */
  hasAllOfDefault: boolean;
}

type Runs = Listing<LiveWorkflowRun>;

interface OverviewRuns {
  forWorkflow(workflow: Workflow): WorkflowRuns;
  /** The list of the last 30 days. */
  recent: Runs;
  /** What was read beside it. */
  others: Runs[];
}

export const overviewWindowMs = 30 * dayMs;

/** Requests one overview may cost, the one that proves the repository visible left out. */
const maxRequests = 6;
const maxRecentPages = 5;
const newestWanted = 20;

/**
 * Reads the runs of a repository's workflows: one shared list of the last 30 days, then what is missing to the newest
 * 20 of each, then what is missing to the last ten conclusive runs of the default branch, as far as the requests reach.
 * That the repository is visible is requested also for an answer of what is stored.
 */
export async function readOverviewRuns(
  name: RepositoryName,
  codehost: Codehost,
  now: Instant,
): Promise<{ repository: Repository & Freshness; list: Listing<Workflow>; runs: OverviewRuns }> {
  // Full days, as the platform filters: what it answers beyond the window costs nothing more.
  const since = Math.floor((now - overviewWindowMs) / dayMs) * dayMs;
  const [repository, list, recent] = await Promise.all([
    withRequests(() => codehost.repositories.about(name)),
    codehost.workflows.list(name),
    codehost.runs.recent(name, since, maxRecentPages),
  ]);
  const { defaultBranch } = repository;
  const left = Math.max(0, maxRequests - countPages(list) - countPages(recent));
  const { newest, own, requests } = await readNewest(name, codehost, { workflows: list.items, recent, left });
  const known = { recent, newest, own, defaultBranch };
  const lacking = lackingOnDefault(list.items, known).slice(0, Math.max(0, left - requests));
  const onDefault = await readEach(lacking, ({ id }) => codehost.runs.ofBranch(name, id, defaultBranch ?? ''));
  return { repository, list, runs: overviewRuns({ ...known, onDefault }) };
}

const countPages = ({ items }: Listing<unknown>) => Math.max(1, Math.ceil(items.length / pageSize));

/** Lists by the id of the workflow; null where reading failed. */
type OwnRuns = ReadonlyMap<number, Runs | null>;

interface Newest {
  /** Runs of all workflows whatever their age; null where they were not read. */
  newest: Runs | null;
  own: OwnRuns;
  /** What they cost. */
  requests: number;
}

/**
 * Workflows that are few enough are requested one by one. For more of them the newest runs of the repository are read,
 * whatever their age, if that at least doubles what is known; otherwise those with the fewest known runs come first.
 */
async function readNewest(
  name: RepositoryName,
  codehost: Codehost,
  { workflows, recent, left }: { workflows: readonly Workflow[]; recent: Runs; left: number },
): Promise<Newest> {
  const quiet = sortByNeed(workflows, newestWanted, (workflow) => selectRuns(recent, workflow).length);
  const isWidened = quiet.length > left && left * pageSize >= 2 * recent.items.length;
  if (isWidened)
    return { newest: await ifReadable(codehost.runs.recent(name, 0, left)), own: new Map(), requests: left };
  const read = quiet.slice(0, left);
  const own = await readEach(read, ({ id }) => codehost.runs.ofWorkflow(name, id, pageSize));
  return { newest: null, own, requests: read.length };
}

async function readEach(workflows: readonly Workflow[], read: (workflow: Workflow) => Promise<Runs>): Promise<OwnRuns> {
  return new Map(await Promise.all(workflows.map(async (one) => [one.id, await ifReadable(read(one))] as const)));
}

const selectRuns = ({ items }: Runs, { id }: Workflow) => items.filter(({ workflowId }) => workflowId === id);

/** The workflows with fewer than `wanted`: active ones first, then those with the fewest. */
function sortByNeed(workflows: readonly Workflow[], wanted: number, known: (workflow: Workflow) => number): Workflow[] {
  const counts = new Map(workflows.map((workflow) => [workflow, known(workflow)]));
  const getCount = (workflow: Workflow) => counts.get(workflow) ?? 0;
  return workflows
    .filter((workflow) => getCount(workflow) < wanted)
    .sort((a, b) => Number(b.state === 'active') - Number(a.state === 'active') || getCount(a) - getCount(b));
}

interface Known extends Pick<Newest, 'newest' | 'own'> {
  recent: Runs;
  defaultBranch: string | null;
}

/** The newest runs of a workflow, and whether these are all it ever had. */
function listNewest(workflow: Workflow, { recent, newest, own }: Known) {
  const ownRuns = own.get(workflow.id);
  // What could not be read is unknown, even where the shared list holds a few of its runs.
  const read = ownRuns === null ? [] : [recent, newest, ownRuns];
  const lists = read.flatMap((one) => (one ? selectRuns(one, workflow) : []));
  const isAll = (newest !== null && !newest.partial) || isComplete(ownRuns);
  return { ownRuns, isAll, runs: distinct(lists) };
}

const isComplete = (list: Runs | null | undefined) => list?.totalCount != null && list.totalCount <= list.items.length;

/** Where a run is in two lists, the one of the later list. */
const distinct = (runs: readonly LiveWorkflowRun[]) => [...new Map(runs.map((run) => [run.id, run])).values()];

function lackingOnDefault(workflows: readonly Workflow[], known: Known): Workflow[] {
  const { defaultBranch } = known;
  if (defaultBranch === null) return [];
  const mayHaveMore = workflows.filter((workflow) => {
    const { ownRuns, isAll } = listNewest(workflow, known);
    return ownRuns !== null && !isAll;
  });
  return sortByNeed(
    mayHaveMore,
    maxJudged,
    (workflow) => conclusiveOnDefault(listNewest(workflow, known).runs, defaultBranch).length,
  );
}

function overviewRuns({ onDefault, ...known }: Known & { onDefault: OwnRuns }): OverviewRuns {
  const { recent, newest, own, defaultBranch } = known;
  return {
    recent,
    others: [newest, ...own.values(), ...onDefault.values()].filter((one) => one !== null),
    forWorkflow(workflow) {
      const { runs, ownRuns, isAll } = listNewest(workflow, known);
      const ofBranch = onDefault.get(workflow.id);
      const more = distinct([...runs, ...(ofBranch?.items ?? [])]);
      // Of other branches the older runs are not known, so they are not mixed in.
      const isAlone = isJudgedAlone(more, defaultBranch);
      const judged = isAlone ? more : runs;
      const hasNewest = isAll || Boolean(ownRuns) || runs.length >= newestWanted;
      const hasDefault =
        isAll || isComplete(ofBranch) || conclusiveOnDefault(judged, defaultBranch).length >= maxJudged;
      return {
        runs,
        judged,
        coversWindow: isAll || !recent.partial,
        isEnough: hasNewest && (hasDefault || defaultBranch === null),
        hasAllOfDefault: isAll || (isAlone && isComplete(ofBranch)),
      };
    },
  };
}
