import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryUsage, tokenBudget, type UsageRepository } from '../../server/ai/budget.ts';
import type { Database } from '../../server/store/database.ts';
import { aDatabase } from '../support/a-database.ts';

const day = Date.UTC(2026, 10, 22, 20);
const tokens = (promptTokens: number, completionTokens = 0) => ({ promptTokens, completionTokens });

/** A clock that each test moves to a day of its own. */
let today = day;
const clock = { now: () => today };
const nextDay = () => {
  today += 86_400_000;
};

/** The same of every sync state: fresh ones see the same tokens where they share a database. */
function suite(open: () => UsageRepository) {
  const expectRejected = (error: unknown) => {
    expect(error).toMatchObject({ code: 'ai_budget_exhausted', status: 429 });
  };
  const spent = async (budget: ReturnType<typeof tokenBudget>, size: number, priority: 'interactive' | 'digest') => {
    let count = 0;
    for (;;) {
      const done = await budget.reserve(tokens(size), priority).catch(expectRejected);
      if (!done) return count;
      count += 1;
      await done(tokens(size));
    }
  };

  test('people stop at 95 %, the email at the whole', async () => {
    nextDay();
    const budget = tokenBudget(open(), 1000, clock);
    expect(await spent(budget, 10, 'interactive')).toBe(95);
    expect(await spent(budget, 10, 'digest')).toBe(5);
    expect(await spent(budget, 1, 'digest')).toBe(0);
  });

  test('what does not fit is rejected before it is made, and the next day everything is back', async () => {
    nextDay();
    const budget = tokenBudget(open(), 1000, clock);
    const problem = await budget.reserve(tokens(900, 51), 'interactive').catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: 'ai_budget_exhausted', details: { retry_after_s: 4 * 3600 } });
    await budget.reserve(tokens(900, 50), 'interactive');
    await expect(budget.reserve(tokens(1), 'interactive')).rejects.toThrow('spent for today');
    nextDay();
    await budget.reserve(tokens(900, 50), 'interactive');
  });

  test('what was set aside makes room for what was taken, on the day it was set aside', async () => {
    nextDay();
    const budget = tokenBudget(open(), 1000, clock);
    const settle = await budget.reserve(tokens(500, 400), 'interactive');
    await settle(tokens(100, 50));
    const late = await budget.reserve(tokens(500, 300), 'interactive');
    nextDay();
    await late(tokens(500, 300));
    expect(await spent(budget, 50, 'interactive')).toBe(19);
  });

  test('no limit refuses nothing', async () => {
    nextDay();
    const budget = tokenBudget(open(), 0, clock);
    for (const priority of ['interactive', 'digest'] as const) await budget.reserve(tokens(1e12), priority);
  });

  test('many at once never take more than there is, and leave no room for one that fits', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, async (request) => {
        nextDay();
        const budgets = [tokenBudget(open(), 1000, clock), tokenBudget(open(), 1000, clock)];
        const answers = await Promise.all(
          request.map((size, index) =>
            budgets[index % 2]?.reserve(tokens(size), 'digest').then(
              () => size,
              () => 0,
            ),
          ),
        );
        const taken = answers.reduce<number>((sum, size) => sum + (size ?? 0), 0);
        const left = request.filter((_size, index) => answers[index] === 0);
        return taken <= 1000 && left.every((size) => taken + size > 1000);
      }),
      { numRuns: 30 },
    );
  });
}

describe('in memory', () => {
  const syncState = memoryUsage();
  suite(() => syncState);
});

aDatabase((which) => {
  let syncState: UsageRepository;
  let database: Database;
  beforeAll(async () => {
    const raw = await which.openRaw();
    database = raw.database;
    syncState = raw.store.aiUsage;
  });
  suite(() => syncState);

  test('a day says what was used, set aside, and requested', async () => {
    nextDay();
    const budget = tokenBudget(syncState, 1000, clock);
    const settle = await budget.reserve(tokens(200, 100), 'interactive');
    await budget.reserve(tokens(30, 3), 'interactive');
    await settle(tokens(150, 20));
    const rows = await database.query(
      `select prompt_tokens::int as prompt, completion_tokens::int as completion, reserved::int as reserved, calls
       from ai_usage_daily where day = $1::date`,
      [new Date(today).toISOString()],
    );
    expect(rows).toEqual([{ prompt: 150, completion: 20, reserved: 33, calls: 2 }]);
  });
});
