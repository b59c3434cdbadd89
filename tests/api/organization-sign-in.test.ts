import { expect, test } from 'vitest';
import { expectRefusal, freshService } from './endpoints.ts';

const visit = freshService({ MODE: 'organization' });

const me = (as: string) => visit.service.ask('GET', '/api/auth/me', { as });

test('the first administrator is the one who is named, and one entry says so', async () => {
  const { body } = await me('token-bo');
  expect(body).toMatchObject({ login: 'bo', mode: 'organization', groups: [], is_admin: false, enforcement: true });
  expect((await me('token-ann')).body).toMatchObject({ login: 'ann', groups: ['admin'], is_admin: true });
  const { store } = visit.service.app.services;
  const all = { limit: 10, before: null, categories: null, actor: null, action: null };
  expect(await store?.audit.list(all)).toMatchObject([
    { id: 1, action: 'user.bootstrap_admin', target: 'ann', actor: { id: null, login: 'system' }, after: ['admin'] },
  ]);
  expect(await store?.audit.broken()).toBeNull();
  expectRefusal(await visit.service.ask('GET', '/api/codehost/repos', { as: 'token-bo' }), 403, 'no_groups');
  expect((await visit.service.ask('GET', '/api/codehost/repos', { as: 'token-ann' })).status).toBe(200);
});
