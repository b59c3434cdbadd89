import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';
import { getText } from './visited-site.ts';

let site: Site;
let ann = '';
let bo = '';

const read = async (path: string, cookie = ann) => {
  const { status, text, location } = await site.visit(path, { cookie });
  return { status, text, location, words: getText(text) };
};

async function putBoInto(...groups: string[]) {
  const headers = { cookie: ann, origin: site.url, 'content-type': 'application/json' };
  const body = JSON.stringify({ groups });
  const answer = await fetch(`${site.url}/api/admin/users/102/groups`, { method: 'PUT', headers, body });
  expect(answer.status).toBe(200);
}

beforeAll(async () => {
  site = await startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  // Who signs in first looks after the others.
  ann = await site.signIn('token-ann');
  bo = await site.signIn('token-bo');
  await synchronize(site, ann, { owner: 'octo', repo: 'web' });
  await synchronize(site, ann, { owner: 'octo', repo: 'secret' });
  // The pages of a repository read what these show.
  for (const page of ['pull-requests', 'deployments', 'team']) await read(`/repos/octo/web/${page}`);
});
afterAll(() => site?.stop());

const pages = ['pull-requests', 'deployments'] as const;

describe.each(pages)('/%s', (page) => {
  test.each(['', '?org=octo'])('has every stored repository, and says what is missing: %s', async (query) => {
    const { status, text, words } = await read(`/${page}${query}`);
    expect(status).toBe(200);
    expect(text).toMatch(new RegExp(`href="/repos/octo/web/${page}[?"]`));
    expect(words).toContain('Partial data');
    expect(words).toMatch(/octo\/secret \(not loaded yet\)/);
    expect(text).toContain(`href="/api/db/${page}?`);
  });

  test('names no repository that the reader may not see', async () => {
    await putBoInto('dev');
    const { status, text } = await read(`/${page}`, bo);
    expect(status).toBe(200);
    expect(text).toContain('octo/web');
    expect(text).not.toContain('octo/secret');
  });

  test('opens for those alone who have its feature', async () => {
    await putBoInto('security');
    const refused = await read(`/${page}`, bo);
    expect(refused.status).toBe(403);
    const home = await read('/', bo);
    expect(home.text).not.toContain(`href="/${page}`);
    await putBoInto('dev');
    expect((await read('/', bo)).text).toContain(`href="/${page}`);
  });

  test('leads to the page of a repository that is chosen', async () => {
    const { status, location } = await read(`/${page}?org=octo&repo=octo%2Fweb&range=90`);
    expect([status, location]).toEqual([302, `/repos/octo/web/${page}?range=90`]);
  });

  test('says where nothing is stored', async () => {
    expect((await read(`/${page}?org=many`)).words).toContain('No repository of many has been synced yet');
  });
});

test('what was deployed, and how many failed, is in the first sentence', async () => {
  expect((await read('/deployments?org=octo')).words).toMatch(/\d+ % of \d+ deployments failed/);
});

test('merges are those of the start page', async () => {
  const merged = /Merged(?: pull requests)? (at least [\d,]+)/;
  const [own, home] = [await read('/pull-requests?org=octo'), await read('/?org=octo')];
  expect(merged.exec(own.words)?.[1]).toBe(merged.exec(home.words)?.[1]);
  expect(own.words).toContain('Open pull requests have not been read yet');
});
