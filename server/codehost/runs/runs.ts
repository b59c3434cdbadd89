import { z } from 'zod';
import type { Instant, LiveWorkflowRun, RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import type { Codehost, Listing } from '../client/client.ts';
import { type Page, pageSize, readListing, toPage } from '../client/listing.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { describePartial, readableItems } from '../client/readable-items.ts';
import type { Read, Reading } from '../client/reader.ts';
import { integer, maybeCount } from '../client/wire.ts';
import { type DeliveryContext, fromSecond, isoSeconds, toAgeMinutes, toStartOfDay } from '../delivery/context.ts';
import { runReader } from './wire.ts';

/** Reads of workflow runs. `toActor` distinguishes people from bots. */
export function createRuns({ reader, transport, clock, toActor }: DeliveryContext): Codehost['runs'] {
  // Made when first needed: most clients serve what was read before, and schemas take longer than that.
  let made: RunReadings | undefined;
  const readings = () => (made ??= createReadings(toActor));
  const page: RunReadings['page'] = (...args) => readings().page(...args);
  const readOne = async (...args: Parameters<typeof page>) => onePage(args[1], await reader.read(page(...args)));
  return {
    async ofWorkflow(name, workflowId, perPage) {
      const params = { workflow_id: workflowId, per_page: perPage };
      return readOne(name, 'list runs of a workflow', workflowRunsRoute, params);
    },
    async ofBranch(name, workflowId, branch) {
      const params = { workflow_id: workflowId, branch, per_page: pageSize };
      // Addresses are remembered in one case, in which two branches may be the same.
      const reading = { ...page(name, 'list runs of a branch', workflowRunsRoute, params), part: branch };
      return onePage(reading.operation, await reader.read(reading));
    },
    async completed(name) {
      const params = { status: 'completed', per_page: pageSize };
      return readOne(name, 'list completed runs', runsRoute, params);
    },
    async recent(name, since, pages) {
      // Full days, so that the address, and with it the cached copy, stays the same between two reads.
      const day = isoSeconds(toStartOfDay(since));
      const pageAt = (number: number) =>
        page(name, 'list recent runs', runsRoute, { created: `>=${day}`, per_page: pageSize, page: number });
      const read = await readListing(reader, pageAt, Math.min(pages, maxFilteredPages), ({ id }) => id);
      return sinceOnly(read, since);
    },
    async countSince(name, since) {
      const created = `>=${fromSecond(since)}`;
      const count = async () => {
        const { fresh } = await transport.rest(counted(page(name, 'count runs', runsRoute, { created, per_page: 1 })));
        return fresh?.value.totalCount ?? 0;
      };
      const key = `runs of ${toAgeMinutes(since, clock.now())} minutes ${nameKey(name)}`;
      const read = await reader.remember({ key, freshMs: () => countFreshMs }, count);
      return { count: read.value, stale: read.stale, asOf: read.asOf };
    },
    async window(name, from, to, number) {
      const created = `${isoSeconds(from)}..${isoSeconds(to)}`;
      const { fresh } = await transport.rest(
        counted(page(name, 'list runs of a window', runsRoute, { created, per_page: pageSize, page: number })),
      );
      return {
        totalCount: fresh?.value.totalCount ?? 0,
        runs: fresh?.value.items ?? [],
        unread: fresh?.value.excluded?.count ?? 0,
      };
    },
    get: (name, runId) =>
      orGone(async () => {
        const { fresh } = await transport.rest({
          operation: 'get run',
          route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
          params: { ...repositoryParams(name), run_id: runId },
          read: (data) => readings().run.parse(data),
        });
        return fresh?.value ?? null;
      }),
    attempt: (name, runId, attempt) =>
      orGone(async () => {
        const read = await reader.read({
          operation: 'get run attempt',
          route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}',
          params: { ...repositoryParams(name), run_id: runId, attempt_number: attempt },
          repository: name,
          read: (data) => readings().run.parse(data),
          freshMs: ({ status }) => (status === 'completed' ? Number.POSITIVE_INFINITY : 10_000),
          staleIfError: false,
        });
        return read.value;
      }),
  };
}

type RunReadings = ReturnType<typeof createReadings>;

/** The schema of a run, and pages of lists of runs, chosen by the route and its parameters. */
function createReadings(toActor: DeliveryContext['toActor']) {
  const run = runReader(toActor);
  const listSchema = z.object({ total_count: maybeCount, workflow_runs: readableItems(run) });
  const page = (repository: RepositoryName, operation: string, route: string, params: Reading<never>['params']) => ({
    operation,
    route,
    params: { ...repositoryParams(repository), ...params },
    repository,
    read(data: unknown, headers: Parameters<Reading<never>['read']>[1]): Page<LiveWorkflowRun> {
      const { total_count, workflow_runs } = listSchema.parse(data);
      return toPage(workflow_runs, total_count, headers);
    },
    freshMs: listFreshMs,
    staleIfError: true,
  });
  return { run, page };
}

/** A list that is of no use without its count. */
const counted = (reading: Reading<Page<LiveWorkflowRun>>): Reading<Page<LiveWorkflowRun>> => ({
  ...reading,
  read(data, headers) {
    z.object({ total_count: integer }).parse(data);
    return reading.read(data, headers);
  },
});

const workflowRunsRoute = 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs';
const runsRoute = 'GET /repos/{owner}/{repo}/actions/runs';

/** The platform stops a filtered list at 1,000 results. */
const maxFilteredPages = 10;

const countFreshMs = 120_000;

const listFreshMs = ({ items }: Page<LiveWorkflowRun>) =>
  items.some(({ status }) => status !== 'completed') ? 30_000 : 120_000;

function onePage(operation: string, { value, stale, asOf }: Read<Page<LiveWorkflowRun>>): Listing<LiveWorkflowRun> {
  const { items, totalCount, hasNext, hidden, excluded } = value;
  const partial = hasNext || hidden || excluded !== null;
  return { items, totalCount, partial, partialReason: describePartial(operation, excluded), stale, asOf };
}

/** Removes what the widened request added beyond `since`; a cap that only truncated such runs is none. */
function sinceOnly(read: Awaited<ReturnType<Codehost['runs']['recent']>>, since: Instant): typeof read {
  const items = read.items.filter(({ createdAt }) => createdAt >= since);
  const reachedSince = items.length < read.items.length;
  const complete =
    !read.partialReason && (reachedSince || read.items.length >= (read.totalCount ?? Number.POSITIVE_INFINITY));
  return { ...read, items, partial: !complete, totalCount: complete ? items.length : read.totalCount };
}

async function orGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem && (error.code === 'not_found' || error.code === 'gone')) return null;
    throw error;
  }
}
