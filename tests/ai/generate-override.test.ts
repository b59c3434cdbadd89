import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AiChoice, saveAiOverride } from '../../server/settings/ai-provider.ts';
import type { Database } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { aDatabase } from '../support/a-database.ts';
import { type AiDouble, startAiDouble } from '../support/ai-double.ts';
import { denial, request, surface, threeProviders } from './generate-doubles.ts';

const { doubles, later, asks, begin } = threeProviders();
const organization = {
  MODE: 'organization',
  DATABASE_URL: 'pglite://memory',
  AI_ALLOWED_HOSTS: '127.0.0.1',
  CODEHOST_CLIENT_ID: 'Iv1.analytics',
  CODEHOST_CLIENT_SECRET: 'f3b1c09d77e2a45586',
};
const ann = { actor: { id: 101, login: 'ann' }, requestId: 'r1', now: Date.UTC(2026, 10, 22) };

/** The provider that an administrator chose, behind https. */
let chosen: AiDouble;
/** One whose address nobody ever typed in. */
let stranger: AiDouble;
beforeAll(async () => {
  chosen = await startAiDouble({ secure: true });
  stranger = await startAiDouble({ secure: true });
});
afterEach(() => {
  expect(stranger.received).toEqual([]);
  chosen.reset();
});
afterAll(async () => {
  await chosen?.close();
  await stranger?.close();
});

aDatabase((which) => {
  let store: Store;
  let database: Database;
  beforeAll(async () => {
    ({ store, database } = await which.openRaw());
  });
  beforeEach(async () => {
    later(86_400_000);
    await database.query('delete from settings');
  });

  const layer = (env: Record<string, string> = {}) => begin({ store, env: { ...organization, ...env } });
  const save = (choice: Partial<AiChoice> = {}, apiKey: string | null = 'canary-of-ann-4711') =>
    saveAiOverride({ enabled: true, provider: 'openai', model: '', base_url: chosen.url, ...choice }, apiKey, {
      env: layer().env,
      store,
      by: ann,
    });

  describe('what an administrator saved', () => {
    test('is requested in place of the environment, with its key alone', async () => {
      const before = layer();
      await before.generate(surface, request);
      await save({ model: 'house-model' });
      for (const one of [before, layer()]) {
        expect(await one.status()).toEqual({ enabled: true, providers: ['openai'] });
        expect(await one.generate(surface, request)).toMatchObject({ provider: 'openai', model: 'house-model' });
      }
      expect([asks(), chosen.received.length]).toEqual([[1, 0, 0], 1]);
      expect(chosen.received[0]?.headers.authorization).toBe('Bearer canary-of-ann-4711');
    });

    test('without model and address asks as the environment does, with the key that was saved', async () => {
      await save({ provider: 'gemini', base_url: '' });
      expect(await layer().generate(surface, request)).toMatchObject({ provider: 'gemini', model: 'gemini-2.5-flash' });
      expect(doubles.gemini.received[0]?.headers.authorization).toBe('Bearer canary-of-ann-4711');
      expect(asks()).toEqual([0, 1, 0]);
    });

    test('leaves the environment to itself while it is off', async () => {
      await save({ enabled: false });
      expect((await layer().status()).providers).toEqual(['anthropic', 'gemini', 'openai']);
      expect(await layer().generate(surface, request)).toMatchObject({ provider: 'anthropic' });
    });

    test('is not requested where one person uses the service alone', async () => {
      await save();
      expect((await layer({ MODE: 'standalone' }).status()).providers).toEqual(['anthropic', 'gemini', 'openai']);
    });

    test('is in the database as nobody can read it', async () => {
      await save();
      await layer().generate(surface, request);
      const stored = await Promise.all(
        ['settings', 'audit_log', 'ai_cache', 'ai_usage_daily', 'job_leases'].map((table) =>
          database.query<{ row: string }>(`select t::text as row from ${table} t`),
        ),
      );
      const text = stored
        .flat()
        .map(({ row }) => row)
        .join('\n');
      expect(text).toContain('settings.ai_saved');
      expect(text).toContain('••••4711');
      expect(text).not.toMatch(/canary|Sum it up|period_days/);
    });
  });

  describe('nobody stands in for it', () => {
    const nobody = async (env: Record<string, string> = {}) => {
      expect(await denial(layer(env).generate(surface, request))).toBe('ai_unavailable');
      expect(asks()).toEqual([0, 0, 0]);
    };

    test.each([
      ['is out of order', [{ status: 500 }, { status: 500 }]],
      ['refuses the key', [{ status: 401 }]],
      ['writes nonsense', [{ text: 'no' }, { text: 'no' }]],
    ])('when it %s', async (_name, answers) => {
      await save();
      chosen.next(...answers);
      await nobody();
      expect(chosen.received).toHaveLength(answers.length);
    });

    test('when its address leads to this machine without being allowed', async () => {
      await save();
      await nobody({ AI_ALLOWED_HOSTS: '' });
      expect(chosen.received).toEqual([]);
    });

    const broken = async (env: Record<string, string> = {}) => {
      expect(await layer(env).status()).toEqual({ enabled: false, providers: [] });
      await nobody(env);
      expect(chosen.received).toEqual([]);
    };

    test('when its key cannot be opened', async () => {
      await save();
      await broken({ SESSION_SECRET: 'An0therSecretOfTheSameLengthAsThat' });
    });

    test('when there is no key at all', async () => {
      await save();
      await database.query('update settings set secret_sealed = null');
      await broken();
    });

    test('when what is saved is not understood', async () => {
      await save();
      for (const value of ['{}', '[]', '{"enabled":true,"provider":"elsewhere","model":"","base_url":""}']) {
        await database.query('update settings set value = $1::jsonb', [value]);
        await broken();
      }
    });

    test('when somebody moved it to another host behind the back of the key', async () => {
      await save();
      for (const change of [{ base_url: stranger.url }, { base_url: '' }, { provider: 'anthropic' }]) {
        await database.query('update settings set value = value || $1::jsonb', [JSON.stringify(change)]);
        await broken();
      }
    });

    test('when it cannot be read', async () => {
      await save();
      await database.query('alter table settings rename to settings_away');
      try {
        await broken();
      } finally {
        await database.query('alter table settings_away rename to settings');
      }
      expect(await layer().generate(surface, request)).toMatchObject({ provider: 'openai' });
    });
  });

  test('a key goes on opening after the secrets were rotated', async () => {
    await save();
    const env = { SESSION_SECRET: 'An0therSecretOfTheSameLengthAsThat' };
    const rotated = { ...env, SESSION_SECRET_PREVIOUS: layer().env.SESSION_SECRET ?? '' };
    expect(await layer(rotated).generate(surface, request)).toMatchObject({ provider: 'openai' });
  });
});
