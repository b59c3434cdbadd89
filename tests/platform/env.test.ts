import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeEnv, InvalidEnvironment, parseScopes, readEnv } from '../../server/platform/env.ts';

const secret = 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo';
const production = { NODE_ENV: 'production', SESSION_SECRET: secret };
type Source = Record<string, string>;

/** What a deployment for an organization needs. */
const shared = {
  ...production,
  MODE: 'organization',
  DATABASE_URL: 'postgres://db/metrics',
  CODEHOST_CLIENT_ID: 'Iv1.analytics',
  CODEHOST_CLIENT_SECRET: 'f3b1c09d77e2a45586',
};

/** The sentence with which a configuration is rejected. */
function problem(source: Source): string {
  try {
    readEnv(source);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEnvironment);
    return (error as Error).message;
  }
  throw new Error('the configuration was taken');
}

describe('the configuration', () => {
  test('has no variable that nothing reads', () => {
    const sources = globSync('{server,app,jobs}/**/*.{ts,tsx,mjs}').filter((path) => !path.endsWith('platform/env.ts'));
    const words = new Set(sources.flatMap((path) => readFileSync(path, 'utf8').match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []));
    const names = describeEnv().map(({ name }) => name);
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  });

  test('needs nothing but a secret; everything else has a value', () => {
    expect(readEnv({ SESSION_SECRET: secret })).toEqual({
      MODE: 'standalone',
      NODE_ENV: 'production',
      PORT: 3000,
      HOST: '0.0.0.0',
      APP_URL: 'http://localhost:3000',
      TRUST_PROXY_HOPS: 0,
      SESSION_SECRET: secret,
      SESSION_SECRET_PREVIOUS: [],
      SETTINGS_ENCRYPTION_KEY_PREVIOUS: [],
      SESSION_TTL_HOURS: 168,
      STANDALONE_ALLOWED_LOGINS: [],
      BOT_LOGINS: [],
      RUNNER_LABELS: [],
      EXPOSURE_LOG_SAMPLE: 'first',
      LOG_LEVEL: 'info',
      SCHEDULER: 'internal',
      OAUTH_SCOPES: 'read:user read:org repo',
      SERVICE_ALLOWED_ORGS: [],
      BOOTSTRAP_ADMINS: [],
      ACCESS_ENFORCEMENT: 'on',
      ACCESS_TOKEN_MAX_DAYS: 366,
      ADVISOR: 'on',
      MCP_ENABLED: true,
      MCP_ALLOWED_ORIGINS: [],
      EMBED_ORIGINS: [],
      MCP_RATE_PER_MINUTE: 120,
      METRICS_REPOSITORIES: 'public',
      METRICS_WORKFLOWS: false,
      METRICS_MAX_SERIES: 10_000,
      CODEHOST_API_URL: 'https://api.github.com',
      CODEHOST_GRAPHQL_URL: 'https://api.github.com/graphql',
      CODEHOST_WEB_URL: 'https://github.com',
      DB_POOL_MAX: 10,
      DB_STATEMENT_TIMEOUT_MS: 15_000,
      MIGRATE_ON_START: true,
      SYNC_BACKFILL_DAYS: 90,
      SYNC_MAX_PAGES: 10,
      SCAN_ONLINE_RULES: false,
      RETENTION_RUN_DAYS: 400,
      SLACK_WEBHOOK_HOSTS: ['hooks.slack.com'],
      POSTMARK_API_URL: 'https://api.postmarkapp.com',
      RESEND_API_URL: 'https://api.resend.com',
      RATE_LIMIT_SESSION_PER_MINUTE: 600,
      RATE_LIMIT_DEMO_PER_MINUTE: 60,
      AI_DISABLED: false,
      AI_TIMEOUT_MS: 15_000,
      AI_TOTAL_BUDGET_MS: 45_000,
      AI_DAILY_TOKEN_BUDGET: 2_000_000,
      AI_ALLOWED_HOSTS: [],
      ANTHROPIC_MODEL: 'claude-haiku-4-5',
      GEMINI_MODEL: 'gemini-2.5-flash',
      OPENAI_MODEL: 'gpt-5-mini',
      OTLP_ALLOWED_HOSTS: [],
      OTLP_HEADERS: {},
      OTLP_OUTBOX_DAYS: 7,
      WEBHOOK_ALLOWED_HOSTS: [],
      OPENAI_BASE_URL: 'https://api.openai.com/v1',
      ANTHROPIC_BASE_URL: 'https://api.anthropic.com/v1',
      GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com/v1beta/openai',
    });
  });

  test.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['metrics.internal:80', { host: 'metrics.internal', port: 80 }],
  ])('a second listener at %s', (text, listen) => {
    expect(readEnv({ SESSION_SECRET: secret, METRICS_LISTEN: text }).METRICS_LISTEN).toEqual(listen);
  });

  test.each(['9464', '127.0.0.1', ':9464', '127.0.0.1:0', '127.0.0.1:70000', 'http://127.0.0.1:9464', '::1:9464'])(
    'no second listener at %s',
    (text) => {
      expect(problem({ SESSION_SECRET: secret, METRICS_LISTEN: text })).toBe('METRICS_LISTEN must be host:port');
    },
  );

  test.each(['short', 'replace-me-replace-me-replace-me-replace-me'])(
    'a metrics token that is %s is rejected',
    (text) => {
      expect(problem({ SESSION_SECRET: secret, METRICS_TOKEN: text })).toMatch(/^METRICS_TOKEN /);
    },
  );

  test('an empty value counts as absent', () => {
    expect(readEnv({ ...production, PORT: '', DATABASE_URL: '', APP_URL: '' })).toMatchObject({ PORT: 3000 });
  });

  test('lists are split at commas, addresses lose their last slash', () => {
    const env = readEnv({
      ...production,
      STANDALONE_ALLOWED_LOGINS: ' ann, ,Bo ',
      CODEHOST_API_URL: 'https://codehost.example/api/v3/',
      APP_URL: 'https://metrics.example/',
      SESSION_SECRET_PREVIOUS: `${secret}a,${secret}b`,
    });
    expect(env.STANDALONE_ALLOWED_LOGINS).toEqual(['ann', 'Bo']);
    expect(env.CODEHOST_GRAPHQL_URL).toBe('https://codehost.example/api/graphql');
    expect(env.APP_URL).toBe('https://metrics.example');
    expect(env.SESSION_SECRET_PREVIOUS).toHaveLength(2);
  });

  test.each(['organization', 'org', 'team'])('MODE=%s is a shared deployment', (MODE) => {
    const env = readEnv({ ...shared, MODE, SERVICE_ALLOWED_ORGS: 'octo, many-2', BOOTSTRAP_ADMINS: ' Ann,bo' });
    expect(env).toMatchObject({ MODE: 'organization', ACCESS_ENFORCEMENT: 'on' });
    expect([env.SERVICE_ALLOWED_ORGS, env.BOOTSTRAP_ADMINS]).toEqual([
      ['octo', 'many-2'],
      ['Ann', 'bo'],
    ]);
    expect(env.DEFAULT_GROUP).toBeUndefined();
  });

  test.each([
    ['read:org', ['read:org']],
    ['read:user user:email', ['read:user', 'user:email']],
    ['none', []],
    ['', ['read:user', 'read:org', 'repo']],
  ])('OAUTH_SCOPES=%s asks for %s', (OAUTH_SCOPES, request) => {
    expect(parseScopes(readEnv({ ...shared, OAUTH_SCOPES }))).toEqual(request);
  });

  test.each(['devops', 'security', 'dev', 'pm'])('people may begin in the group %s', (DEFAULT_GROUP) => {
    expect(readEnv({ ...shared, DEFAULT_GROUP }).DEFAULT_GROUP).toBe(DEFAULT_GROUP);
  });

  test.each(['development', 'test'])('%s needs no secret', (NODE_ENV) => {
    expect(readEnv({ NODE_ENV }).SESSION_SECRET).toBeUndefined();
  });

  test.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://127.9.9.9',
    'http://[::1]:8080',
    'https://metrics.example',
  ])('production may be at %s', (APP_URL) => {
    expect(readEnv({ ...production, APP_URL, CODEHOST_API_URL: APP_URL }).APP_URL).toBe(APP_URL);
  });

  test.each([
    'postgres://db/metrics',
    'postgresql://u:p@db/m',
    'pglite://data/db',
    'pglite:///srv/db',
    'pglite://memory',
  ])('the database may be at %s', (DATABASE_URL) => {
    expect(readEnv({ ...production, DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
  });
});

describe('is rejected, naming the variable and never its value', () => {
  const bad: [name: string, ...values: string[]][] = [
    [
      'SESSION_SECRET',
      'short',
      'x'.repeat(31),
      'x'.repeat(64),
      `${secret}-replace-me`,
      `CHANGE-THIS-${secret}`,
      `your_secret_here_${secret}`,
      `example-${secret}`,
    ],
    ['SESSION_SECRET_PREVIOUS', 'short', `${secret},short`, `${secret},${'y'.repeat(40)}`],
    ['SETTINGS_ENCRYPTION_KEY_PREVIOUS', 'short', `${'0a'.repeat(32)},short`],
    ['MODE', 'Standalone', 'bogus', 'organisation'],
    ['OAUTH_SCOPES', 'read:org, repo', 'Repo', 'read:org  repo', 'none repo1'],
    ['SERVICE_ALLOWED_ORGS', '-octo', 'octo;many', 'octo/web', 'x'.repeat(40)],
    ['DEFAULT_GROUP', 'admin', 'Dev', 'everyone'],
    ['ACCESS_ENFORCEMENT', 'true', 'false', 'ON'],
    ['NODE_ENV', 'staging'],
    ['PORT', '0', '65536', 'http', '80.5', '-1'],
    ['TRUST_PROXY_HOPS', '-1', '6', 'one'],
    ['SESSION_TTL_HOURS', '0', '721'],
    ['APP_URL', 'metrics.example', 'ftp://metrics.example', 'https://metrics.example/path', 'http://metrics.example'],
    ['CODEHOST_API_URL', 'http://codehost.example', 'codehost.example', 'http://localhost.example'],
    ['CODEHOST_GRAPHQL_URL', 'http://codehost.example/graphql'],
    ['CODEHOST_WEB_URL', 'http://127.0.0.1.example'],
    ['DATABASE_URL', 'mysql://db/m', 'postgres:db/m', 'sqlite:data.db'],
    ['DB_POOL_MAX', '0', '101'],
    ['DB_STATEMENT_TIMEOUT_MS', '999', '120001'],
    ['MIGRATE_ON_START', 'maybe'],
    ['SCHEDULER', 'on', 'cron'],
    ['SYNC_BACKFILL_DAYS', '0', '401'],
    ['SYNC_MAX_PAGES', '0', '11'],
    ['ACCESS_TOKEN_MAX_DAYS', '0', '3651'],
    ['RATE_LIMIT_SESSION_PER_MINUTE', '-1', 'many'],
    ['RATE_LIMIT_DEMO_PER_MINUTE', '-1', '1.5'],
    ['AI_DISABLED', 'maybe'],
    ['AI_TIMEOUT_MS', '999', '60001'],
    ['AI_TOTAL_BUDGET_MS', '14999', '55001'],
    ['AI_DAILY_TOKEN_BUDGET', '-1', '1.5', 'none'],
    ['OTLP_ALLOWED_HOSTS', 'https://gateway', 'two hosts'],
    ['WEBHOOK_ALLOWED_HOSTS', 'https://gateway', 'two hosts'],
    ['OTLP_OUTBOX_DAYS', '0', '31'],
    ['AI_ALLOWED_HOSTS', 'https://gateway', 'gateway/v1', 'two hosts'],
    ['ANTHROPIC_MODEL', 'two words', 'x'.repeat(121)],
    ['GEMINI_BASE_URL', 'http://gateway.acme.test/v1', 'gateway.acme.test'],
    ['OPENAI_API_KEY', 'two words'],
    ['EXPOSURE_LOG_SAMPLE', 'some'],
    ['LOG_LEVEL', 'verbose'],
  ];

  test.each(bad.flatMap(([name, ...values]) => values.map((value) => [name, value])) as [string, string][])(
    '%s=%s',
    (name, value) => {
      const sentence = problem({ ...production, [name]: value });
      expect(sentence).toContain(name);
      expect(sentence).not.toContain('\n');
      if (value.length > 5 && name !== 'MODE') expect(sentence).not.toContain(value);
    },
  );

  test.each(['DATABASE_URL', 'CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'])(
    'organization mode without %s',
    (name) => {
      expect(problem({ ...shared, [name]: '' })).toBe(`${name} must be set in organization mode`);
    },
  );

  test('organization mode without https outside this machine', () => {
    expect(problem({ ...shared, APP_URL: 'http://metrics.acme.test' })).toMatch(/^APP_URL must use https/);
  });

  test('production without a secret', () => {
    for (const source of [{}, { NODE_ENV: 'production' }, { NODE_ENV: 'production', SESSION_SECRET: '' }] as Source[])
      expect(problem(source)).toBe('SESSION_SECRET must be set');
  });

  test('everything that is wrong, at once', () => {
    const sentence = problem({ ...production, PORT: '0', LOG_LEVEL: 'verbose' });
    expect(sentence).toMatch(/^PORT .+; LOG_LEVEL .+$/);
  });
});

test('every variable is described for the table of the documentation', () => {
  const described = describeEnv();
  expect(described.map(({ name }) => name)).toContain('SESSION_SECRET');
  for (const { purpose } of described) expect(purpose).toMatch(/\.$/);
  expect(described.find(({ name }) => name === 'PORT')?.fallback).toBe(3000);
});
