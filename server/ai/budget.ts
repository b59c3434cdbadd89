import type { Instant } from '../metrics/kernel/facts.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import type { TokensUsed } from '../store/ai-usage.ts';
import type { Store } from '../store/orm.ts';

/** Where the tokens of a day are counted: in the database, or in memory without one. */
export type UsageRepository = Store['aiUsage'];

export interface TokenBudget {
  /**
   * Sets aside what a call may take at most, before it is made. Answers how to put what it took in its place.
   * @throws Problem `ai_budget_exhausted`
   */
  reserve(reservation: TokensUsed, priority: 'interactive' | 'digest'): Promise<(used: TokensUsed) => Promise<void>>;
}

/** What people ask for stops here, so that the weekly email still finds something. */
const interactiveShare = 0.95;
const dayMs = 86_400_000;

/** The tokens of a UTC day; `perDay` 0 is no limit. What a process leaves set aside when it is killed stays taken. */
export const tokenBudget = (usage: UsageRepository, perDay: number, clock: Clock): TokenBudget => ({
  async reserve(reservation, priority) {
    const now = clock.now();
    const day = new Date(now).toISOString().slice(0, 10);
    const share = priority === 'digest' ? perDay : Math.floor(perDay * interactiveShare);
    const tokens = reservation.promptTokens + reservation.completionTokens;
    if (!(await usage.reserve(day, tokens, perDay === 0 ? null : share))) throw exhausted(now);
    return (used) => usage.settle(day, tokens, used);
  },
});

const exhausted = (now: Instant) =>
  new Problem(
    'ai_budget_exhausted',
    'The tokens for generated texts are spent for today. They come back at midnight UTC.',
    {
      details: { retry_after_s: Math.max(1, Math.ceil((dayMs - (now % dayMs)) / 1000)) },
    },
  );

/** The count of a process without a database; it keeps the running day. */
export function memoryUsage(): UsageRepository {
  let current = { day: '', used: 0, reserved: 0 };
  return {
    async reserve(day, tokens, limit) {
      if (current.day !== day) current = { day, used: 0, reserved: 0 };
      if (limit !== null && current.used + current.reserved + tokens > limit) return false;
      current.reserved += tokens;
      return true;
    },
    async settle(day, reserved, { promptTokens, completionTokens }) {
      if (current.day !== day) return;
      current.reserved -= reserved;
      current.used += promptTokens + completionTokens;
    },
  };
}
