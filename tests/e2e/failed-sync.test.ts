import { expect, test } from 'vitest';
import { readWhenSynced } from '../support/synchronize.ts';
import { getText, visitSite } from './visited-site.ts';

const visit = visitSite();

const readCsrf = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** Presses “Sync now” on the overview, and reads that when it has ended. */
async function press(): Promise<string> {
  const { text } = await visit.read('/');
  const form = { intent: 'sync', csrf: readCsrf(text) };
  const { location } = await visit.site.visit('/?index', { cookie: visit.ann, form });
  expect(location).toBe('/');
  return readWhenSynced(async () => (await visit.read('/')).text);
}

test('a first sync that failed says so on the overview, with the reason', async () => {
  visit.site.double.fault({ path: /\/actions\/runs/, times: 1_000_000 }, { kind: 'status', status: 403 });
  const text = await press();
  expect(getText(text)).toMatch(/Sync is incomplete|Incomplete\./);
  expect(getText(text)).toMatch(/Failed: \d+ repositories\. \S+/);
  expect(text).toContain('href="/reports#sync"');
  expect(getText(text)).toContain('Sync now');
});

test('one that succeeded leaves no sentence', async () => {
  const content = getText(await press());
  expect(content).not.toMatch(/Failed: \d+ repositor/);
  expect(content).not.toContain('new or changed runs in');
});
