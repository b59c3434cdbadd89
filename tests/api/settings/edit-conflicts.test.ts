import { beforeAll, expect, test } from 'vitest';
import { advisor } from '../../../server/settings/advisor.ts';
import { aiAuthorship } from '../../../server/settings/ai-authorship.ts';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

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
  {
    path: '/api/settings/team',
    on: { timezone: 'UTC', start: 8, end: 18 },
    off: { timezone: 'UTC', start: 9, end: 17 },
  },
  {
    path: '/api/settings/working-habits',
    on: { files_per_commit: 5, lines_per_commit: 100, commits_per_pr: 9 },
    off: { files_per_commit: 50, lines_per_commit: 100, commits_per_pr: 9 },
  },
  {
    path: '/api/settings/advisor',
    on: advisor.fallback,
    off: { ...advisor.fallback, enabled: false },
  },
  {
    path: '/api/settings/ai-authorship',
    on: { ...aiAuthorship.fallback, enabled: true },
    off: aiAuthorship.fallback,
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

test('a workday is checked as before beside its version', async () => {
  const body = { timezone: 'UTC', start: 18, end: 8, version: 1 };
  expectFields(await visit.service.ask('PUT', '/api/settings/team', { ...ann, body }), ['end', 'invalid']);
});
