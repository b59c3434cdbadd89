import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { withoutOwnScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

let site: Site;
let browser: Browser;
let ann = '';
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  browser = await sharedBrowser();
  ann = await site.signIn();
  for (const repo of ['web', 'api', 'secret']) await synchronize(site, ann, { owner: 'octo', repo });
});
afterEach(() => {
  expect(site.double.violations).toEqual([]);
  site.double.reset();
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

async function read(path: string, cookie = ann) {
  const { status, text } = await site.visit(path, { cookie });
  const labels = text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/\s+/g, ' ');
  return { status, text, words: labels };
}

describe('the team of an organization', () => {
  test('shows what the API answers over its tracked repositories', async () => {
    const response = await site.visit('/api/codehost/org-contributors?org=octo&days=30', { cookie: ann });
    const answer = JSON.parse(response.text);
    const { text, words } = await read('/team?org=octo');
    expect(words).toContain('Team of octo');
    const merged = `Merged pull requests at least ${answer.prs_merged_total} Covers 3 of 9 repositories`;
    expect(words).toMatch(new RegExp(`${merged} Merges per day, .{20,80} lowest .{1,200} 1 by bots`));
    expect(words).toContain('Pull requests of 3 of 9 repositories');
    const repositories = await read('/team?org=octo&view=repositories');
    for (const { repo, prs_merged, included } of answer.repositories)
      if (included) expect(repositories.words).toContain(`${repo} ${prs_merged} yes`);
    expect(repositories.words).toContain(
      '6 repositories not synced empty, fork, no-actions, no-issues, old, renamed-now. Sync repositories',
    );
    expect(repositories.text).toContain(
      'href="/api/codehost/org-contributors?org=octo&amp;days=30&amp;table=repositories&amp;format=csv"',
    );
    for (const { login } of answer.contributors) expect(text).toContain(`>${login}`);
    expect(repositories.text).toContain('href="/repos/octo/api/team?range=30"');
    expect(text).toContain('href="/contributor/bob?owner=octo"');
    expect(text).toContain('href="/api/codehost/org-contributors?org=octo&amp;format=csv&amp;days=30"');
    for (const metric of ['prs_merged_total', 'median_hours_to_merge', 'reviewed_before_merge', 'self_merged'])
      expect(text).toContain(`href="/explain?metric=${metric}&amp;org=octo&amp;days=30"`);
    expect(words).not.toContain('Opened');
    expect(withoutOwnScripts(text)).not.toContain('<script');
  });

  test('so do the start page, and the page of the number names the others', async () => {
    await read('/team?org=octo');
    const home = await read('/?org=octo');
    expect(home.words).toMatch(/Merged pull requests at least \d+ Covers 3 of 9 repositories/);
    expect(home.words).toMatch(/Median time to merge .{1,20} Covers 3 of 9 repositories/);
    const { words } = await read('/explain?metric=scope_prs_merged&org=octo');
    expect(words).toMatch(/Value at least \d+ Definition/);
    expect(words).toMatch(/Excluded 6 repositories .* Excluded repositories 6 of 9 .* octo\/no-issues not synced/);
    const hidden = await read('/explain?metric=scope_prs_merged&org=octo', await site.signIn('token-bo'));
    expect(hidden.words).toContain('Excluded 6 repositories');
    expect(hidden.words).not.toContain('octo/secret');
  });

  test('names no repository that the reader cannot see', async () => {
    for (const view of ['', '&view=reviews', '&view=repositories']) {
      const { words } = await read(`/team?org=octo${view}`, await site.signIn('token-bo'));
      expect(words).toContain('Covers 2 of 8 repositories');
      expect(words).not.toContain('secret');
    }
  });

  test('says that nothing was synchronized, and leads to where it is done', async () => {
    const { text, words } = await read('/team?org=many');
    expect(words).toContain('No repository of many has been synced yet');
    expect(text).toContain('href="/reports?org=many#sync"');
    expect(words).not.toContain('Merged pull requests');
  });

  test('names what is excluded and why, and says which way the numbers err', async () => {
    await synchronize(site, ann, { owner: 'octo', repo: 'fork' });
    site.double.fault({ path: '/graphql', times: 99 }, { kind: 'status', status: 502 });
    const { words } = await read('/team?org=octo');
    expect(words).toContain('1 of 4 synced repositories is excluded: counts are minimums');
    expect(words).toMatch(/fork – .*excluded: could not be loaded/);
    expect(words).toContain('3 of 9 repositories');
    site.double.reset();
    expect((await read('/team?org=octo')).words).toContain('4 of 9 repositories');
  });

  test('a choice takes the place of the other, and the window stays', async () => {
    const { text } = await read('/team?repo=octo%2Fweb&range=90');
    expect(text).toMatch(
      /name="range" value="90".*<option value="octo" selected="">.*<option value="octo\/web" selected="">/,
    );
    expect((await read('/team?repo=octo%2Fweb')).words).toContain('Last 60 closed');
    const org = await read('/team?org=octo&range=90');
    expect(org.text).toContain('<input type="hidden" name="range" value="90"/>');
    expect(org.text).toMatch(/<select id="filter-org" name="org"><option value="octo" selected="">/);
    expect(org.text.match(/class="filters"/g)).toHaveLength(1);
    expect(org.words).not.toContain('Last 60 closed');
    expect((await read('/team?org=octo&range=last-60&view=repositories')).text).toMatch(
      /Merged in 30 days(<[^>]*>)*<\/th>/,
    );
    expect((await read('/team?org=-x')).words).toContain('Bad request.');
  });

  test('exists in the demo, over all of its repositories', async () => {
    const { status, words, text } = await read('/demo/team?org=lumen-harbor', '');
    expect(status).toBe(200);
    expect(words).toContain('all 8 repositories');
    expect(text).not.toMatch(/href="\/(api|repos|reports)/);
  });
});

describe.each([true, false])('in a browser with scripts: %s', (javaScriptEnabled) => {
  test('windows and orders are a click away', async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(`${site.url}/team`);
    await page.getByLabel('Organization').selectOption('octo');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'Team of octo' }).waitFor();
    await waitForCompletePage(page);
    expect(await firstCells(page)).toEqual(['ana', 'ana-old', 'bob', 'cy']);
    await page.getByRole('link', { name: '90 days' }).click();
    await page.waitForURL(/range=90/);
    await page.getByRole('link', { name: 'Repositories' }).last().click();
    await page.getByRole('columnheader', { name: 'Merged in 90 days' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Parts of the team page' })
      .getByRole('link', { name: 'People' })
      .click();
    await page.getByRole('link', { name: 'Reviews given' }).click();
    await page.getByText('People who merged or reviewed, by reviews given').waitFor();
    await waitForCompletePage(page);
    expect((await firstCells(page))[0]).toBe('bob');
    expect(new URL(page.url()).search).toBe('?org=octo&range=90&people=reviews-desc');
    await context.close();
  });
});

const firstCells = (page: Page) =>
  page
    .getByRole('region', { name: 'People', exact: true })
    .getByRole('table')
    .first()
    .getByRole('rowheader')
    .allInnerTexts();

test('without a database it says so', async () => {
  const bare = await startSite({ DATABASE_URL: '' });
  try {
    const { text } = await bare.visit('/team?org=octo', { cookie: await bare.signIn() });
    expect(text).toContain('This needs a database');
    expect(text).not.toContain('Merged pull requests');
  } finally {
    await bare.stop();
  }
});
