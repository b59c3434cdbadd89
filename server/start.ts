import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { jobs, startScheduler } from '../jobs/timetable.ts';
import { endUnadmitted, logAdmission, rememberedOwner } from './access/admission.ts';
import type { Services } from './access/context.ts';
import { endRejectedToken } from './access/ending.ts';
import { ownerFile, ownerFileName } from './access/owner-file.ts';
import { createSessions, tokenHash } from './access/session.ts';
import { signInFlows } from './access/sign-in-flow.ts';
import { createAiLayer } from './ai/generate.ts';
import { sealWebhookSecretsAnew } from './alerts/channels/webhook-secret.ts';
import { createEvaluateAfterSync } from './alerts/evaluate-after-sync.ts';
import { findOverdue } from './api/sync/jobs.ts';
import { revokeToken } from './codehost/accounts/oauth-tokens.ts';
import { type CodehostOptions, createCodehost, createCodehostShared } from './codehost/client/codehost.ts';
import { eventReader } from './codehost/webhook/events.ts';
import { demoCodehost } from './demo/client.ts';
import { situations } from './demo/situations.ts';
import { makeWorld } from './demo/world.ts';
import { memoryAdvisorPullRequests } from './facts/advisor-pull-requests.ts';
import { memoryAnswers, storedAnswers } from './facts/answers.ts';
import { memoryJobRepository } from './facts/job-repository.ts';
import { memoryFactRepository } from './facts/memory-fact-repository.ts';
import { readOperation } from './http/read-operation.ts';
import { createMailer } from './mail/mailer.ts';
import { type Catalogue, createMcpDoor } from './mcp/door.ts';
import { createCatalogue } from './mcp/server.ts';
import { createScraper } from './openmetrics/scraper.ts';
import type { WatchedJobs } from './openmetrics/stored.ts';
import { prepareDestinations } from './otlp/environment.ts';
import { createBackgroundWork } from './platform/background-work.ts';
import { memoryClaims } from './platform/claims.ts';
import { type Clock, fixedClock } from './platform/clock.ts';
import type { Env } from './platform/env.ts';
import { forwardedHeaders } from './platform/forwarded-headers.ts';
import { createLog, type Log } from './platform/log.ts';
import { mirroredRateCounter } from './platform/mirrored-rate-counter.ts';
import { memoryRateCounter } from './platform/rate-limit.ts';
import { createReusedAnswers } from './platform/reused-answers.ts';
import { sourceFile } from './platform/source-files.ts';
import { taskThread } from './platform/task-thread.ts';
import { usualReadMs } from './platform/work-limits.ts';
import { openQueue } from './queue/queue.ts';
import { sealAnew } from './settings/seal-anew.ts';
import { settingsBox } from './settings/sealing.ts';
import { openStore, type Store, type StoreOptions } from './store/orm.ts';
import { createSyncContinuation } from './sync/sync-continuation.ts';
import { createWebhookHandler } from './sync/webhook-handler.ts';

export interface App {
  services: Services;
  /** Signals long work to end; requests are still answered. */
  stop(): void;
  /** Stops, waits for jobs, and closes connections and database; safe to call twice. */
  close(): Promise<void>;
}

/** What is otherwise than usual in tests. */
export type Unusual = Pick<StoreOptions, 'openMemory'> &
  Pick<CodehostOptions, 'timing'> & {
    log?: Log;
    mcp?: Catalogue;
    readMs?: number;
    /** What the sample world takes its day from. */
    demoClock?: Clock;
  };

/** Some hundreds of answers; those that are given often stay. */
const maxReusedCharacters = 16_000_000;

/** Boots once: configuration, database with its migrations, shared services, jobs. */
export async function boot(
  env: Env,
  clock: Clock,
  {
    openMemory,
    timing,
    log = createLog(env.LOG_LEVEL),
    mcp = createCatalogue(),
    readMs = usualReadMs,
    demoClock = clock,
  }: Unusual = {},
): Promise<App> {
  const store = await openReadyStore(env, openMemory, log);
  if (!env.SESSION_SECRET) log.warn('SESSION_SECRET is not set: sessions end when this process does');
  const mirrored = store?.notices ? mirroredRateCounter({ shared: store.rateLimits, clock, log }) : null;
  const stopping = new AbortController();
  const shared = createCodehostShared();
  store?.notices?.on('tokens', shared.forget);
  const secrets = [env.SESSION_SECRET ?? randomBytes(32).toString('base64'), ...env.SESSION_SECRET_PREVIOUS] as const;
  const sealing = { secrets, secure: env.APP_URL.startsWith('https:'), clock };
  const queue = store && openQueue({ store, log, migrate: env.MIGRATE_ON_START });
  const threads = openThreads();
  const services: Services = {
    env,
    log,
    clock,
    store,
    secrets,
    sessions: createSessions({ ...sealing, mode: env.MODE, ttlMs: env.SESSION_TTL_HOURS * 3_600_000, store }),
    owner: rememberedOwner(store?.owner ?? ownerFile(ownerFileName)),
    flows: signInFlows(sealing),
    ...platform(env, { log, clock, demoClock, shared, timing }, (...given) => endRejectedToken(services, ...given)),
    readMs,
    limits: store?.rateLimits ?? memoryRateCounter(),
    sessionLimits: mirrored ?? memoryRateCounter(),
    facts: store?.facts ?? memoryFactRepository(),
    jobs: store?.jobs.attempts ?? memoryJobRepository(),
    answers: store ? storedAnswers(store, clock) : memoryAnswers(clock),
    reusedAnswers: createReusedAnswers(maxReusedCharacters),
    ...createClaims(store),
    ai: createAiLayer({ env, store, clock, log }),
    metrics: createScraper({
      env,
      store,
      clock,
      log,
      jobs: watchedJobs(() => services),
      budgets: () => (env.CODEHOST_TOKEN ? shared.getPool(env.CODEHOST_TOKEN.hash).budget.known() : new Map()),
    }),
    queue,
    mailer: createMailer({ env, store, clock, log }),
    forwardedHeaders: forwardedHeaders(env, log),
    ...threads,
    mcp: createMcpDoor(mcp, log),
    readOperation,
    webhooks: createWebhookHandler({
      store,
      clock,
      log,
      read: eventReader(env.BOT_LOGINS),
      allowedOwners: env.SERVICE_ALLOWED_ORGS,
      // The embedded database has one connection.
      partitions: env.DATABASE_URL?.startsWith('pglite://') ? 1 : 2,
    }),
    evaluateAfterSync: createEvaluateAfterSync({ store, clock, env, log, queue }),
    background: createBackgroundWork(),
    syncContinuation: createSyncContinuation(),
    stopping: stopping.signal,
  };
  // What is read from now on stays cached: listening begins by dropping everything that was read before.
  await store?.notices?.tried();
  if (env.MODE === 'standalone') {
    await logAdmission(services);
    await endUnadmitted(services);
  }
  const scheduler = startScheduler(services);
  let closing: Promise<void> | undefined;
  const close = async () => {
    stopping.abort();
    for (const thread of Object.values(threads)) thread.close();
    await services.mcp.close();
    await Promise.all([scheduler.stop(), services.background.ended()]);
    // What ended just now may have left something to it.
    await services.syncContinuation.ended();
    await services.queue?.stop();
    await mirrored?.share();
    await Promise.all([shared.close(), store?.close()]);
    log.info('stopped');
  };
  return { services, stop: () => stopping.abort(), close: () => (closing ??= close()) };
}

/** The database, with what it stores sealed by the present secrets; null where none is configured. */
async function openReadyStore(env: Env, openMemory: Unusual['openMemory'], log: Log): Promise<Store | null> {
  if (!env.DATABASE_URL) return null;
  const store = await openStore({
    url: env.DATABASE_URL,
    log,
    poolMax: env.DB_POOL_MAX,
    statementTimeoutMs: env.DB_STATEMENT_TIMEOUT_MS,
    migrate: env.MIGRATE_ON_START,
    openMemory,
  });
  await sealAnew(store, settingsBox(env), log);
  await prepareDestinations(store, env);
  await sealWebhookSecretsAnew(store, env);
  return store;
}

/** Threads for what would delay others, each with its memory in MB. */
const openThreads = (): Pick<Services, 'scanner' | 'judging' | 'advising' | 'comparing'> => ({
  scanner: taskThread(sourceFile('server/scan/worker.ts'), 256),
  judging: taskThread(sourceFile('server/advisor/worker.ts'), 256),
  advising: taskThread(sourceFile('server/advisor/advise-worker.ts'), 256),
  comparing: taskThread(sourceFile('server/metrics/ai-authorship/comparison/worker.ts'), 256),
});

/** Who makes what on the platform, in the database or in memory without one. */
const createClaims = (store: Store | null): Pick<Services, 'filings' | 'pullRequests'> => ({
  filings: store?.filedIssues ?? memoryClaims(),
  pullRequests: store?.advisorPullRequests ?? memoryAdvisorPullRequests(),
});

/** The scheduled jobs, as far as metrics show them. */
const watchedJobs = (services: () => Services): WatchedJobs => ({
  names: jobs.filter(({ everywhere }) => !everywhere).map(({ name }) => name),
  overdue: (histories) => findOverdue(services(), histories).map(({ name }) => name),
});

function platform(
  env: Env,
  { demoClock, ...parts }: Pick<CodehostOptions, 'log' | 'clock' | 'shared' | 'timing'> & { demoClock: Clock },
  onRejected: (tokenHash: string, requestId: string | null) => Promise<void>,
): Pick<Services, 'connect' | 'isProofDue' | 'revokeToken' | 'demo'> {
  const { CODEHOST_API_URL: apiUrl, CODEHOST_GRAPHQL_URL: graphqlUrl, BOT_LOGINS: botLogins } = env;
  const { CODEHOST_CLIENT_ID: clientId = '', CODEHOST_CLIENT_SECRET: clientSecret = '' } = env;
  return {
    connect: (token, { background = false, requestId = null } = {}) =>
      createCodehost({
        apiUrl,
        graphqlUrl,
        token,
        botLogins,
        ...parts,
        background,
        onRejected: (tokenHash) => onRejected(tokenHash, requestId),
      }),
    isProofDue: (token) => parts.shared.getPool(tokenHash(token).toString('hex')).proof.isDue(parts.clock.now()),
    revokeToken: (token) => revokeToken({ apiUrl, clientId, clientSecret, agent: parts.shared.agent }, token),
    demo: createDemo(demoClock),
  };
}

/** Sample worlds of the process by their day and situation: what is open in it at a time shows the same ones. */
const worlds = new LRUCache<string, ReturnType<Services['demo']>>({ max: Object.keys(situations).length });

/** The sample world of a situation is made once a day, and does not change until the next. */
function createDemo(clock: Clock): Services['demo'] {
  return (situation = 'mixed') => {
    const today = `${Math.floor(clock.now() / 86_400_000)} ${situation}`;
    const known = worlds.get(today);
    if (known) return known;
    const world = makeWorld({ seed: 'demo', now: clock.now(), situation });
    const demoClock = fixedClock(world.now);
    const memory = { facts: memoryFactRepository(), jobs: memoryJobRepository(), answers: memoryAnswers(demoClock) };
    const demo = { codehost: demoCodehost(world), clock: demoClock, ...memory };
    worlds.set(today, demo);
    return demo;
  };
}
