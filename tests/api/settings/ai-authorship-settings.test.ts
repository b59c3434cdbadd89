import { beforeAll, expect, test } from 'vitest';
import { aiAuthorship } from '../../../server/settings/ai-authorship.ts';
import { visitService } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });
const ann = { as: 'token-ann' };
const path = '/api/settings/ai-authorship';

beforeAll(async () => {
  await visit.service.signIn('token-ann');
  await visit.service.signIn('token-bo');
  await visit.service.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['pm'] } });
  const body = { group: 'pm', flag: 'aiAuthorship', granted: true };
  await visit.service.ask('PUT', '/api/admin/permissions', { ...ann, body });
});

test('who may not see an excluded repository is not told its name', async () => {
  const repositories_excluded = ['octo/secret', 'octo/web', 'else/where'];
  const body = { ...aiAuthorship.fallback, repositories_excluded };
  const saved = await visit.service.ask('PUT', path, { ...ann, body });
  expect(saved.body.repositories_excluded).toEqual(repositories_excluded);
  const shown = async (as: string) => (await visit.service.ask('GET', path, { as })).body.repositories_excluded;
  expect(await shown('token-ann')).toEqual(repositories_excluded);
  expect(await shown('token-bo')).toEqual(['octo/web']);
});
