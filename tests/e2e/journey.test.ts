import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { duration } from '../../server/domain/quantity.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { type Site, startSite } from '../support/site.ts';

/** What the API has beside medians and their p90. */
const withoutCard = new Set(['Average duration', 'Duration, p95', 'Average queue wait']);
/** A p90 stands in the card of its median. */
const cardOfP90 = new Map([
  ['Duration, p90', 'Median duration'],
  ['Queue wait, p90', 'Queue wait'],
]);

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

describe.each([
  { way: 'with scripts', scripts: true, repository: 'web', run: '5010', address: '10.0.2.1' },
  { way: 'without scripts', scripts: false, repository: 'api', run: '5206', address: '10.0.2.2' },
])('a newcomer $way', ({ scripts, repository, run, address }) => {
  const name = `octo/${repository}`;
  const scope = `owner=octo&repo=${repository}`;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    context = await browser.newContext({
      javaScriptEnabled: scripts,
      extraHTTPHeaders: { 'x-forwarded-for': address },
      viewport: { width: 1440, height: 900 },
    });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // A rejected form is answered with its status, which the browser reports too.
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
  });

  afterAll(() => context?.close());

  beforeEach(({ task, skip }) => {
    const earlier = task.suite?.tasks ?? [];
    if (earlier.some(({ result }) => result?.state === 'fail')) skip('an earlier step of the journey failed');
  });

  const heading = (title: string | RegExp) => page.getByRole('heading', { level: 1, name: title });
  const follow = (label: string | RegExp) => page.getByRole('link', { name: label, exact: true }).first().click();
  const arriveAt = async (title: string | RegExp) => {
    await heading(title).waitFor();
    await waitForCompletePage(page);
  };
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely by tests.
  const ask = async (path: string): Promise<any> => {
    const answer = await context.request.get(`${site.url}${path}`);
    expect(answer.status(), path).toBe(200);
    return answer.json();
  };

  test('looks around in the demo, down to the jobs of a run', async () => {
    await page.goto(site.url);
    await arriveAt('Sign in with a GitHub token');
    await follow('Try the demo');
    await arriveAt('Overview');
    expect(await page.getByRole('note').first().textContent()).toContain('Sample data.');
    await follow('All repositories');
    await arriveAt('Repositories');
    const attention = await page.locator('tbody tr td:nth-child(2)').allTextContents();
    expect(attention[0]).toMatch(/^\s*failing/);
    await page.getByRole('rowheader').getByRole('link').first().click();
    await arriveAt(/^lumen-harbor\//);
    await page.getByRole('table', { name: 'Workflows' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('table', { name: 'Runs' }).getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('heading', { name: /^Jobs of run #\d+/ }).waitFor();
    expect(await page.getByRole('region', { name: /^Jobs of run/ }).textContent()).toMatch(/\d+\sjobs?, \d+ failed/);
    expect(new URL(page.url()).pathname).toMatch(/^\/demo\/repos\/lumen-harbor\//);
  });

  test('signs in, after a token that was wrong, and comes back to the page wanted', async () => {
    await page.goto(`${site.url}/repos/${name}?from=mail`);
    await arriveAt('Sign in with a GitHub token');
    expect(new URL(page.url()).searchParams.get('return_to')).toBe(`/repos/${name}?from=mail`);
    const field = page.getByLabel('Token', { exact: true });
    await field.fill('wrong-token-of-nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('GitHub rejected this token.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described?.split(' ')[0]}"]`).textContent()).toContain('rejected this token');
    expect(await field.inputValue()).toBe('');
    expect(await page.content()).not.toContain('wrong-token-of-nobody');
    await field.fill('token-ann');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await arriveAt(name);
    expect(page.url()).toBe(`${site.url}/repos/${name}?from=mail`);
  });

  test('sees the repositories that need attention first', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Repositories' }).click();
    await arriveAt('Repositories');
    const shown = await page.getByRole('rowheader').getByRole('link').allTextContents();
    const { items } = await ask('/api/codehost/repo-attention');
    expect(shown).toEqual(items.map((one: { repository: { full_name: string } }) => one.repository.full_name));
    expect(shown[0]).toBe('octo/api');
    const levels = items.map((one: { attention: { level: string } }) => one.attention.level);
    const order = ['failing', 'slowing', 'active', 'quiet', 'archived'];
    expect(levels).toEqual(levels.toSorted((a: string, b: string) => order.indexOf(a) - order.indexOf(b)));
  });

  test('opens a repository and its workflow, and reads how a number came about', async () => {
    await follow(name);
    await arriveAt(name);
    await page.getByRole('table', { name: 'Workflows' }).getByRole('link', { name: 'CI' }).click();
    await arriveAt('CI');
    const [, id] = /\/workflows\/(\d+)/.exec(page.url()) ?? [];
    const health = await ask(`/api/codehost/workflow-health?${scope}&workflow_id=${id}`);
    for (const { label, value, unit, sample, definition } of health.measurements) {
      if (withoutCard.has(label)) continue;
      const card = page.getByRole('article', { name: cardOfP90.get(label) ?? label, exact: true });
      const text = (await card.textContent())?.replaceAll('\u00a0', ' ');
      expect(text).toContain(`from ${sample} `);
      expect(text).toContain(unit === 'milliseconds' ? duration(value).replaceAll('\u00a0', ' ') : String(value));
      if (cardOfP90.has(label)) continue;
      expect(await card.getByText(definition).isVisible()).toBe(false);
      await card.locator('summary').click();
      expect(await card.getByText(definition).isVisible()).toBe(true);
    }
  });

  test('opens the jobs of a run below the list', async () => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('link', { name: `#${run}`, exact: true }).click();
    const jobs = page.getByRole('region', { name: `Jobs of run #${run}` });
    await jobs.waitFor();
    const answer = await ask(`/api/codehost/run-details?${scope}&run_id=${run}`);
    await jobs.getByText('Show as table').click();
    for (const { name: job, duration_ms } of answer) {
      const row = jobs.getByRole('row').filter({ has: page.getByRole('rowheader', { name: job, exact: true }) });
      expect(await row.first().textContent()).toContain(duration(duration_ms));
    }
  });

  test('keeps the runs and is shown what came of it', async () => {
    await page.goBack();
    await page.goto(`${site.url}/repos/${name}`);
    await follow('Trends');
    await arriveAt(`Reports of ${name}`);
    await page.getByText('No data has been synced yet.').first().waitFor();
    await waitForCompletePage(page);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page
      .getByText(/Syncing\.|new or changed runs/)
      .first()
      .waitFor();
    while (await page.getByText('Syncing.').count())
      await page
        .getByRole('link', { name: 'Refresh' })
        .click({ timeout: 2000 })
        .catch(() => undefined);
    const result = page.getByRole('table', { name: 'Sync result' });
    await result.waitFor();
    await waitForCompletePage(page);
    expect(await page.getByRole('status').filter({ hasText: 'Done.' }).textContent()).toMatch(
      /^Done\. \d+ new or changed runs in 1 of 1 repositories/,
    );
    expect(await result.getByRole('row').nth(1).textContent()).toMatch(new RegExp(`^${name} ?complete`));
  });

  test('sees the numbers of the answers in the charts and tables', async () => {
    const daily = await ask(`/api/db/trends?${scope}&type=daily&range=30`);
    expect(daily.data.some((day: { total: number | null }) => day.total)).toBe(true);
    const rows = await tableFallback('Runs per day');
    expect(rows).toHaveLength(daily.data.length);
    for (const [index, day] of daily.data.entries()) {
      const wanted = day.total === null ? null : [day.failure, day.success, day.cancelled + day.other].map(String);
      // Behind these, the marks of the day.
      expect(rows[index]?.slice(1, 4), day.date).toEqual(wanted ?? ['no data', 'no data', 'no data']);
    }
    const durations = (await tableFallback('Duration of completed runs'))
      .flat()
      .map((text) => text.replace(' (partial)', ''));
    for (const { median_duration_ms: typical, p90_duration_ms: slow } of daily.data)
      for (const one of [typical, slow]) if (one !== null) expect(durations).toContain(`≈ ${duration(one)}`);
    const quarterly = await ask(`/api/db/trends?${scope}&type=quarterly`);
    const quarters = await texts('Runs by quarter');
    const since = quarterly.data.findIndex(({ total }: { total: number | null }) => total !== null);
    expect(quarters.map(([, total, failed]) => [total, failed])).toEqual(
      quarterly.data
        .slice(since)
        .map(({ total, failure }: { total: number; failure: number }) => [total, failure].map(figure)),
    );
    const stored = await ask(`/api/db/runs?${scope}`);
    expect(await page.getByRole('navigation', { name: 'Pages of runs' }).textContent()).toContain(
      `of ${stored.total} runs`,
    );
  });

  test('takes the numbers away as a file', async () => {
    const file = page.waitForEvent('download');
    await page
      .getByRole('region', { name: /29\swhole days and today/ })
      .getByRole('link', { name: 'CSV' })
      .click();
    const stream = await (await file).createReadStream();
    const text = (await stream.toArray()).join('');
    const daily = await ask(`/api/db/trends?${scope}&type=daily&range=30`);
    const [head, ...lines] = text.trim().split('\r\n');
    expect(head?.replace('\ufeff', '').split(',')).toEqual(Object.keys(daily.data[0]));
    expect(lines.map((line) => line.split(',')[0])).toEqual(daily.data.map((day: { date: string }) => day.date));
  });

  test('signs out, and the old cookie opens nothing', async () => {
    const cookies = await context.cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    expect((await site.visit('/', { cookie })).status).toBe(200);
    await context.addCookies([{ name: 'theme', value: 'dark', url: site.url }]);
    await page.evaluate(() => localStorage.setItem('of-ann', '1'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await arriveAt('Sign in with a GitHub token');
    const left = (await context.cookies()).map((one) => one.name);
    expect([left.includes('das_session'), left.includes('theme')]).toEqual([false, true]);
    expect(await page.evaluate(() => localStorage.getItem('of-ann'))).toBeNull();
    const page1 = await site.visit('/reports', { cookie });
    expect([page1.status, page1.location]).toEqual([302, '/setup?return_to=%2Freports']);
    expect((await site.visit('/api/auth/me', { cookie })).status).toBe(401);
  });

  test('was never reported for an error, and the platform was queried by its rules', () => {
    expect(complaints).toEqual([]);
    expect(site.double.violations).toEqual([]);
    expect(site.log()).not.toMatch(/token-ann|wrong-token-of-nobody/);
    expect(site.log()).not.toMatch(/"level":[56]0/);
  });

  const texts = (table: string): Promise<string[][]> =>
    page
      .getByRole('table', { name: table, exact: true })
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

  /** The table behind a chart's "Show as table". */
  const tableFallback = async (chart: string): Promise<string[][]> => {
    const figure = page.getByRole('figure').filter({ hasText: chart }).first();
    await figure.getByText('Show as table').click();
    return texts(chart);
  };
});

const figure = (value: number | null) => (value === null ? '–' : String(value));
