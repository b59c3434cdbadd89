import type { Context, Reply } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { isDefaultBranchRun, type MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { noteFreshness } from '../kernel/notes.ts';

/** The newest runs of the default branch by the workflow file that they ran, without a gap. */
export interface FileRuns {
  runsByFile: ReadonlyMap<string, readonly MeasuredRun[]>;
  /** `kept`: every one since the synchronization reaches back; `live`: those among the newest 100 of the repository. */
  source: 'kept' | 'live';
  /** Created since then; null when there are none. */
  from: Instant | null;
  /** What was created later is not known. */
  through: Instant;
}

/** Of each workflow that many stored runs are looked at. */
export const maxStored = 1000;

/**
 * Runs of workflow files of a repository that the caller was shown to see. One request: for the workflows, where the
 * database keeps the repository's runs, else for its newest runs.
 */
export async function fileRuns(
  repository: Repository,
  paths: ReadonlySet<string>,
  context: Context,
  reply: Reply,
): Promise<FileRuns> {
  const codehost = await context.codehost();
  return (await findStoredRuns(codehost, repository, paths, context)) ?? liveRuns(codehost, repository, context, reply);
}

async function findStoredRuns(
  { workflows }: Platform,
  repository: Repository,
  paths: ReadonlySet<string>,
  { services: { store }, isDemo }: Context,
): Promise<FileRuns | null> {
  const known = isDemo ? null : await store?.repositories.find(repository);
  const cursor = known ? await store?.cursors.get(known.id) : null;
  const [since, through] = [cursor?.backfilledTo ?? null, cursor?.syncedThrough ?? null];
  if (!store || !known || since === null || through === null) return null;
  const { items } = await workflows.list(repository);
  const wanted = items.filter(({ path }) => paths.has(path));
  const query = { since, limit: maxStored };
  const found = await Promise.all(
    wanted.map(async ({ id: workflowId, path }) => {
      const runs = await store.runs.recent(known.id, { ...query, workflowId });
      // Above the mark some may be missing between others.
      return { path, runs: runs.filter(({ createdAt }) => createdAt <= through) };
    }),
  );
  const runs = found.flatMap((one) => one.runs.map((run) => [one.path, run] as const));
  return { ...byFile(runs, repository), source: 'kept', through };
}

async function liveRuns(
  { runs }: Platform,
  repository: Repository,
  { isDemo }: Context,
  reply: Reply,
): Promise<FileRuns> {
  // The sample world keeps all of its runs, and they cost nothing to read.
  const listing = await runs.recent(repository, 0, isDemo ? 100 : 1);
  noteFreshness(reply, listing);
  const named = listing.items.map((run) => [run.workflowPath ?? '', run] as const);
  return { ...byFile(named, repository), source: isDemo ? 'kept' : 'live', through: listing.asOf };
}

function byFile(runs: readonly (readonly [string, MeasuredRun])[], { defaultBranch }: Repository) {
  const own = runs.filter(([, run]) => isDefaultBranchRun(run, defaultBranch));
  const groups = Map.groupBy(own, ([path]) => path);
  return {
    runsByFile: new Map([...groups].map(([path, group]) => [path, group.map(([, run]) => run)])),
    from: own.length === 0 ? null : Math.min(...own.map(([, run]) => run.createdAt)),
  };
}
