import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';
import { type Service, startService } from '../support/service.ts';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** As a first start writes it. */
const written = `# Never commit it.
SESSION_SECRET=${randomBytes(32).toString('hex')}

# Encrypts stored keys.
SETTINGS_ENCRYPTION_KEY=${randomBytes(32).toString('hex')}

DATABASE_URL=pglite://data/db
`;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder with this `.env`. */
function folderWith(text: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'rotation-'));
  folders.push(folder);
  if (text !== null) writeFileSync(join(folder, '.env'), text, { mode: 0o600 });
  return folder;
}

function rotate(folder: string) {
  const script = join(root, scripts['rotate-secrets'].replace('node ', ''));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const valuesIn = (folder: string) => parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>;

describe('npm run rotate-secrets', () => {
  test('replaces both secrets, keeps the earlier ones, and leaves all else as it is', () => {
    const folder = folderWith(written);
    const before = valuesIn(folder);
    expect(rotate(folder)).toMatchObject({ status: 0, stderr: '' });
    const once = valuesIn(folder);
    expect(once.SESSION_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(once.SESSION_SECRET).not.toBe(before.SESSION_SECRET);
    expect(once.SETTINGS_ENCRYPTION_KEY).not.toBe(before.SETTINGS_ENCRYPTION_KEY);
    expect(once).toEqual({
      ...before,
      SESSION_SECRET: once.SESSION_SECRET,
      SESSION_SECRET_PREVIOUS: before.SESSION_SECRET,
      SETTINGS_ENCRYPTION_KEY: once.SETTINGS_ENCRYPTION_KEY,
      SETTINGS_ENCRYPTION_KEY_PREVIOUS: before.SETTINGS_ENCRYPTION_KEY,
    });
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['.env']);

    for (let times = 0; times < 3; times++) rotate(folder);
    const earlier = valuesIn(folder).SESSION_SECRET_PREVIOUS?.split(',') ?? [];
    expect(earlier).toHaveLength(3);
    expect(earlier).toContain(once.SESSION_SECRET);
    expect(earlier).not.toContain(before.SESSION_SECRET);
  });

  test('keeps a secret whole that was written by hand', () => {
    const odd = `it's #1 of "many" secrets & $1 $& $\``.replace('`', '');
    const folder = folderWith(`export SESSION_SECRET = \`${odd}\`\n# SESSION_SECRET=another\nPORT=4000`);
    expect(rotate(folder).status).toBe(0);
    expect(valuesIn(folder)).toEqual({
      SESSION_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
      SESSION_SECRET_PREVIOUS: odd,
      PORT: '4000',
    });
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('\n# SESSION_SECRET=another\n');
  });

  test.each(['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS'])(
    'refuses where %s is set twice, of which the last counts',
    (name) => {
      const text = `${written}${name}=one\n${name}=another\n`;
      const folder = folderWith(text);
      expect(rotate(folder)).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining(`${name} is set more than once: leave one line, and try again.`),
      });
      expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(text);
    },
  );

  test.each([null, 'PORT=4000\n'])('says what to do by hand where there are no secrets: %j', (text) => {
    const folder = folderWith(text);
    expect(rotate(folder)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There are no secrets in \.env here\. Set SESSION_SECRET and /),
    });
    expect(text === null || readFileSync(join(folder, '.env'), 'utf8') === text).toBe(true);
  });
});

eachDatabase((given) => {
  test('sessions and stored keys open after a rotation, and stored keys without the earlier secrets too', async () => {
    const folder = folderWith(written);
    const DATABASE_URL = await given.address();
    const withSecrets = () => {
      const { SESSION_SECRET = '', SETTINGS_ENCRYPTION_KEY = '', ...rest } = valuesIn(folder);
      const { SESSION_SECRET_PREVIOUS = '', SETTINGS_ENCRYPTION_KEY_PREVIOUS = '' } = rest;
      const earlier = { SESSION_SECRET_PREVIOUS, SETTINGS_ENCRYPTION_KEY_PREVIOUS };
      return { MODE: 'organization', DATABASE_URL, SESSION_SECRET, SETTINGS_ENCRYPTION_KEY, ...earlier };
    };
    const first = await startService(withSecrets());
    const cookie = await first.signIn('token-ann');
    const write = (path: string, body: object) => first.ask('PUT', path, { headers: { cookie }, body });
    expect(
      (await write('/api/settings/ai', { enabled: true, provider: 'openai', api_key: 'sk-0123456789' })).status,
    ).toBe(200);
    const email = { enabled: true, provider: 'resend', from_address: 'a@codehost.example', api_key: 're-0123456789' };
    expect((await write('/api/settings/email', email)).status).toBe(200);
    await first.app.close();

    rotate(folder);
    const second = await startService(withSecrets(), first);
    expect(await keysThatOpen(second, cookie)).toEqual({ ai: ['openai'], email: 'resend' });
    await second.app.close();

    const third = await startService(
      { ...withSecrets(), SETTINGS_ENCRYPTION_KEY_PREVIOUS: '', SESSION_SECRET_PREVIOUS: '' },
      first,
    );
    expect((await third.ask('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(401);
    expect(await keysThatOpen(third, await third.signIn('token-ann'))).toEqual({ ai: ['openai'], email: 'resend' });
    await third.app.close();
    await first.double.close();
  });
});

/** The providers whose saved key opens. */
async function keysThatOpen(service: Service, cookie: string) {
  const read = async (path: string) => (await service.ask('GET', path, { headers: { cookie } })).body;
  const [ai, email] = [await read('/api/ai/status'), await read('/api/settings/email')];
  return { ai: ai.providers, email: email.effective_provider };
}
