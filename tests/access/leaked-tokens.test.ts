import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { createLog } from '../../server/platform/log.ts';
import { anyDatabase, startService } from '../support/service.ts';
import { address, doors } from './doors.ts';
import { makeToken, ownBearer } from './made-token.ts';

test('whatever is asked with tokens, none stands in an answer, in the log or in the database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leaked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const service = await startService({ DATABASE_URL: anyDatabase, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  onTestFinished(() => service.close());
  const { services } = service.app;
  services.log = createLog('debug', join(folder, 'log'));
  await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
  const personal = (await makeToken(service, 'token-ann', tokenFeatures)).token;
  const feed = (await makeToken(service, 'token-ann', tokenFeatures, { kind: 'feed' })).token;
  const share = async (body: object) =>
    (await service.ask('POST', '/api/shares', { as: 'token-ann', body })).body.token;
  const badge = await share({ badge: { kind: 'lead-time', owner: 'octo', repo: 'web' }, expires_in_days: 30 });
  const link = await share({ page: '/repos/octo/web/deployments' });
  const tokens: string[] = [personal, feed, badge, link];
  for (const token of tokens) expect(token).toMatch(/^das[a-z]_[0-9A-Za-z]{49}$/);

  const answers: string[] = [];
  const ask = async (method: string, path: string, token: string) => {
    const body = method === 'GET' ? undefined : { name: token };
    const { text, headers } = await service.ask(method, path, { headers: ownBearer(token), body });
    answers.push(text, JSON.stringify([...headers]));
  };
  for (const door of doors) await ask(door.method, address(door), personal);
  for (const token of tokens) {
    await ask('GET', '/api/auth/me', token);
    await ask('GET', `/api/feeds/alerts.atom?t=${token}`, token);
    await ask('GET', `/api/badges/lead-time.svg?owner=octo&repo=web&t=${token}`, token);
    await ask('GET', `/api/${token}`, token);
    await ask('POST', '/api/mcp', token);
  }
  const tables = await services.store?.queue.executeSql(`select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  const dump: string[] = [];
  for (const { relname } of (tables?.rows ?? []) as { relname: string }[])
    dump.push(JSON.stringify((await services.store?.queue.executeSql(`select * from ${relname}`))?.rows));
  const log = readFileSync(join(folder, 'log'), 'utf8');
  expect(log).toContain('/api/auth/me');
  expect(dump.join('')).toContain('token.created');
  for (const place of [answers.join('\n'), log, dump.join('\n')])
    for (const token of tokens) expect(place.includes(token)).toBe(false);
});
