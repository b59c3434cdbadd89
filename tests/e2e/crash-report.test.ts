import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSiteProcess } from '../support/site.ts';

test('a report about the process holds no secret of its environment, and no access token', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const METRICS_TOKEN = 'n2Vb84kQwe7RtYu1opAs3dFgHjKlZx9c';
  const site = await startSiteProcess({
    METRICS_TOKEN,
    NODE_OPTIONS: `--report-on-signal --report-directory=${folder}`,
  });
  onTestFinished(() => site.stop());
  const cookie = await site.signIn('token-ann');
  const made = await fetch(`${site.url}/api/tokens`, {
    method: 'POST',
    headers: { cookie, origin: site.url, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Reported', features: [] }),
  });
  const { token } = (await made.json()) as { token: string };
  const me = await fetch(`${site.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(me.status).toBe(200);
  process.kill(site.pid, 'SIGUSR2');
  await expect.poll(() => readdirSync(folder).length, { timeout: 20_000 }).toBe(1);
  const written = () => readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
  await expect.poll(() => written().trimEnd().endsWith('}'), { timeout: 20_000 }).toBe(true);
  const report = written();
  expect(report).toContain('javascriptStack');
  for (const secret of [METRICS_TOKEN, token, 'token-ann', 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo'])
    expect(report).not.toContain(secret);
});
