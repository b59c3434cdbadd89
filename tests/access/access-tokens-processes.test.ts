import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createMigrated } from '../support/created-databases.ts';
import { isThorough } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';
import { expectRejected, me } from './asked-with-token.ts';
import { makeToken } from './made-token.ts';

const socket = inject('postgres');
const secrets = ['k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo', 'An0therSecretOfTheSameLengthAsThat'] as const;

describe.skipIf(socket === null)('access tokens in several processes', () => {
  let url: string;
  let here: Service;
  beforeAll(async () => {
    url = await createMigrated(socket as string);
    here = await startService({ DATABASE_URL: url, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  });
  afterAll(() => here.close());
  const beside = (env: Record<string, string>) =>
    startService({ DATABASE_URL: url, RATE_LIMIT_SESSION_PER_MINUTE: '0', ...env }, here);

  test('what is revoked here is rejected there, each time', async () => {
    const there = await beside({});
    for (let times = 0; times < (isThorough ? 1000 : 20); times++) {
      // Ten may be made in an hour.
      if (times % 10 === 0) here.clock.advance(3_600_001);
      const { id, headers } = await makeToken(here, 'token-ann', []);
      expect((await me(there, headers)).status).toBe(200);
      await here.ask('DELETE', `/api/tokens?id=${id}`, { as: 'token-ann' });
      expectRejected(await me(there, headers, `10.${10 + (times >> 8)}.${times & 255}.1`), 'token_not_valid');
    }
    await there.close();
  });

  test('after a rotation of the secret a token works and is encrypted anew; later the earlier secret can go', async () => {
    here.clock.advance(3_600_000);
    const used = await makeToken(here, 'token-ann', []);
    const unused = await makeToken(here, 'token-ann', []);
    const [before, after] = secrets;
    const rotated = await beside({ SESSION_SECRET: after, SESSION_SECRET_PREVIOUS: before });
    expect((await me(rotated, used.headers)).status).toBe(200);
    await rotated.close();
    const later = await beside({ SESSION_SECRET: after });
    expect((await me(later, used.headers)).status).toBe(200);
    expectRejected(await me(later, unused.headers), 'token_unreadable');
    await later.close();
  });
});
