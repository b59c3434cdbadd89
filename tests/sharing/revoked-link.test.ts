import { expect, test } from 'vitest';
import type { Context } from '../../server/access/context.ts';
import type { Problem } from '../../server/platform/problem.ts';
import { openLink } from '../../server/sharing/snapshot.ts';
import { storedService } from '../api/stored.ts';
import { postgresDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';

const page = '/repos/octo/web/deployments';

// One process alone has an embedded database.
postgresDatabase((database) => {
  const visit = storedService(database, { RATE_LIMIT_SESSION_PER_MINUTE: '0', SESSION_TTL_HOURS: '720' });

  test('a link that a process revoked is gone in another at once', async () => {
    const { service } = visit;
    const { DATABASE_URL = '' } = service.app.services.env;
    const there = await startService({ DATABASE_URL }, service);
    const open = async ({ app: { services } }: Service, token: string) => {
      const opening = { token, phrase: null, isCounted: false };
      const context = { services, store: services.store, address: '203.0.113.9' } as unknown as Context;
      return openLink(opening, context).then(
        () => 'open',
        (error: Problem) => error.code,
      );
    };
    for (let times = 0; times < rounds('REVOKED_LINKS', 5, 25); times++) {
      // More are made here than an account may make in an hour.
      service.clock.advance(61_000);
      const { body } = await service.ask('POST', '/api/shares', { as: 'token-ann', body: { page } });
      expect(await open(there, body.token)).toBe('open');
      const [revoking, other] = times % 2 === 0 ? [service, there] : [there, service];
      const gone = await revoking.ask('DELETE', `/api/shares?id=${body.share.id}`, { as: 'token-ann' });
      expect(gone.body.revoked).toBe(1);
      expect(await open(other, body.token)).toBe('not_found');
    }
    await there.close();
  });
});
