import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSync, findStartedSync } from '../../../server/api/sync/started.ts';
import { createContext } from '../../../server/http/context.ts';
import { Problem } from '../../../server/platform/problem.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';

const steps = { total: 2, done: 1, current: ['octo/api'], next: null };
const scope = { owner: 'octo', repo: 'web' };

aDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await database.migrated(), STANDALONE_ALLOWED_LOGINS: '*' });
  });
  afterAll(() => service?.close());

  const requestBy = (token: string) =>
    createContext(service.app.services, {
      method: 'POST',
      url: new URL('http://127.0.0.1/reports'),
      headers: new Headers(bearerOf(token)),
      address: '127.0.0.1',
      signal: new AbortController().signal,
    });
  const stateFor = async (token: string, of = scope) => (await findStartedSync(requestBy(token), of))?.state ?? null;

  test('begins once for an account and scope, and is shown to that account until it ended', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const begin = (of: { owner: string; repo: string }) =>
      beginSync(requestBy('token-ann'), of, (report) => {
        report(steps);
        return promise;
      });
    expect((await Promise.all([begin(scope), begin(scope)])).toSorted()).toEqual([false, true]);
    expect(await begin({ owner: 'Octo', repo: 'WEB' })).toBe(false);
    await expect.poll(() => findStartedSync(requestBy('token-ann'), scope)).toMatchObject({ state: 'running', steps });
    expect([await stateFor('token-bo'), await stateFor('token-ann', { owner: 'octo', repo: 'api' })]).toEqual([
      null,
      null,
    ]);
    reject(new Problem('not_found', 'Not found.'));
    await expect
      .poll(() => findStartedSync(requestBy('token-ann'), scope))
      .toMatchObject({ state: 'failed', error: 'Not found.' });
  });

  test('of a process that was killed counts as interrupted, and can be begun again', async () => {
    const { clock, answers } = service.app.services;
    const now = clock.now();
    await answers.put('sync-started:101:octo/tide', { state: 'running', steps }, now, now + 600_000);
    const of = { owner: 'octo', repo: 'tide' };
    expect(await stateFor('token-ann', of)).toBe('running');
    service.clock.advance(121_000);
    expect(await stateFor('token-ann', of)).toBe('interrupted');
    expect(await beginSync(requestBy('token-ann'), of, () => Promise.reject(new Error('defect')))).toBe(true);
    await expect.poll(() => stateFor('token-ann', of)).toBe('failed');
  });
});
