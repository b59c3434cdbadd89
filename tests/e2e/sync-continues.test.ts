import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { longHistories } from './long-histories.ts';
import { getText } from './visited-site.ts';

const runs = 220;
const left = 'Sync is incomplete.';
const visit = longHistories(runs);

const stored = (page: Page) =>
  page.getByRole('table', { name: 'Sync result' }).getByRole('row').nth(1).getByRole('cell').nth(2);

test('a button goes on, until nothing is left', async () => {
  const page = await visit.pressed('empty', false, left);
  let presses = 0;
  while (await page.getByRole('button', { name: 'Continue' }).count()) {
    expect(++presses).toBeLessThan(10);
    const isLoaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Continue' }).click();
    await isLoaded;
    while (await page.getByText('Syncing.').count()) await page.getByRole('link', { name: 'Refresh' }).click();
  }
  expect(presses).toBeGreaterThan(0);
  await page.getByText('Done.').waitFor();
  expect(await stored(page).textContent()).toBe(String(runs));
  await page.context().close();
});

describe('the page says what has been read, without any script', () => {
  const read = async (query: string) =>
    getText((await visit.site.visit(`/reports?${query}`, { cookie: await visit.site.signIn() })).text);
  const sync = (repo: string) =>
    fetch(`${visit.site.url}/api/db/sync?owner=octo&repo=${repo}`, {
      method: 'POST',
      headers: bearerOf('token-ann'),
    });

  test('nothing of a repository that was never synchronized, and what would bring each kind', async () => {
    const labels = await read('repo=octo%2Fapi');
    expect(labels).toContain('No data has been synced yet.');
    expect(labels).toMatch(/Workflow runs Runs and attempts.{0,80} not synced – – – Sync now/);
    expect(labels).toMatch(/Issues .{0,60} not synced – – – when the issues page is viewed/);
    expect(labels).toMatch(/Commits of merged pull requests .{0,60} not synced – – – None. The nightly sync needs/);
  });

  test('a part of one whose first reading is not through', async () => {
    visit.lengthen('octo/no-issues', 9_500_001);
    await sync('no-issues');
    const labels = await read('repo=octo%2Fno-issues');
    expect(labels).toMatch(
      /Incomplete. Stored so far: 1 repository, runs from .{17,20} on \(Asia\/Saigon\)\. The first sync has not finished\. Data coverage/,
    );
    expect(labels).toMatch(
      /partial Runs older than \d+ \w{3} \d{4}, back to \d+ \w{3} \d{4}, have not been synced yet\./,
    );
    expect(labels).toContain('The first sync has not finished. Data coverage');
    expect(labels).not.toContain('No data has been synced yet.');
  });

  test('all of one that was read to the end, and of the owner how many', async () => {
    for (const _ of [1, 2, 3]) await sync('web');
    const labels = await read('repo=octo%2Fweb');
    expect(labels).toMatch(/Workflow runs Runs and attempts.{0,80} complete \d+ [A-Z][a-z]{2} \d{4} 2 minutes ago/);
    expect(labels).toMatch(/Synced through \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d \(Asia\/Saigon\)\. Data coverage/);
    const owner = await read('org=octo');
    expect(owner).toMatch(/Data for \d of the 9 repositories you can see\./);
    expect(owner).toMatch(/octo\/web complete 2 minutes ago none Pull requests, Commits of merged pull requests,/);
  });

  test('numbers that rest on stored facts say as of when, and lead there', async () => {
    const cookie = await visit.site.signIn();
    const { text } = await visit.site.visit('/repos/octo/web/issues', { cookie });
    expect(getText(text)).toContain('Data as of just now . Data coverage');
    expect(text).toContain('href="/reports?repo=octo%2Fweb#read"');
    expect((await visit.site.visit('/demo/repos/lumen-harbor/beacon-api/issues')).text).not.toContain('Data coverage');
    expect(await read('repo=octo%2Fweb')).toMatch(/Issues .{0,60} complete \d+ [A-Z][a-z]{2} \d{4} just now/);
  });
});
