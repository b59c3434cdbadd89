import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { describeEnv, readEnv } from '../server/platform/env.ts';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile');
/** The last stage, which becomes the image. */
const shipped = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ')).split('\n');

interface Service {
  ports?: string[];
  volumes?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period: string;
  [key: string]: unknown;
}

const { services } = load(read('compose.yaml')) as { services: Record<string, Service> };
const { app, postgres } = services as { app: Service; postgres: Service };

/** The text as `docker compose` fills it in; throws what it would refuse with. */
const filled = (value: string, env: Record<string, string>) =>
  value.replace(/\$\{(\w+):([-?])([^{}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    if (env[name]) return env[name];
    if (kind === '?') throw new Error(rest);
    return rest;
  });

test('has an address that the service takes, whatever is published', () => {
  const at = (env: Record<string, string>) => filled(app.environment.APP_URL ?? '', env);
  for (const PUBLISHED_PORT of ['', '8080', '3000-3001', '127.0.0.1:3000', '[::1]:8080']) {
    expect(readEnv({ NODE_ENV: 'test', APP_URL: at({ PUBLISHED_PORT }) }).APP_URL).toBe('http://localhost:3000');
  }
  expect(at({ PUBLISHED_PORT: '8080', APP_URL: 'https://delivery.example' })).toBe('https://delivery.example');
  const lines = read('compose.yaml').split('\n');
  const above = lines[lines.findIndex((line) => line.trim().startsWith('APP_URL:')) - 1];
  expect(above).toMatch(/# .*PUBLISHED_PORT needs it\.$/);
});

test('starts the service after its database, and nothing else', () => {
  expect(Object.keys(services)).toEqual(['app', 'postgres']);
  expect(app.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  expect(filled(app.ports?.[0] ?? '', {})).toBe('3000:3000');
});

test('may run any number of processes of the service: none has a name, a port or a file of its own', () => {
  expect(app).not.toHaveProperty('container_name');
  expect(app).not.toHaveProperty('hostname');
  expect(app.volumes ?? []).toEqual([]);
  expect(filled(app.ports?.[0] ?? '', { PUBLISHED_PORT: '3000-3001' })).toBe('3000-3001:3000');
});

test('gives every process the same secrets and the same PostgreSQL', () => {
  expect(() => filled(app.environment.SESSION_SECRET ?? '', {})).toThrow('set SESSION_SECRET');
  const address = new URL(filled(app.environment.DATABASE_URL ?? '', { POSTGRES_PASSWORD: 'abc123' }));
  expect([address.protocol, address.hostname, address.password]).toEqual(['postgres:', 'postgres', 'abc123']);
  expect(address.username).toBe(postgres.environment.POSTGRES_USER);
  expect(address.pathname).toBe(`/${postgres.environment.POSTGRES_DB}`);
});

/** The image sets them: its ports and its health check rest on them. */
const ofImage = ['NODE_ENV', 'PORT', 'HOST'];

test('hands on every variable that the service reads, and no other', () => {
  const names = describeEnv().map(({ name }) => name);
  expect(Object.keys(app.environment).sort()).toEqual(names.filter((name) => !ofImage.includes(name)).sort());
  for (const name of ofImage) expect(shipped.join('\n')).toMatch(new RegExp(`^ENV .*\\b${name}=`, 'm'));
});

test('hands a variable on as it was given; one that was not given has its default', () => {
  const required = { SESSION_SECRET: 'a1', SETTINGS_ENCRYPTION_KEY: 'b2', POSTGRES_PASSWORD: 'c3' };
  const { DATABASE_URL: _, ...handedOn } = app.environment;
  const names = Object.keys(handedOn);
  const given = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  for (const name of names) expect(filled(handedOn[name] ?? '', given)).toBe(given[name]);
  const fallback = new Map(describeEnv().map((one) => [one.name, one.fallback]));
  for (const name of names) {
    const value = filled(handedOn[name] ?? '', required);
    if (value !== '' && !(name in required)) expect(value, name).toBe(`${fallback.get(name)}`);
  }
});

test('gives a process no right, no writable disk but /tmp, and a user of its own', () => {
  expect(app).toMatchObject({
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  for (const right of ['privileged', 'cap_add', 'user', 'pid', 'network_mode', 'devices'])
    expect(app).not.toHaveProperty(right);
  expect(shipped.filter((line) => line.startsWith('USER '))).toEqual(['USER 1001:1001']);
});

test('ships what runs: no tests, no development packages, no history and no secrets', () => {
  const sources = shipped.filter((line) => line.startsWith('COPY ')).map((line) => line.split(' ').at(-2));
  expect(sources).toEqual([
    'package.json',
    '/app/node_modules',
    '/app/build',
    'public',
    'server',
    'migrations',
    'app/routes/docs/content',
  ]);
  expect(dockerfile).toContain('RUN npm ci --omit=dev --omit=optional');
  const left = read('.dockerignore').split('\n');
  expect(left).toEqual(expect.arrayContaining(['.git', '.env', '.env.*', 'data', 'tests']));
});

test('leaves a process the time to come to its end', () => {
  expect(app.stop_grace_period).toBe('30s');
});
