import { createHash } from 'node:crypto';
import type { Advised, AdviseTask } from '../advisor/advise.ts';
import type { Judgement, JudgeTask } from '../advisor/judge.ts';
import type { AdvisorPullRequests } from '../advisor/opened-pull-requests.ts';
import type { AiLayer } from '../ai/generate.ts';
import type { EvaluatedRepository, Evaluation } from '../alerts/evaluate.ts';
import type { Feed } from '../alerts/metric.ts';
import type { Platform } from '../codehost/changes/client.ts';
import type { FiledIssue } from '../codehost/issues/writes.ts';
import type { Situation } from '../demo/situations.ts';
import type { AnswerCache } from '../facts/answers.ts';
import type { FactRepository } from '../facts/fact-repository.ts';
import type { JobRepository } from '../facts/job-repository.ts';
import type { readOperation } from '../http/read-operation.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { McpDoor } from '../mcp/door.ts';
import type { ComparisonResult, ComparisonTask } from '../metrics/ai-authorship/comparison/compare-gathered.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Scraper } from '../openmetrics/scraper.ts';
import type { BackgroundWork } from '../platform/background-work.ts';
import type { Claims } from '../platform/claims.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { ForwardedHeaders } from '../platform/forwarded-headers.ts';
import type { Log } from '../platform/log.ts';
import type { RateCounter } from '../platform/rate-limit.ts';
import type { ReusedAnswers } from '../platform/reused-answers.ts';
import type { TaskThread } from '../platform/task-thread.ts';
import type { Queue } from '../queue/queue.ts';
import type { ScanResult, ScanTask } from '../scan/worker.ts';
import type { ChangedBy } from '../store/audit.ts';
import type { Store } from '../store/orm.ts';
import type { SyncContinuation } from '../sync/sync-continuation.ts';
import type { WebhookHandler } from '../sync/webhook-handler.ts';
import type { OwnerRecord } from './admission.ts';
import type { FeatureKey } from './features.ts';
import type { Session, Sessions } from './session.ts';
import type { SignInFlows } from './sign-in-flow.ts';

/** What one process shares between all requests and jobs. */
export interface Services {
  env: Env;
  log: Log;
  clock: Clock;
  /** null when no database is configured. */
  store: Store | null;
  /** Secrets of this installation for what belongs to sessions: the newest, then those before it. */
  secrets: readonly [string, ...string[]];
  sessions: Sessions;
  /** Whom the installation belongs to, in standalone mode. */
  owner: OwnerRecord;
  /** Sign-ins under way, in organization mode. */
  flows: SignInFlows;
  /** Makes an OAuth token worthless, as far as the platform can be reached. */
  revokeToken(token: string): Promise<boolean>;
  /**
   * The platform as the owner of this token sees it; `background` leaves the last fifth of the quota to people. Where
   * the platform rejects the token, the end of its sessions is written down with `requestId`.
   */
  connect(token: string, options?: { background?: boolean; requestId?: string }): Platform;
  /** Whether the platform should be called again if it still takes this token: it did not within five minutes. */
  isProofDue(token: string): boolean;
  /** The sample organization of the demo, and the clock by which it is now there. */
  demo(situation?: Situation): { codehost: Platform; clock: Clock } & Pick<Services, 'facts' | 'jobs' | 'answers'>;
  /** Facts of repositories between readings: in the database, or in memory without one. */
  facts: FactRepository;
  /** Jobs of completed run attempts, likewise. */
  jobs: JobRepository;
  /** Results that are costly to make again, likewise. */
  answers: AnswerCache;
  /** Answers of this process that are given again while nothing of theirs has changed. */
  reusedAnswers: ReusedAnswers;
  /** For so many ms of one request the platform is read. */
  readMs: number;
  /** Counters shared between processes where there is a database. */
  limits: RateCounter;
  /** Counters of the limit that every request meets: shared within a second where there are other processes. */
  sessionLimits: RateCounter;
  /** Who files which issue, likewise. */
  filings: Claims<FiledIssue>;
  /** Who opens which pull request with changes of workflow files, likewise. */
  pullRequests: AdvisorPullRequests;
  /** Texts that AI providers write about measurements. */
  ai: AiLayer;
  /** What `/metrics` shows. */
  metrics: Scraper;
  /** Work that processes share; null without a database. */
  queue: Queue | null;
  /** The way to send mail. */
  mailer: Mailer;
  /** Headers of proxies that are not believed. */
  forwardedHeaders: ForwardedHeaders;
  /** The thread that scans workflow files. */
  scanner: TaskThread<ScanTask, ScanResult>;
  /** The thread that judges what recommendations save. */
  judging: TaskThread<JudgeTask, Judgement>;
  /** The thread that looks for recommendations while somebody waits. */
  advising: TaskThread<AdviseTask, Advised | null>;
  /** The thread that compares marked pull requests with others. */
  comparing: TaskThread<ComparisonTask, ComparisonResult>;
  /** The Model Context Protocol. */
  mcp: McpDoor;
  /** Reads an operation for another one that is answered with it. */
  readOperation: typeof readOperation;
  /** What the platform's webhooks bring. */
  webhooks: WebhookHandler;
  /** Evaluates alert rules over a repository whose facts were just read. Never throws but where the database is away. */
  evaluateAfterSync(
    repository: EvaluatedRepository,
    feed: Feed,
    source: 'sync' | 'webhook' | 'cron',
  ): Promise<Evaluation>;
  /** What goes on when the request that began it has been answered. */
  background: BackgroundWork;
  /** Reads on in the background what people's synchronizations left. */
  syncContinuation: SyncContinuation;
  /** Raised when the process is about to end: long work stops where it can be gone on with. */
  stopping: AbortSignal;
}

/** The access token of this service that a caller sent. */
export interface SentToken {
  id: number;
  name: string;
  /** What it was made for: never more than its account may use. */
  features: readonly FeatureKey[];
  expiresAt: Instant;
}

/** The caller. */
export interface Actor {
  id: number;
  login: string;
  name: string | null;
  avatarUrl: string;
  /** The platform token. */
  token: string;
  /** null for a caller who sent a token instead of a cookie. */
  session: Session | null;
  /** null for a caller who sent a cookie or a platform token. */
  accessToken: SentToken | null;
  groups: readonly string[];
  isAdmin: boolean;
  /** Features that a group of the caller was granted. */
  granted: readonly FeatureKey[];
  /** Features this request may use: the granted ones, or all while access is not enforced; of these the access token's. */
  features: readonly FeatureKey[];
}

/** One request: its input, and what it may use. */
export interface Context {
  services: Services;
  requestId: string;
  method: string;
  url: URL;
  headers: Headers;
  /** Where the client is behind the trusted proxies: an IPv4 address, or the /64 network of an IPv6 address. */
  address: string;
  /** Aborted when the caller goes away before the answer. */
  signal: AbortSignal;
  /** true for the public sample organization. */
  isDemo: boolean;
  /** The caller; throws `unauthenticated`. */
  actor(): Promise<Actor>;
  /** The platform with a token that was sent, of which it is not yet known whose it is; made once for a request. */
  connect(token: string): Platform;
  /** The platform with the caller's own token; throws `unauthenticated`. */
  codehost(): Promise<Platform>;
  /** The database; throws `db_not_configured`. */
  readonly store: Store;
}

/** What an answer carries beside its body. */
export interface Reply {
  status: number;
  headers: Headers;
}

/** Who changes something by this request, as the audit log names them. */
export async function changedBy(context: Context): Promise<ChangedBy> {
  const { id, login } = await context.actor();
  return { actor: { id, login }, requestId: context.requestId, now: context.services.clock.now() };
}

/**
 * The cache key of an answer about an organization: the token and what was requested. Each member sees other
 * repositories, so nobody is given another's answer; the token itself is not stored.
 */
export async function callerKey(context: Context, what: string, org: string, limit: number): Promise<string> {
  const { token } = await context.actor();
  return `${what} ${org.toLowerCase()} ${limit} ${createHash('sha256').update(`${what} ${token}`).digest('base64url')}`;
}
