import type { Database } from './database.ts';

export interface TokensUsed {
  promptTokens: number;
  completionTokens: number;
}

/** Tokens of a day that are used or set aside. Days are UTC, as `2026-11-22`. */
export const aiUsage = (database: Database) => ({
  /** Sets tokens aside where that stays within `limit`, in one statement; null is no limit. Answers whether it did. */
  async reserve(day: string, tokens: number, limit: number | null): Promise<boolean> {
    return (await database.query(reserve, [day, tokens, limit])).length > 0;
  },
  /** Puts what a call took in place of what was set aside for it. */
  async settle(day: string, reserved: number, { promptTokens, completionTokens }: TokensUsed): Promise<void> {
    await database.query(settle, [day, reserved, promptTokens, completionTokens]);
  },
});

const reserve = `
  insert into ai_usage_daily as usage (day, reserved, calls)
  select $1::date, $2::bigint, 1 where $3::bigint is null or $2::bigint <= $3::bigint
  on conflict (day) do update set reserved = usage.reserved + excluded.reserved, calls = usage.calls + 1
  where $3::bigint is null
    or usage.prompt_tokens + usage.completion_tokens + usage.reserved + excluded.reserved <= $3::bigint
  returning day`;

const settle = `
  update ai_usage_daily set reserved = greatest(0, reserved - $2::bigint),
    prompt_tokens = prompt_tokens + $3::bigint, completion_tokens = completion_tokens + $4::bigint
  where day = $1::date`;
