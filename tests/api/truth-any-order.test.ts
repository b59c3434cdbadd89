import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDatabase } from '../support/a-database.ts';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';
import { bearer, factQuestions, happening, hour, minute, movingRepository, said } from './moving-world.ts';

/** Something happens or something is requested, and how long after the step before. */
const steps = fc.array(
  fc.tuple(
    fc.constantFrom(1000, minute, 6 * minute, 16 * minute, 3 * hour, 30 * hour),
    fc.oneof({ weight: 3, arbitrary: happening }, { weight: 2, arbitrary: fc.nat(1000) }),
  ),
  { minLength: 4, maxLength: 40 },
);

const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
let repositories = 0;

function endsAsReadAtOnce(start: () => Promise<Service>) {
  let warm: Service;
  let cold: Service;
  beforeAll(async () => {
    warm = await start();
    cold = await startService(env, warm);
  });
  afterAll(async () => {
    await cold.close();
    await warm.close();
  });

  const answer = async (service: Service, path: string) => {
    const { status, body } = await service.ask('GET', path, bearer('token-ann'));
    return { path, status, body: said(body) };
  };

  test('any order of changes and questions ends in what one who asks only then is reported', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(4, 30, 90), async (all, pullRequests) => {
        warm.double.budgets.clear();
        warm.double.requests.length = 0;
        const { happen, query } = movingRepository(warm, ++repositories, pullRequests);
        const questions = factQuestions(query);
        for (const [pause, step] of all) {
          warm.clock.advance(pause);
          if (typeof step !== 'number') happen(step, warm.clock.now());
          else {
            const path = questions[step % questions.length] as string;
            expect(await answer(warm, path)).toMatchObject({ path, status: 200 });
          }
        }
        warm.clock.advance(7 * hour);
        for (const path of questions) expect(await answer(warm, path)).toEqual(await answer(cold, path));
        expect(warm.double.violations).toEqual([]);
      }),
      { numRuns: rounds('WORLDS', 2, 8) },
    );
  });
}

describe('without a database', () => endsAsReadAtOnce(() => startService(env)));

aDatabase((database) => {
  endsAsReadAtOnce(async () => {
    const url = await database.migrated();
    return startService({ ...env, DATABASE_URL: url });
  });
});
