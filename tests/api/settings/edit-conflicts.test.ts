import { beforeAll, expect, test } from 'vitest';
import { expectProblem, visitService } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });
const ann = { as: 'token-ann' };

beforeAll(() => visit.service.signIn('token-ann'));

const key = 'a-key-that-nobody-reads-4711';
const settings = [
  {
    path: '/api/settings/sharing',
    on: { sharing: 'members', public_badges: true },
    off: { sharing: 'off', public_badges: false },
  },
  {
    path: '/api/settings/email',
    on: { enabled: true, provider: 'postmark', from_address: 'a@codehost.example', api_key: key },
    off: { enabled: false, provider: 'postmark', from_address: null },
  },
  {
    path: '/api/settings/ai',
    on: { enabled: true, provider: 'openai', model: 'gpt-5-mini', api_key: key },
    off: { enabled: false, provider: 'openai', model: 'gpt-5-mini' },
  },
] as const;

test.each(settings)('what was switched off meanwhile is not switched on again: $path', async ({ path, on, off }) => {
  const read = async () => (await visit.service.ask('GET', path, ann)).body;
  const put = (body: object) => visit.service.ask('PUT', path, { ...ann, body });
  expect((await read()).version).toBe(0);
  expect((await put({ ...on, version: 0 })).status).toBe(200);
  const { version } = await read();
  expect((await put({ ...off, version })).status).toBe(200);
  expectProblem(await put({ ...on, version }), 409, 'edit_conflict');
  expect(await read()).toMatchObject({ version: version + 1 });
  expect((await put({ ...off, version })).status).toBe(200);
  // Scripts that name no version replace what is there.
  expect((await put(on)).status).toBe(200);
  expect((await read()).version).toBe(version + 2);
});
