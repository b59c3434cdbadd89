import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costlyRepository } from '../reports/workflow-cost/costly-repository.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { type CountedActions, countActions } from '../support/counted-actions.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

const minute = 60_000;
const hour = 60 * minute;

let site: Site;
let browser: Browser;
let ann = '';
let bo = '';
/** What the page said before anything was synced. */
let unsynced = '';
/** What it said of waste before any job was stored. */
let unpriced = '';

const read = async (path: string, cookie = ann) => {
  const { status, text } = await site.visit(path, { cookie });
  return { status, text, content: getText(text) };
};

const post = async (method: 'POST' | 'PUT', path: string, body?: object) => {
  const headers = { cookie: ann, origin: site.url, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${site.url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  expect(answer.status, path).toBe(200);
};

const putBoInto = (...groups: string[]) => post('PUT', '/api/admin/users/102/groups', { groups });

beforeAll(async () => {
  [site, browser] = await Promise.all([
    startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' }),
    sharedBrowser(),
  ]);
  // Who signs in first looks after the others.
  ann = await site.signIn('token-ann');
  bo = await site.signIn('token-bo');
  const now = Date.now();
  // Twenty runs of forty minutes, of which two passed only when they were run again.
  const run = costlyRepository({ double: site.double, clock: { now: () => now } });
  for (let id = 1; id <= 20; id++) {
    const createdAt = now - (20 + 5 * id) * hour;
    const parts = {
      createdAt,
      startedAt: createdAt,
      updatedAt: createdAt + 40 * minute,
      headSha: `${id}`.padEnd(40, 'a'),
    };
    if (id > 2) run(id, parts, { minutes: 40 });
    else {
      run(id, { ...parts, conclusion: 'failure' }, { minutes: 20 });
      const again = createdAt + hour;
      run(id, { ...parts, attempt: 2, startedAt: again, updatedAt: again + 40 * minute }, { minutes: 40 });
    }
  }
  unsynced = (await read('/ci?org=octo')).content;
  await post('POST', '/api/db/sync?owner=octo&repo=web');
  await post('POST', '/api/db/sync?owner=octo&repo=costly');
  unpriced = (await read('/ci?view=waste&org=octo')).content;
  // Opening the cost of a workflow stores its jobs.
  await read('/api/codehost/workflow-cost?owner=octo&repo=costly&workflow_id=9001');
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

describe.each([
  { way: 'with scripts', javaScriptEnabled: true },
  { way: 'without scripts', javaScriptEnabled: false },
])('a team lead $way, from the start page', ({ javaScriptEnabled }) => {
  const withHome = async (use: (visitor: CountedActions) => Promise<void>) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1440, height: 900 } });
    try {
      await site.signInBrowser(context, 'token-ann');
      const visitor = countActions(await context.newPage());
      await visitor.page.goto(site.url);
      await use(visitor);
    } finally {
      await context.close();
    }
  };
  const getTable = (page: Page) => page.getByRole('region', { name: 'Workflows', exact: true }).getByRole('table');

  test('sees in two clicks why CI is slow, and goes on to the jobs in a third', () =>
    withHome(async ({ page, follow, actions }) => {
      await follow('CI');
      await follow('Why is CI slow');
      expect(actions()).toBeLessThanOrEqual(2);
      const table = getTable(page);
      expect(await table.getByRole('columnheader').nth(1).textContent()).toContain('p90');
      expect(await table.getByRole('rowheader').allTextContents()).toEqual([
        'CIocto/web',
        'CIocto/costly',
        'Deployocto/web',
      ]);
      const answer = getText((await page.locator('.page-head > p').innerHTML()) ?? '');
      expect(answer).toContain('Slowest (20+ runs): CI (octo/costly), p90 40 min .');
      expect(answer).toContain('Most run time: CI (octo/costly), 68 % of all.');
      await page.getByRole('figure', { name: 'Run duration' }).waitFor();
      await page.getByRole('img', { name: /^Duration by day/ }).waitFor();
      await page.locator('.page-head > p').getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: 'CI' }).waitFor();
      expect(page.url()).toBe(`${site.url}/repos/octo/costly/workflows/9001?tab=performance`);
    }));

  test('sees in two clicks what wastes money', () =>
    withHome(async ({ page, follow, actions }) => {
      await follow('CI');
      await follow('What wastes money');
      expect(actions()).toBeLessThanOrEqual(2);
      const table = getTable(page);
      const head = await table.getByRole('columnheader').allTextContents();
      expect(head.slice(0, 3)).toEqual(['Workflow', 'Wasted/month', 'Cost/month']);
      const first = (await table.getByRole('row').nth(1).textContent()) ?? '';
      // Twenty runs of forty minutes and two attempts of twenty, at $0.006.
      expect(first).toMatch(/^CIocto\/costly\$0\.24\$5\.04/);
      expect(getText(await page.locator('.page-head > p').innerHTML())).toContain(
        'Most wasted: CI (octo/costly), $0.24 /month.',
      );
      const bars = page.getByRole('figure', { name: 'Estimated waste per month' });
      expect(await bars.textContent()).toContain('$0.24 of $5.04');
      const cost = page.getByRole('article', { name: 'Cost/month' });
      expect(await cost.textContent()).toMatch(/at least \$5\.04.*20 of 32\scompleted runs/);
    }));

  test('sorts by a column, filters by a form, and goes back', () =>
    withHome(async ({ page, follow }) => {
      await follow('CI');
      await getTable(page).getByRole('link', { name: 'Failure rate' }).click();
      await waitForCompletePage(page);
      expect(page.url()).toBe(`${site.url}/ci?sort=failure_rate`);
      expect(await getTable(page).getByRole('rowheader').first().textContent()).toBe('Deployocto/web');
      await getTable(page).getByRole('link', { name: 'Failure rate' }).click();
      await waitForCompletePage(page);
      expect(page.url()).toBe(`${site.url}/ci?sort=failure_rate-asc`);
      expect(await getTable(page).getByRole('rowheader').first().textContent()).not.toBe('Deployocto/web');
      await page.goBack();
      await waitForCompletePage(page);
      await page.getByLabel('Repository').selectOption('octo/costly');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('heading', { level: 1, name: 'CI of octo/costly' }).waitFor();
      await waitForCompletePage(page);
      expect(new URL(page.url()).searchParams.get('sort')).toBe('failure_rate');
      expect(await getTable(page).getByRole('rowheader').count()).toBe(1);
      await page.goBack();
      await waitForCompletePage(page);
      expect(await getTable(page).getByRole('rowheader').count()).toBe(3);
    }));
});

describe.each([true, false])('a name in the address, scripts %s', (javaScriptEnabled) => {
  test('narrows the table alone, on a phone too, and can be taken back', async () => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    try {
      await site.signInBrowser(context, 'token-ann');
      const page = await context.newPage();
      await page.goto(`${site.url}/ci?org=octo&sort=name`);
      await waitForCompletePage(page);
      const rows = page.locator('#rows').getByRole('rowheader');
      expect(await rows.count()).toBe(3);
      const figures = await page.getByRole('article').allTextContents();
      await page.getByRole('searchbox', { name: 'Name' }).fill('deploy');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('heading', { name: 'Totals of all workflows' }).waitFor();
      await waitForCompletePage(page);
      expect(page.url()).toBe(`${site.url}/ci?org=octo&sort=name&q=deploy#rows`);
      expect(await rows.allTextContents()).toEqual(['Deployocto/web']);
      expect(await page.locator('#rows').textContent()).toMatch(/1 of 3\sworkflows\. Figures above are of all\./);
      expect(await page.getByRole('article').allTextContents()).toEqual(figures);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await page.goto(`${site.url}/ci?org=octo&q=${encodeURIComponent('"><script>alert(1)</script>')}`);
      await page.getByText('No workflows match “"><script>alert(1)</script>”.').waitFor();
      await page.getByRole('link', { name: 'Clear filter' }).click();
      await waitForCompletePage(page);
      expect(await rows.count()).toBe(3);
    } finally {
      await context.close();
    }
  });
});

describe('the page says', () => {
  test('that nothing is synced, and what to do', () => {
    expect(unsynced).toContain('No repository of octo has been synced yet. Sync repositories');
  });

  test('that cost is not known, and where job data comes from', () => {
    expect(unpriced).toContain('Cost is not known yet: sync reads job data in the background');
    expect(unpriced).toContain('No job data yet.');
    expect(unpriced).not.toContain('$0.00');
  });

  test('that there was no run in the range', async () => {
    await post('POST', '/api/db/sync?owner=octo&repo=empty');
    const { content } = await read('/ci?repo=octo/empty');
    expect(content).toContain('No runs in this range in 1 synced repository. Show 90 days');
    expect((await read('/ci?repo=octo/empty&range=90')).content).not.toContain('Show 90 days');
  });

  test('how much of the scope is synced, and gives its rows as a file', async () => {
    const { text, content } = await read('/ci?org=octo&sort=p90');
    expect(content).toMatch(/3 of 10 repositories synced *Last synced .* ago/);
    const csv = /href="(\/api\/db\/workflows[^"]*sort=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(csv).toBe('/api/db/workflows?range=30&compare=previous&sort=p90&direction=desc&format=csv&org=octo');
    expect((await read(csv)).text).toContain('octo/costly,9001,CI,20,');
  });

  test('what is wrong with a question', async () => {
    const page = await read('/ci?sort=price');
    expect([page.status, page.content]).toEqual([400, expect.stringContaining('Bad request.')]);
    for (const q of ['a'.repeat(101), '%00', '%0a'.repeat(3)])
      expect((await read(`/ci?q=${q}`)).status, q).toBe(q.startsWith('%0a') ? 200 : 400);
  });
});

describe('cost', () => {
  test('is shown to nobody without its feature, and the page says so', async () => {
    await putBoInto('dev');
    const { status, content } = await read('/ci?org=octo', bo);
    expect(status).toBe(200);
    expect(content).toContain('Deploy octo/web');
    expect(content).not.toMatch(/\$|What wastes money|Wasted|Cost/);
    const waste = await read('/ci?view=waste&org=octo', bo);
    expect(waste.content).toContain('Cost is not available. It shows what workflows cost and waste.');
    expect(waste.content).not.toContain('$');
  });

  test('is not shown to those who hide it', async () => {
    const { content } = await read('/ci?view=waste&org=octo', `${ann}; das_prefs=costAnalytics`);
    expect(content).toContain('Cost is hidden by your settings.');
    expect(content).not.toContain('$');
  });

  test('and the page does not open for those without stored runs', async () => {
    await putBoInto('security');
    const { status, content } = await read('/ci?org=octo', bo);
    expect([status, content]).toEqual([403, expect.stringContaining('not granted')]);
  });
});

test('at 1440 by 900 the first drawing and the answer are in sight', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  for (const path of ['/demo/ci', '/demo/ci?view=slow', '/demo/ci?view=waste']) {
    await page.goto(`${site.url}${path}`);
    const figure = await page.getByRole('figure').first().boundingBox();
    expect(figure?.y, path).toBeLessThan(420);
  }
  await context.close();
});
