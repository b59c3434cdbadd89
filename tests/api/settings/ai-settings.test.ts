import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { request as question, surface } from '../../ai/generate-doubles.ts';
import { type AiDouble, startAiDouble } from '../../support/ai-double.ts';
import { type Answered, anyDatabase, startService } from '../../support/service.ts';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

const path = '/api/settings/ai';
const ann = { as: 'token-ann' };

/** Providers as they are when the environment says nothing of them. */
const providers = [
  {
    provider: 'anthropic',
    default_model: 'claude-haiku-4-5',
    default_base_url: 'https://api.anthropic.com/v1',
    models: ['claude-haiku-4-5', 'claude-sonnet-4-5'],
  },
  {
    provider: 'gemini',
    default_model: 'gemini-2.5-flash',
    models: ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
    default_base_url: 'https://generativelanguage.googleapis.com/v1beta/openai',
  },
  {
    provider: 'openai',
    default_model: 'gpt-5-mini',
    default_base_url: 'https://api.openai.com/v1',
    models: ['gpt-5-mini', 'gpt-5-nano', 'gpt-4.1-mini'],
  },
];

const untouched = {
  enabled: false,
  provider: 'anthropic',
  model: null,
  base_url: null,
  api_key_hint: null,
  has_key: false,
  updated_by: null,
  updated_at: null,
  version: 0,
  disabled_by_env: false,
  providers,
};

describe('in organization mode', () => {
  const env = { MODE: 'organization', AI_ALLOWED_HOSTS: '127.0.0.1,gateway.internal', OPENAI_API_KEY: 'canary-of-env' };
  const visit = visitService(env);
  let provider: AiDouble;
  beforeAll(async () => {
    provider = await startAiDouble({ secure: true });
  });
  afterAll(() => provider?.close());
  const answers: Answered[] = [];
  beforeEach(() => {
    provider.reset();
    answers.length = 0;
    return () => expect(answers.map(({ text }) => text).join('')).not.toContain('canary');
  });
  const ask = async (method: string, address: string, body?: unknown) => {
    const answer = await visit.service.ask(method, address, { ...ann, body });
    answers.push(answer);
    return answer;
  };
  const put = (body: object) => ask('PUT', path, body);
  const settings = async () => (await ask('GET', path)).body;
  const entries = async () => (await ask('GET', '/api/admin/audit?category=settings')).body.entries;
  const good = () => ({ enabled: true, provider: 'openai', base_url: provider.url, api_key: 'canary-key-of-ann-4711' });

  test('until somebody saves, the environment is in effect', async () => {
    expect(await settings()).toEqual({
      ...untouched,
      configurable: true,
      mode: 'organization',
      db_available: true,
      effective_source: 'env',
      env_providers: ['openai'],
    });
    const status = await ask('GET', '/api/ai/status');
    expect([status.body, status.headers.get('cache-control')]).toEqual([
      { enabled: true, providers: ['openai'] },
      'private, max-age=60',
    ]);
  });

  test('what cannot be is rejected by its field, and nothing is saved', async () => {
    for (const [change, field] of [
      [{ enabled: 'true' }, 'enabled'],
      [{ enabled: 1 }, 'enabled'],
      [{ provider: 'bailian' }, 'provider'],
      [{ model: 'a model' }, 'model'],
      [{ model: 'x'.repeat(121) }, 'model'],
      [{ api_key: 'canary of two words' }, 'api_key'],
      [{ api_key: 'x'.repeat(501) }, 'api_key'],
      [{ base_url: 'nowhere' }, 'base_url'],
      [{ base_url: 'http://api.openai.com/v1' }, 'base_url'],
      [{ base_url: 'http://127.0.0.1/v1' }, 'base_url'],
      [{ base_url: 'ftp://8.8.8.8/v1' }, 'base_url'],
      [{ base_url: 'https://ann:canary@8.8.8.8/v1' }, 'base_url'],
      [{ base_url: 'https://8.8.8.8/v1?key=1' }, 'base_url'],
      [{ base_url: 'https://8.8.8.8/v1?' }, 'base_url'],
      [{ base_url: 'https://8.8.8.8/v1#x' }, 'base_url'],
      [{ base_url: 'https://10.0.0.1/v1' }, 'base_url'],
      [{ base_url: 'https://169.254.169.254/latest' }, 'base_url'],
      [{ base_url: 'https://localhost/v1' }, 'base_url'],
      [{ base_url: 'https://[::ffff:127.0.0.1]/v1' }, 'base_url'],
      [{ base_url: 'https://nobody.invalid/v1' }, 'base_url'],
    ] as const)
      expectFields(await put({ ...good(), ...change }), [field, 'invalid']);
    expectFields(await put({ provider: 'openai' }), ['enabled', 'missing']);
    expectFields(await put({ ...good(), key: 'canary' }), ['key', 'unknown']);
    expect([(await settings()).updated_at, await entries()]).toEqual([null, []]);
  });

  test('to write through a provider needs its key', async () => {
    const { api_key: _key, ...keyless } = good();
    for (const body of [keyless, { ...keyless, api_key: '' }, { ...keyless, api_key: '  ' }]) {
      const answer = await put(body);
      expectProblem(answer, 400, 'api_key_required');
      expect(answer.body.details.fields).toMatchObject([{ field: 'api_key', reason: 'missing' }]);
    }
    expect((await settings()).updated_at).toBeNull();
  });

  test('what is saved is reported with the end of the key alone, and noted without it', async () => {
    const answer = await put({ ...good(), base_url: `${provider.url}///`, model: 'house/model-1' });
    expect([answer.status, answer.body.ok]).toEqual([200, true]);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.body.settings).toEqual({
      ...untouched,
      configurable: true,
      mode: 'organization',
      db_available: true,
      enabled: true,
      provider: 'openai',
      model: 'house/model-1',
      base_url: provider.url,
      api_key_hint: '••••4711',
      has_key: true,
      updated_by: 'ann',
      updated_at: '2026-11-16T10:00:00.000Z',
      version: 1,
      effective_source: 'settings',
      env_providers: ['openai'],
    });
    expect(await settings()).toEqual(answer.body.settings);
    expect((await ask('GET', '/api/ai/status')).body).toEqual({ enabled: true, providers: ['openai'] });
    const [entry] = await entries();
    expect(entry).toMatchObject({ action: 'settings.ai_saved', target: 'ai', actor: { login: 'ann' }, before: null });
    expect(entry.after).toMatchObject({ provider: 'openai', key_changed: true });
  });

  test('a stored key stays and works while provider and host do', async () => {
    const { api_key: _key, ...keyless } = good();
    const moved = { ...keyless, base_url: provider.url.replace('/v1', '/v2'), model: 'other' };
    expect((await put(moved)).body.settings).toMatchObject({ has_key: true, api_key_hint: '••••4711', model: 'other' });
    expect(await visit.service.app.services.ai.generate(surface, question)).toMatchObject({ model: 'other' });
    expect(provider.received.map(({ path: to, headers }) => [to, headers.authorization])).toEqual([
      ['/v2/chat/completions', 'Bearer canary-key-of-ann-4711'],
    ]);
  });

  test('a stored key never goes to another provider or host', async () => {
    const { api_key: _key, ...keyless } = good();
    for (const change of [
      { provider: 'gemini' },
      { base_url: '' },
      { base_url: 'https://8.8.8.8/v1' },
      { base_url: 'https://gateway.internal/v1' },
      { base_url: provider.url.replace(/:\d+/, ':1') },
      { enabled: false, provider: 'anthropic' },
    ])
      expectProblem(await put({ ...keyless, ...change }), 400, 'api_key_required');
    expect(await settings()).toMatchObject({ provider: 'openai', has_key: true });
    expect(
      (await put({ ...good(), base_url: 'https://gateway.internal/v1', api_key: 'short-one' })).body,
    ).toMatchObject({
      ok: true,
      settings: { base_url: 'https://gateway.internal/v1', api_key_hint: '••••' },
    });
  });

  test('off, the environment is in effect again, and the key is stored', async () => {
    const stored = { enabled: false, provider: 'openai', base_url: 'https://gateway.internal/v1' };
    expect((await put(stored)).body.settings).toMatchObject({ enabled: false, has_key: true, effective_source: 'env' });
  });

  test('off, its host need not be found; on, it must', async () => {
    const gone = { ...good(), base_url: 'https://gone.invalid/v1' };
    expectFields(await put(gone), ['base_url', 'invalid']);
    expect((await put({ ...gone, enabled: false })).status).toBe(200);
  });

  test('another process with another secret cannot use it, and says so', async () => {
    await put({ ...good() });
    const beside = await startService(
      { ...env, DATABASE_URL: anyDatabase, SESSION_SECRET: 'An0therSecretOfTheSameLengthAsThat' },
      visit.service,
    );
    const { store } = visit.service.app.services;
    const row = await store?.settings.get('ai');
    await beside.app.services.store?.settings.put('ai', {
      value: row?.value as object,
      secret: { sealed: row?.secretSealed ?? '', hint: row?.secretHint ?? '' },
      by: { actor: { id: 1, login: 'ann' }, requestId: 'r', now: 0 },
    });
    const answer = await beside.ask('GET', path, ann);
    expect(answer.body).toMatchObject({ effective_source: 'settings_broken', enabled: true, has_key: true });
    expect((await beside.ask('GET', '/api/ai/status', ann)).body).toEqual({ enabled: false, providers: [] });
    const { api_key: _key, ...keyless } = good();
    expectProblem(await beside.ask('PUT', path, { ...ann, body: keyless }), 400, 'api_key_required');
    expect((await beside.ask('PUT', path, { ...ann, body: { ...keyless, enabled: false } })).status).toBe(200);
    await beside.close();
  });

  test('only administrators read and save it', async () => {
    await visit.service.signIn('token-bo');
    await visit.service.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['dev'] } });
    for (const method of ['GET', 'PUT'])
      expectProblem(await visit.service.ask(method, path, { as: 'token-bo' }), 403, 'forbidden');
    expect((await visit.service.ask('GET', '/api/ai/status', { as: 'token-bo' })).status).toBe(200);
  });
});

describe('in standalone mode with a database', () => {
  const visit = visitService({ DATABASE_URL: anyDatabase });

  test('the answer says that there is a database, and saving is rejected all the same', async () => {
    expect((await visit.service.ask('GET', path, ann)).body).toMatchObject({ configurable: false, db_available: true });
    const saving = { ...ann, body: { enabled: true, provider: 'openai', api_key: 'canary' } };
    expectProblem(await visit.service.ask('PUT', path, saving), 403, 'org_mode_only');
  });
});

describe('in standalone mode', () => {
  const visit = visitService({
    ANTHROPIC_API_KEY: 'canary-of-env',
    OPENAI_API_KEY: 'canary-of-env',
    AI_DISABLED: 'true',
  });

  test('it can be read, and not saved', async () => {
    const { text, body } = await visit.service.ask('GET', path, ann);
    expect(body).toEqual({
      ...untouched,
      configurable: false,
      mode: 'standalone',
      db_available: false,
      disabled_by_env: true,
      effective_source: 'none',
      env_providers: ['anthropic', 'openai'],
    });
    expect(text).not.toContain('canary');
    const saving = { ...ann, body: { enabled: true, provider: 'openai', api_key: 'canary' } };
    expectProblem(await visit.service.ask('PUT', path, saving), 403, 'org_mode_only');
    expect((await visit.service.ask('GET', '/api/ai/status', ann)).body).toEqual({ enabled: false, providers: [] });
  });
});
