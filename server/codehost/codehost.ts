import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createActionReferences } from './action-references.ts';
import { createBilling } from './billing.ts';
import { createChanges } from './changes.ts';
import type { Platform } from './changes-client.ts';
import { createDelivery } from './delivery.ts';
import { createAgent, type RequestRecord } from './exchange.ts';
import { createIssueWrites } from './issue-writes.ts';
import { createJobs } from './jobs.ts';
import { createMemory, type Memory } from './memory.ts';
import { type Timing, usualTiming } from './octokit.ts';
import { createOrganizations } from './organizations.ts';
import { actorReader } from './people.ts';
import { createTokenPool, type TokenPool } from './pool.ts';
import { createRateLimits } from './rate-limit.ts';
import { createReader, type Reader } from './reader.ts';
import { createRepositories, learnName } from './repositories.ts';
import { createStates } from './repository-states.ts';
import { createSecurityAlerts } from './security-alerts.ts';
import { createTransport } from './transport.ts';
import { createViewer } from './viewer.ts';
import { createWorkflowChanges } from './workflow-changes.ts';
import { createWorkflowFiles } from './workflow-files.ts';
import { createRuns } from './workflow-runs.ts';
import { createWorkflows } from './workflows.ts';

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
  /** Told when the platform rejects the token, before whoever asked is. */
  onRejected?(tokenHash: string): Promise<void>;
  /** Told of every request that left for the platform. */
  onRequest?(record: RequestRecord): void;
  timing?: Partial<Timing>;
}

/** What all clients of a process share: connections, copies, and a pool for each token. */
export interface CodehostShared {
  agent: Agent;
  memory: Memory;
  poolOf(tokenHash: string): TokenPool;
  /** Drops everything that was read with a token. */
  forget(tokenHash: string): void;
  /** Closes the connections when running requests have ended. */
  close(): Promise<void>;
}

/** The platform as seen with one token. Clients with the same token share copies, places and budget. */
export function createCodehost(options: CodehostOptions): Platform {
  const { clock, token, shared, background = false, onRequest = () => undefined } = options;
  const { memory } = shared;
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const pool = shared.poolOf(tokenHash);
  const timing = { ...usualTiming, ...options.timing };
  const onRejected = async () => {
    shared.forget(tokenHash);
    await options.onRejected?.(tokenHash);
  };
  const transport = createTransport({
    ...options,
    agent: shared.agent,
    pool,
    tokenHash,
    background,
    onRequest,
    timing,
    onRejected,
  });
  const reader: Reader = createReader({
    transport,
    memory,
    tokenHash,
    clock,
    background,
    learn: (repository, redirectedTo) => learnName(reader, pool, repository, redirectedTo),
  });
  const delivery = { transport, reader, pool, clock, actorOf: actorReader(options.botLogins) };
  return {
    ...createDelivery(delivery),
    ...createChanges(delivery),
    ...createSecurityAlerts(delivery),
    ...createWorkflowChanges(delivery),
    ...createBilling(reader),
    ...createWorkflowFiles(delivery),
    ...createActionReferences(transport),
    ...createIssueWrites(transport),
    ...createViewer(reader, pool, clock),
    rateLimits: createRateLimits(reader, clock),
    repositories: {
      ...createRepositories(reader, pool),
      states: createStates({ transport, memory, tokenHash, clock, pool, background }),
    },
    organizations: createOrganizations(reader),
    workflows: createWorkflows(reader),
    runs: createRuns(delivery),
    jobs: createJobs(reader, transport, clock),
  };
}

/** Copies take at most `mostCharacters` characters of JSON (32 million when not said). */
export function createCodehostShared({ mostCharacters = 32_000_000 } = {}): CodehostShared {
  const agent = createAgent();
  const pools = new LRUCache<string, TokenPool>({ max: 10_000 });
  const memory = createMemory(mostCharacters);
  return {
    agent,
    memory,
    forget(tokenHash) {
      memory.forget(tokenHash);
      const pool = pools.get(tokenHash);
      pool?.renamed.clear();
      pool?.proof.void();
    },
    poolOf(tokenHash) {
      const pool = pools.get(tokenHash) ?? createTokenPool();
      pools.set(tokenHash, pool);
      return pool;
    },
    close: () => agent.close(),
  };
}
