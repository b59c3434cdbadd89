import type { Selectable } from 'kysely';
import type { Database, Tables } from './database.ts';

export type TokensUsed = Pick<Selectable<Tables['ai_usage_daily']>, 'promptTokens' | 'completionTokens'>;

/** Tokens of a day that are used or reserved. Days are UTC, as `2026-11-22`. */
export const aiUsage = ({ db }: Database) => ({
  /** Reserves tokens where that stays within `limit`, in one statement; null is no limit. Answers whether it did. */
  async reserve(day: string, tokens: number, limit: number | null): Promise<boolean> {
    if (limit !== null && tokens > limit) return false;
    const reserved = await db
      .insertInto('ai_usage_daily')
      .values({ day, reserved: tokens, calls: 1 })
      .onConflict((conflict) => {
        const adding = conflict.column('day').doUpdateSet((eb) => ({
          reserved: eb('ai_usage_daily.reserved', '+', tokens),
          calls: eb('ai_usage_daily.calls', '+', 1),
        }));
        if (limit === null) return adding;
        return adding.where((eb) => {
          const used = eb('ai_usage_daily.promptTokens', '+', eb.ref('ai_usage_daily.completionTokens'));
          return eb(eb(used, '+', eb.ref('ai_usage_daily.reserved')), '<=', limit - tokens);
        });
      })
      .returning('day')
      .execute();
    return reserved.length > 0;
  },
  /** Replaces what was reserved for a call by what it used. */
  async settle(day: string, reserved: number, { promptTokens, completionTokens }: TokensUsed): Promise<void> {
    await db
      .updateTable('ai_usage_daily')
      .set((eb) => ({
        reserved: eb.fn<number>('greatest', [eb.lit(0), eb('reserved', '-', reserved)]),
        promptTokens: eb('promptTokens', '+', promptTokens),
        completionTokens: eb('completionTokens', '+', completionTokens),
      }))
      .where('day', '=', day)
      .execute();
  },
});
