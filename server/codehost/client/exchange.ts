import { Agent, fetch } from 'undici';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Clock } from '../../platform/clock.ts';
import { countCodehostRequest, requestOutcome } from '../../platform/process-metrics.ts';
import { noteUpstreamRequest } from '../../platform/request-record.ts';
import { currentLimits } from '../../platform/work-limits.ts';
import type { TokenPool } from './pool.ts';

/** One request that left for the platform. */
export interface RequestRecord {
  operation: string;
  method: string;
  /** null when no answer arrived. */
  status: number | null;
  conditional: boolean;
  durationMs: number;
}

export interface ExchangeOptions {
  operation: string;
  /** The budget the request counts against. */
  resource: string;
  /** Longest wait for one attempt, and for all attempts together; milliseconds. */
  attemptMs: number;
  totalMs: number;
  /** true where the answer is a link to another host, which is given rather than followed. */
  isLink?: boolean;
  agent: Agent;
  pool: TokenPool;
  clock: Clock;
  onRequest(record: RequestRecord): void;
}

/** Connections to the platform for the whole process. */
export const createAgent = () =>
  new Agent({ connections: 100, connect: { timeout: 5_000 }, headersTimeout: 30_000, bodyTimeout: 30_000 });

/**
 * One question with its attempts: bounds their time, follows redirects within the platform,
 * and keeps count of everything that is sent. A class, because Octokit copies plain objects.
 */
export class Exchange {
  readonly #options: ExchangeOptions;
  /** Of the work that the question is part of. */
  readonly limits = currentLimits();
  /** Headers of the last answer; null before one. */
  answered: { get(name: string): string | null } | null = null;
  /** Why the last attempt failed: what is reported where no other may be made. */
  failure: unknown = null;
  #deadline: number | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  get isLink(): boolean {
    return this.#options.isLink === true;
  }

  get resource(): string {
    return this.#options.resource;
  }

  /** Milliseconds left for all attempts; the first call starts the count. */
  remainingMs(): number {
    this.#deadline ??= Math.min(performance.now() + this.#options.totalMs, this.limits.deadline);
    return Math.max(0, this.#deadline - performance.now());
  }

  readonly fetch = async (url: string, init: FetchInit): Promise<Answer> => {
    const left = Math.ceil(Math.min(this.#options.attemptMs, this.remainingMs()));
    if (left === 0) throw new Error('The request timed out before it was sent.');
    const signal = AbortSignal.any([AbortSignal.timeout(left), this.limits.signal]);
    let address = new URL(url);
    for (let hops = 0; hops <= 3; hops++) {
      const answer = await this.#send(address, { ...init, signal });
      const location = redirects.has(answer.status) ? answer.headers.get('location') : null;
      if (location === null) return answer;
      const next = new URL(location, address);
      if (this.isLink && next.origin !== address.origin) return answer;
      await answer.body?.cancel();
      // The token goes to the platform only.
      if (next.origin !== address.origin) throw new Error('GitHub redirected to another host.');
      address = next;
    }
    throw new Error('GitHub redirected too often.');
  };

  async #send(address: URL, init: FetchInit): Promise<Answer> {
    const { agent, operation, onRequest } = this.#options;
    const startedAt = performance.now();
    noteUpstreamRequest();
    const record = (status: number | null, headers?: Answer['headers']) => {
      countCodehostRequest(this.#api(address), requestOutcome(status, isRateLimited(status, headers)));
      onRequest({
        operation,
        method: init?.method ?? 'GET',
        status,
        conditional: new Headers(init?.headers as Record<string, string>).has('if-none-match'),
        durationMs: performance.now() - startedAt,
      });
    };
    try {
      const answer = await fetch(address, { ...init, redirect: 'manual', dispatcher: agent });
      record(answer.status, answer.headers);
      this.answered = answer.headers;
      this.#noteBudget(answer.headers);
      // Other errors may come from a proxy, or before the token is looked at.
      if (answer.status < 400) this.#options.pool.proof.accept(this.#options.clock.now());
      return answer;
    } catch (error) {
      record(null);
      throw error;
    }
  }

  #api({ pathname }: URL) {
    if (this.resource === 'graphql') return 'graphql';
    return pathname.includes('/search/') ? 'search' : 'rest';
  }

  #noteBudget(headers: Answer['headers']): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
    ) as [number, number, number];
    if (Number.isNaN(limit + remaining + reset)) return;
    const resetAt: Instant = reset * 1000;
    const resource = headers.get('x-ratelimit-resource') ?? this.#options.resource;
    this.#options.pool.budget.note(resource, { limit, remaining, resetAt });
  }
}

type Answer = Awaited<ReturnType<typeof fetch>>;
type FetchInit = Parameters<typeof fetch>[1];

/** The platform answers 403 too where the budget of an hour is spent, or where requests come too fast. */
const isRateLimited = (status: number | null, headers?: Answer['headers']): boolean =>
  status === 429 ||
  (status === 403 && (headers?.get('x-ratelimit-remaining') === '0' || headers?.has('retry-after') === true));

const redirects = new Set([301, 302, 307, 308]);
