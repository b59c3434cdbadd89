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

const written = (kind: string, value: string) =>
  visit.service.ask('PUT', path, {
    ...ann,
    body: {
      ...aiAuthorship.fallback,
      own_agents: [{ agent: 'Own', kind, value, effect: 'author', valid_from: null, valid_to: null }],
    },
  });

test.each([
  ['account', 'acme-agent', 'is neither the id of an account nor login[bot]'],
  ['app', 'Own App', 'is not the slug of an app'],
  ['address', '@acme.com', 'is not a complete email address'],
  ['branch', 'fe', 'is not the beginning of a branch that ends in /, _ or -'],
  ['trailer', 'Assisted', 'is neither Key: value nor (name)'],
])('an agent of one’s own is not recognized by a mere %s %s', async (kind, value, text) => {
  const { status, body } = await written(kind, value);
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(text)]);
  const { body: kept } = await visit.service.ask('GET', path, ann);
  expect(kept.own_agents).toEqual([]);
});

test.each([
  ['account', '4711'],
  ['account', 'own-agent[bot]'],
  ['app', 'own-agent'],
  ['address', 'agent@acme.com'],
  ['branch', 'own/'],
  ['trailer', 'Made-with: Own'],
  ['trailer', '(own)'],
])('it is by the %s %s', async (kind, value) => expect((await written(kind, value)).status).toBe(200));

test('the audit log, which is kept forever, has no complete address of an agent', async () => {
  await written('address', 'jane.doe@acme.com');
  await written('trailer', 'Made-with: Jane <jane.doe@acme.com>');
  const { body, text } = await visit.service.ask('GET', '/api/admin/audit?category=settings&limit=200', ann);
  expect(text).not.toMatch(/jane\.doe|agent@acme/);
  const row = (kind: string, value: string) => ({ own_agents: [expect.objectContaining({ kind, value })] });
  expect(body.entries[0]).toMatchObject({
    action: 'settings.ai_authorship_saved',
    before: row('address', 'j•••@acme.com'),
    after: row('trailer', 'Made-with: Jane <j•••@acme.com>'),
  });
});
