import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logAdmission, readAdmission, rememberedOwner } from '../../server/access/admission.ts';
import { ownerFile } from '../../server/access/owner-file.ts';
import { expectProblem } from '../api/endpoints.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { aDatabase } from '../support/a-database.ts';
import { postgresDatabase } from '../support/database.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

let platform: Service;
let addresses = 0;
beforeAll(async () => {
  platform = await startService();
});
afterAll(() => platform.close());

const signIn = (service: Service, pat: string) =>
  service.ask('POST', '/api/auth/setup', { body: { pat }, from: `10.5.0.${++addresses}` });
const me = async (service: Service, headers: Record<string, string>) =>
  (await service.ask('GET', '/api/auth/me', { headers })).status;
const cookieOf = (answer: { headers: Headers }) => ({
  cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
});

const badgeOfBo = {
  tokenHash: Buffer.alloc(32, 7),
  kind: 'badge',
  accountId: 102,
  login: 'bo',
  page: 'lead-time',
  params: { owner: 'octo', repo: 'web', repository_id: 1, workflow_id: null, branch: null },
  snapshot: null,
  format: null,
  passHash: null,
  expiresAt: null,
} as const;

aDatabase((given) => {
  describe('a standalone installation', () => {
    test('belongs to the first account that signs in, and admits only whom a list names beside it', async () => {
      const url = await given.address();
      const start = (logins: string) =>
        startService({ DATABASE_URL: url, STANDALONE_ALLOWED_LOGINS: logins }, platform);

      const unlisted = await start('');
      // A bearer neither reads nor claims.
      expect(await me(unlisted, bearerOf('token-bo'))).toBe(403);
      const ann = await signIn(unlisted, 'token-ann');
      expect(ann.status).toBe(200);
      const denied = await signIn(unlisted, 'token-bo');
      expectProblem(denied, 403, 'forbidden');
      expect(denied.body.error).toContain('STANDALONE_ALLOWED_LOGINS');
      expect(denied.headers.get('set-cookie')).toBeNull();
      expect(await me(unlisted, bearerOf('token-bo'))).toBe(403);
      expect(await me(unlisted, bearerOf('token-ann'))).toBe(200);
      expect(await me(unlisted, cookieOf(ann))).toBe(200);
      await unlisted.close();

      const listed = await start('carl, BO');
      const bo = await signIn(listed, 'token-bo');
      expect([bo.status, await me(listed, cookieOf(bo)), await me(listed, cookieOf(ann))]).toEqual([200, 200, 200]);
      expect(await me(listed, bearerOf('token-bo'))).toBe(200);
      await listed.close();

      const shortened = await start('carl');
      const ended = await shortened.ask('GET', '/api/auth/me', { headers: cookieOf(bo) });
      expectProblem(ended, 401, 'unauthenticated');
      expect(ended.headers.get('set-cookie')).toMatch(/^das_session=; Max-Age=0/);
      expect(await me(shortened, bearerOf('token-bo'))).toBe(403);
      expect(await me(shortened, cookieOf(ann))).toBe(200);
      await shortened.close();

      const again = await start('bo');
      const back = await signIn(again, 'token-bo');
      await again.close();
      await (await start('carl')).close();
      const relisted = await start('bo');
      expect([await me(relisted, cookieOf(bo)), await me(relisted, cookieOf(back))]).toEqual([401, 401]);
      await relisted.close();

      const open = await start('*');
      // Ended for good, though the account may sign in again.
      expect(await me(open, cookieOf(bo))).toBe(401);
      expect((await signIn(open, 'token-bo')).status).toBe(200);
      await open.close();
    });

    test('is claimed once, however many try at the same time, and follows the account, not its login', async () => {
      const { owner } = await given.open();
      const accounts = Array.from({ length: 12 }, (_, id) => ({ id: id + 1, login: `first-${id + 1}` }));
      await Promise.all(accounts.map((account) => owner.claim(account, 1000)));
      const found = await owner.find();
      expect(accounts).toContainEqual(found);
      await owner.claim({ id: 99, login: found?.login ?? '' }, 2000);
      expect(await owner.find()).toEqual(found);
    });
  });
});

// Two processes, which the embedded database does not allow.
postgresDatabase((given) => {
  test('ends the session of whom one process does not list, and leaves their badges alone', async () => {
    const url = await given.address();
    const start = (logins: string) => startService({ DATABASE_URL: url, STANDALONE_ALLOWED_LOGINS: logins }, platform);
    const [without, listing] = [await start('carl'), await start('bo')];
    const bo = cookieOf(await signIn(listing, 'token-bo'));
    const now = listing.clock.now();
    const by = { actor: { id: 102, login: 'bo' }, requestId: null, now };
    await listing.app.services.store?.shares.create({ ...badgeOfBo, createdAt: now }, 9, by);
    expect([await me(without, bo), await me(listing, bo)]).toEqual([401, 401]);
    await without.app.services.background.ended();
    expect(await listing.app.services.store?.shares.live(102, now)).toHaveLength(1);
    await Promise.all([without.close(), listing.close()]);
  });
});

test('without a list a renamed account stays the owner, and its old login opens nothing', async () => {
  const service = await startService({ DATABASE_URL: anyDatabase, STANDALONE_ALLOWED_LOGINS: '' }, platform);
  const { accounts, tokens } = platform.double.world;
  expect((await signIn(service, 'token-ann')).status).toBe(200);
  const rename = (from: string, to: string) => {
    for (const one of [...accounts, ...tokens]) if (one.login === from) one.login = to;
  };
  rename('ann', 'ann-now');
  rename('bo', 'ann');
  expect((await signIn(service, 'token-ann')).status).toBe(200);
  expect((await signIn(service, 'token-bo')).status).toBe(403);
  rename('ann', 'bo');
  rename('ann-now', 'ann');
  await service.close();
});

test('without a database the owner lies in a file that this user alone can read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'owner-'));
  const path = join(folder, '.standalone-owner');
  const service = await startService({ STANDALONE_ALLOWED_LOGINS: '' }, platform);
  service.app.services.owner = rememberedOwner(ownerFile(path));
  expect((await signIn(service, 'token-ann')).status).toBe(200);
  expect((await signIn(service, 'token-bo')).status).toBe(403);
  await Promise.all([1, 2, 3].map((id) => ownerFile(path).claim({ id, login: `later-${id}` })));
  expect(await ownerFile(path).find()).toEqual({ id: 101, login: 'ann' });
  expect([readdirSync(folder), statSync(path).mode & 0o777]).toEqual([['.standalone-owner'], 0o600]);
  writeFileSync(path, '{ "id": 101');
  service.app.services.owner = rememberedOwner(ownerFile(path));
  const unread = await signIn(service, 'token-ann');
  expectProblem(unread, 503, 'authz_unavailable');
  expect(unread.body.error).toContain('.standalone-owner is damaged');
  expect(await readAdmission({ env: service.app.services.env, owner: ownerFile(join(folder, 'new')) })).toBe('first');
  service.app.services.owner = rememberedOwner(ownerFile(join(folder, 'missing', 'file')));
  expect(await readAdmission(service.app.services)).toBe('nobody');
  const written = new PassThrough();
  await logAdmission({ ...service.app.services, log: pino(written) });
  const line = JSON.parse(String(written.read()));
  expect([line.level, line.msg]).toEqual([40, expect.stringMatching(/^nobody can sign in here: .* cannot be written/)]);
  expectProblem(await signIn(service, 'token-ann'), 503, 'authz_unavailable');
  await service.close();
  rmSync(folder, { recursive: true });
});
