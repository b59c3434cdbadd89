import type { Clock } from '../../server/platform/clock.ts';

export type Resource = 'core' | 'graphql' | 'search';

/** Points left in the running hour. */
export interface Budget {
  limit: number;
  used: number;
  /** Epoch milliseconds. */
  resetAt: number;
}

/** The hourly budgets: one per account and resource, shared by all tokens of the account. */
export class Budgets {
  readonly clock: Clock;
  readonly #budgets = new Map<string, Budget>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  of(login: string, resource: Resource): Budget {
    const key = `${login} ${resource}`;
    let budget = this.#budgets.get(key);
    if (!budget || budget.resetAt <= this.clock.now()) {
      const [limit, span] = resource === 'search' ? [30, 60_000] : [5000, 3_600_000];
      budget = { limit, used: 0, resetAt: Math.ceil((this.clock.now() + span) / 1000) * 1000 };
      this.#budgets.set(key, budget);
    }
    return budget;
  }

  /** Takes the cost, or says false when it is not there any more. */
  spend(login: string, resource: Resource, cost: number): boolean {
    const budget = this.of(login, resource);
    if (budget.used + cost > budget.limit) return false;
    budget.used += cost;
    return true;
  }

  setRemaining(login: string, resource: Resource, remaining: number) {
    const budget = this.of(login, resource);
    budget.used = budget.limit - remaining;
  }

  headers(login: string, resource: Resource): Record<string, string> {
    const { limit, used, resetAt } = this.of(login, resource);
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - used),
      'x-ratelimit-reset': String(resetAt / 1000),
      'x-ratelimit-used': String(used),
      'x-ratelimit-resource': resource,
    };
  }

  /** The body of the rate limit answer. */
  overview(login: string) {
    const quota = (resource: Resource) => {
      const { limit, used, resetAt } = this.of(login, resource);
      return { limit, used, remaining: limit - used, reset: resetAt / 1000 };
    };
    const [core, graphql, search] = [quota('core'), quota('graphql'), quota('search')];
    return { resources: { core, graphql, search }, rate: core };
  }

  clear() {
    this.#budgets.clear();
  }
}
