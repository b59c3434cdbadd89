import { z } from 'zod';
import type { Instant, LiveWorkflowRun, RepositoryName } from '../metrics/facts.ts';
import { Problem } from '../platform/problem.ts';
import type { Codehost } from './client.ts';
import { type Page, pageOf, pageSize, readListing } from './listing.ts';
import { repositoryParams } from './names.ts';
import type { Account } from './people.ts';
import type { Reader, Reading } from './reader.ts';
import type { Transport } from './transport.ts';
import { type ActorOf, runReader } from './wire-runs.ts';

/** Reads of workflow runs. `actorOf` tells people from bots. */
export function createRuns(
  reader: Reader,
  transport: Transport,
  actorOf: (account: Account | null | undefined) => ReturnType<ActorOf>,
): Codehost['runs'] {
  const runSchema = runReader(actorOf);
  const listSchema = z.object({ total_count: z.number(), workflow_runs: z.array(runSchema) });
  const page = (repository: RepositoryName, operation: string, route: string, params: Reading<never>['params']) => ({
    operation,
    route,
    params: { ...repositoryParams(repository), ...params },
    repository,
    read(data: unknown, headers: Parameters<Reading<never>['read']>[1]): Page<LiveWorkflowRun> {
      const { total_count, workflow_runs } = listSchema.parse(data);
      return pageOf(workflow_runs, total_count, headers);
    },
    freshMs: listFreshMs,
    staleIfError: true,
  });
  return {
    async ofWorkflow(name, workflowId, perPage) {
      const params = { workflow_id: workflowId, per_page: perPage };
      const route = 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs';
      const read = await reader.read(page(name, 'list runs of a workflow', route, params));
      const { items, totalCount, hasNext, hidden } = read.value;
      return { items, totalCount, partial: hasNext || hidden, stale: read.stale, asOf: read.asOf };
    },
    async recent(name, since, pages) {
      // Whole days, so that the address, and with it the kept copy, stays the same between two reads.
      const day = isoSeconds(Math.floor(since / dayMs) * dayMs);
      const pageAt = (number: number) =>
        page(name, 'list recent runs', runsRoute, { created: `>=${day}`, per_page: pageSize, page: number });
      const read = await readListing(reader, pageAt, Math.min(pages, mostFilteredPages), ({ id }) => id);
      return sinceOnly(read, since);
    },
    async window(name, from, to, number) {
      const created = `${isoSeconds(from)}..${isoSeconds(to)}`;
      const { fresh } = await transport.rest(
        page(name, 'list runs of a window', runsRoute, { created, per_page: pageSize, page: number }),
      );
      return { totalCount: fresh?.value.totalCount ?? 0, runs: fresh?.value.items ?? [] };
    },
    get: (name, runId) =>
      orGone(async () => {
        const { fresh } = await transport.rest({
          operation: 'get run',
          route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
          params: { ...repositoryParams(name), run_id: runId },
          read: (data) => runSchema.parse(data),
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
          read: (data) => runSchema.parse(data),
          freshMs: ({ status }) => (status === 'completed' ? Number.POSITIVE_INFINITY : 10_000),
          staleIfError: false,
        });
        return read.value;
      }),
  };
}

const runsRoute = 'GET /repos/{owner}/{repo}/actions/runs';
const dayMs = 86_400_000;

/** The platform stops a filtered list at 1,000 results. */
const mostFilteredPages = 10;

const isoSeconds = (instant: Instant) => `${new Date(instant).toISOString().slice(0, 19)}Z`;

const listFreshMs = ({ items }: Page<LiveWorkflowRun>) =>
  items.some(({ status }) => status !== 'completed') ? 30_000 : 120_000;

/** Leaves out what the widened question brought beyond `since`; a cap that only cut such runs is none. */
function sinceOnly(read: Awaited<ReturnType<Codehost['runs']['recent']>>, since: Instant): typeof read {
  const items = read.items.filter(({ createdAt }) => createdAt >= since);
  const reachedSince = items.length < read.items.length;
  const complete = reachedSince || read.items.length >= (read.totalCount ?? 0);
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
