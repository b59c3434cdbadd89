import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';
import { readWhenSynced } from '../support/synchronize.ts';

let site: Site;
let ann = '';
let bo = '';

beforeAll(async () => {
  site = await startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  ann = await site.signIn('token-ann');
  bo = await site.signIn('token-bo');
  await put('users/102/groups', { groups: ['security'] });
});

afterAll(() => site?.stop());

/** Changes something as an administrator does. */
async function put(path: string, body: object): Promise<void> {
  const answer = await fetch(`${site.url}/api/admin/${path}`, {
    method: 'PUT',
    headers: { cookie: ann, origin: site.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

const grant = (flag: string, granted: boolean) => put('permissions', { group: 'security', flag, granted });

/** The form of the start page as a browser would send it. */
async function drawnForm(path: string) {
  const { text } = await site.visit(path, { cookie: bo });
  const [drawn = ''] = /<form[^>]*aria-label="Sync".*?<\/form>/s.exec(text) ?? [];
  const action = /action="([^"]+)"/.exec(drawn)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const fields = [...drawn.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  return { action, form: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])) };
}

test('who may synchronize but has no reports does it on the start page and stays there', async () => {
  await Promise.all([grant('dataSync', true), grant('reports', false)]);
  const { action, form } = await drawnForm('/?org=octo');
  const { status, location } = await site.visit(action, { cookie: bo, form });
  expect([status, location]).toEqual([303, '/?org=octo']);
  const after = await readWhenSynced(async () => (await site.visit(location, { cookie: bo })).text);
  expect(after).toMatch(/new or changed runs in \d+ of \d+/);
  const response = await site.visit(action, { cookie: bo, form: { ...form, csrf: 'foreign' } });
  expect([response.status, response.text]).toEqual([403, expect.stringContaining('belongs to another session')]);
});

test('who has reports and may not synchronize sees no “Sync now”', async () => {
  await Promise.all([grant('dataSync', false), grant('reports', true)]);
  for (const path of ['/', '/reports']) {
    const { status, text } = await site.visit(path, { cookie: bo });
    expect([path, status, text.includes('Sync now')]).toEqual([path, 200, false]);
  }
});
