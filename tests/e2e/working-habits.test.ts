import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namedWorld } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { aCommit, aMerge } from '../reports/habits/habit-builders.ts';
import { keepMerged } from '../store/stored-habits.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { openTestStore } from '../support/database.ts';
import { misdrawn, withoutOwnScripts, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

const day = 86_400_000;
const now = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'habits-'));
let site: Site;

const many = (count: number, login: string, lines: number) =>
  Array.from({ length: count }, () => aCommit(login, lines));

/** Of octo/web everything was read, of octo/api a half, of octo/fork and ann/dotfiles nothing yet. No other is tracked. */
async function prepared(): Promise<string> {
  const url = `pglite://${folder}`;
  const store = await openTestStore(url);
  const world = namedWorld();
  const keep = (name: string, ...merged: Parameters<typeof keepMerged>[2][number][]) =>
    keepMerged(store, repositoryOf(world, name).facts, merged, now);
  const web = await keep(
    'octo/web',
    aMerge('zoe', now - 2 * day, ...many(6, 'zoe', 12), aCommit('zoe', 900)),
    aMerge('Ada', now - 3 * day, ...many(5, 'Ada', 40), aCommit(null, 7)),
    aMerge('bo', now - 4 * day, ...many(22, 'bo', 3), aCommit('bo', 5, { additions: null })),
    aMerge('cara', now - 5 * day, ...many(9, 'cara', 500)),
  );
  const api = await keep('octo/api', aMerge('zoe', now - day, aCommit('zoe')), {
    ...aMerge('bo', now - day, aCommit('bo')),
    isRead: false,
  });
  await keep('octo/fork');
  const unread = (count: number) => ({ ...aMerge('ann', now - count * day, aCommit('ann', 900)), isRead: false });
  await keep('ann/dotfiles', ...Array.from({ length: 20 }, (_, index) => unread(1 + index)));
  await store.pullRequestCommits.readThrough(web, now - 3_600_000);
  await store.syncQueue.ended(api, 'commits', { status: 'partial', error: null, startedAt: now, finishedAt: now });
  const by = { actor: { id: null, login: 'system' }, requestId: null, now };
  await store.identity.link({ alias: 'zoe', primary: 'cara' }, by);
  await store.close();
  return url;
}

beforeAll(async () => {
  const env = { MODE: 'organization', DEFAULT_GROUP: 'dev', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  site = await startSite({ ...env, DATABASE_URL: await prepared() });
});
afterAll(async () => {
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As somebody who administers, or as bo, who is in a group that was not granted it. */
async function read(query: string, token = 'token-ann') {
  const { status, text } = await site.visit(`/working-habits${query}`, { cookie: await site.signIn(token) });
  expect(withoutOwnScripts(text)).not.toMatch(/<script|rel="modulepreload"/);
  const labels = getText(text);
  expect(labels).not.toMatch(/undefined|NaN|\[object|Invalid Date/);
  return { status, text, words: labels };
}

const namesIn = (text: string) => {
  const table = text.split('<table').find((one) => /<caption[^>]*>People, by/.test(one)) ?? '';
  return [...table.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)].map(([, cell = '']) => getText(cell).trim());
};

test('people come by name, linked accounts together, with what counts as oversized and how to change it', async () => {
  const { text, words } = await read('?repo=octo/web');
  expect(namesIn(text)).toEqual(['Ada', 'bo', 'cara also zoe', 'Kim commit author without account']);
  expect(words).toContain('more than 20 files or 400 lines, or a pull request with more than 20');
  expect(text).toContain('href="/settings/working-habits"');
  expect(words).toContain('Commits synced for 4 of 4 merged pull requests; 1 commit without size excluded from shares');
  expect(words).toMatch(/cara also zoe 2 16 1 500 62.5 % \(16\)/);
  expect(words).toMatch(/Together 4 45 /);
  expect(words).toContain('Grey rows: fewer than 5 measured commits');
  expect(words).not.toContain('Incomplete.');
});

test('another order comes by a link, and goes back to the table', async () => {
  const { text } = await read('?repo=octo/web');
  const href = /href="([^"]*people=oversized-desc[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(href).toContain('#people');
  expect(text).toContain('id="people"');
  expect(namesIn((await read(href.replace(/#.*/, ''))).text)[0]).toBe('cara also zoe');
});

test('what goes beyond a threshold leads to the platform, and everything can be had as a file', async () => {
  const { text, words } = await read('?repo=octo/web&range=90');
  expect(words).toMatch(/octo\/web#\d+ bo 3 42 23/);
  expect(text).toMatch(/href="http:[^"]+\/octo\/web\/commit\/[0-9a-f]{40}"/);
  expect(text).toMatch(/href="http:[^"]+\/octo\/web\/pull\/\d+"/);
  expect(text).toContain('href="/api/db/working-habits?owner=octo&amp;repo=web&amp;days=90&amp;format=csv"');
});

test('one person can be chosen, by any of their logins', async () => {
  expect(namesIn((await read('?repo=octo/web&login=zoe')).text)).toEqual(['cara also zoe']);
});

test('what is still to be read is said beside the numbers', async () => {
  const api = await read('?repo=octo/api');
  expect(api.words).toContain('Incomplete. Commits of 1 merged pull request will be synced in the next nights.');
  const fork = await read('?repo=octo/fork');
  expect(fork.words).toContain('Commits are synced nightly at 04:47 UTC. The first sync is incomplete');
  expect(fork.words).toContain('Merged pull requests have not been synced yet.');
  const all = await read('?org=octo');
  expect(all.words).toContain('Commits synced for 5 of 6 merged pull requests; 1 of 3 repositories fully synced');
});

test('of what was merged and never read nothing is concluded', async () => {
  const { words, text } = await read('?repo=ann/dotfiles');
  expect(words).toContain('Commits synced for 0 of 20 merged pull requests');
  expect(words).toContain('Commits of 20 merged pull requests have not been synced yet');
  expect(text).not.toMatch(/People, by|Oversized changes|Nothing above/);
  expect((await read('?repo=octo/api')).words).toMatch(/bo 1 – not synced yet – nothing to measure/);
});

test('no page of it is wider than its window', async () => {
  const browser = await sharedBrowser();
  try {
    await withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
      const places = ['repo=octo/web', 'repo=ann/dotfiles', 'org=octo&range=90'];
      expect(
        await misdrawn(
          page,
          ['', ...places].map((query) => `/working-habits?${query}`),
        ),
      ).toEqual([]);
    });
  } finally {
    await closeContexts(browser);
  }
});

test('a repository that is not synchronized has a way to do so, for whoever may', async () => {
  const mine = await read('?repo=octo/empty');
  expect(mine.words).toContain('octo/empty is not synced.');
  expect(mine.text).toContain('href="/reports?repo=octo%2Fempty#sync"');
  const theirs = await read('?repo=octo/empty', 'token-bo');
  expect(theirs.words).toContain('octo/empty is not synced yet. Ask somebody who can sync it.');
});

test('who was not granted it sees their own account, and nobody else', async () => {
  const { status, text, words } = await read('?repo=octo/web', 'token-bo');
  expect(status).toBe(200);
  expect(words).toContain('My working habits');
  expect(words).toContain('Only your account bo is shown, without linked accounts.');
  expect(words).toMatch(/bo 1 23 1 3 0 % \(22\)/);
  expect(text).not.toMatch(/zoe|Ada|cara|Kim|name="login"|settings\/working-habits|Together/);
  expect(text).toContain('/api/db/working-habits?owner=octo&amp;repo=web&amp;login=bo&amp;days=30&amp;format=csv"');
  const other = await read('?repo=octo/web&login=zoe', 'token-bo');
  expect(other.text).toContain('login=bo&amp;days=30&amp;format=csv"');
  expect(other.text.replace(/zoe/g, '')).not.toMatch(/Ada|cara|Kim/);
  expect(other.words).toMatch(/bo 1 23 1 3 0 % \(22\)/);
});

test('the sizes of all commits together come before the people', async () => {
  const { words } = await read('?repo=octo/web');
  expect(words.indexOf('Distribution of commit size')).toBeGreaterThan(0);
  expect(words.indexOf('Distribution of commit size')).toBeLessThan(words.indexOf('People, by name'));
  expect(words).toContain('n = 44 commits');
  expect(words).toContain('more than 400 lines');
  expect((await read('?repo=ann/dotfiles')).words).not.toContain('Distribution of commit size');
});

test('what cannot be seen is not found, and without a choice the first organization is shown', async () => {
  expect((await read('?repo=octo/secret', 'token-bo')).words).toContain('Not found.');
  const { words } = await read('');
  expect(words).toContain('All synced repositories of octo');
  expect(words).toContain('Distribution of commit size');
  expect((await read('?repo=octo/web&range=45')).words).toContain('Bad request.');
});
