import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createOrganizations } from '../accounts/organizations.ts';
import { actorReader } from '../accounts/people.ts';
import { createViewer } from '../accounts/viewer.ts';
import { createAdvisories } from '../action-references/advisories.ts';
import { createActionReferences } from '../action-references/reads.ts';
import { createBilling } from '../billing/billing.ts';
import { createCaches } from '../caches/reads.ts';
import type { Platform } from '../changes/client.ts';
import { createChanges } from '../changes/reads.ts';
import { createDelivery } from '../delivery/reads.ts';
import { createIssueWrites } from '../issues/writes.ts';
import { createDocumentation } from '../pull-requests/documentation.ts';
import { type MergeQueueSupport, withoutUnknownMergeQueues } from '../pull-requests/merge-queue.ts';
import { createPullRequestStates } from '../pull-requests/states.ts';
import { createPullRequestWrites } from '../pull-requests/writes.ts';
import { createActionFiles } from '../ref-targets/action-files.ts';
import { createRefTargets } from '../ref-targets/reads.ts';
import { createRepositories, recordRename } from '../repositories/repositories.ts';
import { createStates } from '../repositories/states.ts';
import { createRequiredChecks } from '../required-checks/reads.ts';
import { createJobs } from '../runs/jobs.ts';
import { createLogs } from '../runs/logs.ts';
import { createRuns } from '../runs/runs.ts';
import { createWorkflows } from '../runs/workflows.ts';
import { createSecurityAlerts } from '../security-alerts/reads.ts';
import { createWorkflowChanges } from '../workflow-changes/reads.ts';
import { createWorkflowFiles } from '../workflow-files/reads.ts';
import { createWorkflowTrees } from '../workflow-files/trees.ts';
import { createMemory, type Memory } from './cache.ts';
import { createAgent, type RequestRecord } from './exchange.ts';
import { type Timing, usualTiming } from './octokit.ts';
import { createTokenPool, type TokenPool } from './pool.ts';
import { createRateLimits } from './rate-limit.ts';
import { createReader, type Reader } from './reader.ts';
import { createTransport } from './transport.ts';

export interface CodehostOptions {
  /** Root of the REST interface, without a slash at its end. */
  apiUrl: string;
  /** Address of the GraphQL interface. */
  graphqlUrl: string;
  token: string;
  clock: Clock;
  log: Log;
  shared: CodehostShared;
  /** Work nobody waits for: stops when a fifth of the budget is left. */
  background?: boolean;
  /** Logins to count as bots beside the known ones. */
  botLogins?: readonly string[];
  /** Called when the platform rejects the token, before the caller is. */
  onRejected?(tokenHash: string): Promise<void>;
  /** Called after every request that left for the platform. */
  onRequest?(record: RequestRecord): void;
  timing?: Partial<Timing>;
}

/** What all clients of a process share: connections, copies, and a pool for each token. */
export interface CodehostShared {
  agent: Agent;
  memory: Memory;
  mergeQueues: MergeQueueSupport;
  getPool(tokenHash: string): TokenPool;
  /** Drops everything that was read with a token. */
  forget(tokenHash: string): void;
  /** Closes the connections when running requests have ended. */
  close(): Promise<void>;
}

/** The platform as seen with one token. Clients with the same token share copies, places and budget. */
export function createCodehost(options: CodehostOptions): Platform {
  const { clock, token, shared, background = false, onRequest = () => undefined } = options;
  const { memory } = shared;
  const tokenHash = hash('sha256', token, 'hex');
  const pool = shared.getPool(tokenHash);
  const timing = { ...usualTiming, ...options.timing };
  const onRejected = async () => {
    shared.forget(tokenHash);
    await options.onRejected?.(tokenHash);
  };
  const transport = withoutUnknownMergeQueues(
    createTransport({
      ...options,
      agent: shared.agent,
      pool,
      tokenHash,
      background,
      onRequest,
      timing,
      onRejected,
    }),
    shared.mergeQueues,
  );
  const reader: Reader = createReader({
    transport,
    memory,
    tokenHash,
    clock,
    background,
    recordRename: (repository, redirectedTo) => recordRename(reader, pool, repository, redirectedTo),
  });
  const delivery = { transport, reader, pool, clock, toActor: actorReader(options.botLogins) };
  const batches = { transport, memory, tokenHash, clock, background };
  return {
    ...createDelivery(delivery),
    ...createChanges(delivery),
    ...createSecurityAlerts(delivery),
    ...createWorkflowChanges(delivery),
    ...createBilling(reader),
    ...createCaches(reader),
    ...createRequiredChecks(delivery),
    ...createDocumentation(delivery),
    ...createWorkflowFiles(delivery, batches),
    ...createWorkflowTrees(batches),
    ...createActionReferences(transport),
    ...createAdvisories(transport),
    ...createRefTargets(transport),
    ...createActionFiles(transport),
    ...createIssueWrites(transport),
    ...createPullRequestWrites(transport),
    ...createPullRequestStates(transport),
    ...createViewer(reader, pool, clock),
    rateLimits: createRateLimits(reader, clock),
    repositories: {
      ...createRepositories(reader, pool),
      states: createStates({ ...batches, pool }),
    },
    organizations: createOrganizations(reader),
    workflows: createWorkflows(reader),
    runs: createRuns(delivery),
    jobs: createJobs(reader, transport, clock),
    ...createLogs(transport, shared.agent),
  };
}

/** Copies take at most `maxCharacters` characters of JSON (by default 32 million). */
export function createCodehostShared({ maxCharacters = 32_000_000 } = {}): CodehostShared {
  const agent = createAgent();
  const pools = new LRUCache<string, TokenPool>({ maxSize: 10_000, sizeCalculation: () => 1 });
  const memory = createMemory(maxCharacters);
  return {
    agent,
    memory,
    mergeQueues: { isMissing: false },
    forget(tokenHash) {
      memory.forget(tokenHash);
      const pool = pools.get(tokenHash);
      pool?.renamed.clear();
      pool?.proof.void();
    },
    getPool(tokenHash) {
      const pool = pools.get(tokenHash) ?? createTokenPool();
      pools.set(tokenHash, pool);
      return pool;
    },
    close: () => agent.close(),
  };
}
