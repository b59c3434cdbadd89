import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutOwnScripts, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';
import { getText } from './visited-site.ts';

const rateRule = 'Failure rate in octo/web';
const rateSentence = 'When failure rate in octo/web over 90 days reaches';
let site: Site;
let browser: Browser;

beforeAll(async () => {
  const env = { MODE: 'organization', DEFAULT_GROUP: 'dev', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
});

afterEach(() => {
  expect(site.double.violations).toEqual([]);
  site.double.reset();
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

/** An administrator at a browser without scripts. */
const withAnn = (work: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, work);

const read = async (path: string, token = 'token-ann') => {
  const { status, text } = await site.visit(path, { cookie: await site.signIn(token) });
  expect(withoutOwnScripts(text)).not.toMatch(/<script|rel="modulepreload"/);
  return { status, text, words: getText(text) };
};

const rulesNow = async () => JSON.parse((await read('/api/alerts')).text).rules;

/** Reads octo/web, and lets the rules be evaluated. */
const synchronized = async () => synchronize(site, await site.signIn(), { owner: 'octo', repo: 'web' });

describe('without rules', () => {
  test('nobody is shown that all is well, and administrators may add the first', async () => {
    const start = await read('/');
    expect(start.words).toContain('No alert rules yet.');
    expect(start.words).not.toContain('no open alerts');
    const list = await read('/alerts');
    expect(list.words).toMatch(/No alert rules yet\. Add a rule.*No alerts yet\. New rule/);
  });
});

describe('an administrator', () => {
  test('is shown what is wrong beside the field, and loses nothing', () =>
    withAnn(async (page) => {
      await page.goto('/alerts');
      await page.getByLabel('Repository or organization').fill('octo/web');
      await page.getByLabel('Threshold').fill('120');
      await page.getByLabel('Notify via').selectOption('email');
      await page.getByText('More options').click();
      await page.getByLabel('Note').fill('Ask Bo first.');
      expect(await press(page, 'New rule', 'Add rule')).toBe(400);
      expect(await page.getByLabel('Threshold').getAttribute('aria-invalid')).toBe('true');
      expect(await said(page)).toContain('Threshold is a percentage, at most 100.');
      await page.getByLabel('Threshold').fill('20');
      expect(await press(page, 'New rule', 'Add rule')).toBe(400);
      expect(await page.getByLabel(/^To\b/).getAttribute('aria-invalid')).toBe('true');
      for (const [field, value] of [
        ['Repository or organization', 'octo/web'],
        ['Threshold', '20'],
        ['Notify via', 'email'],
        ['Note', 'Ask Bo first.'],
      ])
        expect(await page.getByLabel(field as string).inputValue()).toBe(value);
      expect(await rulesNow()).toEqual([]);
    }));

  test('tries a rule on the past before it is saved', () =>
    withAnn(async (page) => {
      await page.goto('/alerts');
      await page.getByLabel('Repository or organization').fill('octo/web');
      await page.getByLabel('Threshold').fill('10');
      expect(await press(page, 'New rule', 'Back-test')).toBe(200);
      expect(await said(page)).toContain('No repository in this scope has been synced');
      await synchronized();
      expect(await press(page, 'New rule', 'Back-test')).toBe(200);
      expect(await said(page)).toMatch(/Not saved\. This rule would have fired 1 time in the last 30 days and 1 time/);
      expect(await said(page)).toMatch(/octo\/web 1 1 .* evaluations since/);
      const chart = page.getByRole('figure').filter({ hasText: 'Would have fired' });
      expect(await chart.locator('.limit text').textContent()).toMatch(/^threshold 10/);
      expect(await chart.locator('.marked').count()).toBe(1);
      await chart.getByText('Show as table').click();
      expect(await chart.getByRole('row').filter({ hasText: '(fires)' }).count()).toBe(1);
      const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
      expect((await read(href ?? '')).text).toMatch(/^repo,at,value,unit,sample,fires\r?\nocto\/web,[^\n]*percent,/);
      await page.getByLabel('Window').selectOption('90 days');
      expect(await press(page, 'New rule', 'Back-test')).toBe(200);
      expect(await said(page)).toMatch(/Not enough history to back-test\..*octo\/web – .* – .* 0 evaluations/);
      expect(await page.getByLabel('Threshold').inputValue()).toBe('10');
      expect(page.url()).not.toContain('csrf');
      expect(await rulesNow()).toEqual([]);
    }));

  test('adds it, and the same rule again is the same', () =>
    withAnn(async (page) => {
      for (const labels of ['Rule added.', 'This rule already exists.']) {
        await page.goto('/alerts');
        await page.getByLabel('Repository or organization').fill('octo/web');
        await page.getByLabel('Threshold').fill('99');
        await page.getByLabel('Window').selectOption('90 days');
        expect(await press(page, 'New rule', 'Add rule')).toBe(303);
        expect(await said(page)).toContain(`${rateSentence} 99 %, notify in the browser. OK Done. ${labels}`);
        expect(page.url()).toMatch(/#rule-1$/);
      }
      expect(await said(page)).toMatch(
        /Failure rate octo\/web Details ≥ 99 % over 90 days 27\.3 % OK Back-test Never Edit/,
      );
      expect((await read('/')).words).toContain('no open alerts 1 active rule.');
      await synchronized();
      expect((await read('/alerts')).words).toMatch(
        /Sample 11\. Evaluated .*Threshold reached on 0 of the last 1 day\. Minimum sample 5\. At most once in 90 days\..* 27\.3 % OK /,
      );
      expect((await read('/')).words).toContain('no open alerts 1 active rule.');
    }));

  test('changes it, and is reported where it would be the wrong way', () =>
    withAnn(async (page) => {
      await page.goto('/alerts');
      await page.getByRole('link', { name: `Edit, mute or delete: ${rateRule}` }).click();
      const form = page.getByRole('form', { name: `Change: ${rateRule}` });
      await form.getByLabel('Threshold').fill('101');
      await form.getByLabel('Note').fill('Ask Bo first.');
      expect(await press(page, `Change: ${rateRule}`, 'Save')).toBe(400);
      expect(await form.getByLabel('Threshold').getAttribute('aria-invalid')).toBe('true');
      expect(await form.getByLabel('Note').inputValue()).toBe('Ask Bo first.');
      await form.getByLabel('Threshold').fill('10');
      await form.getByLabel('Minimum sample').fill('6');
      await form.getByLabel('Runbook URL').fill('https://wiki.codehost.example/runbook');
      expect(await press(page, `Change: ${rateRule}`, 'Save')).toBe(303);
      expect(await said(page)).toMatch(/Ask Bo first\..*over 90 days reaches 10 %, .*Saved\. /);
      await page.getByText('Details', { exact: true }).click();
      expect(await said(page)).toMatch(/Minimum sample 6\. At most once in 90 days\. Changed by ann\./);
      const runbook = page.getByRole('link', { name: 'Runbook' });
      expect(await runbook.getAttribute('href')).toBe('https://wiki.codehost.example/runbook');
      const definition = page.getByRole('link', { name: /^Definition of / }).first();
      expect(await definition.getAttribute('href')).toMatch(/^\/docs\/metrics\/\w+$/);
      await form.getByLabel('Note').fill('');
      await form.getByLabel('Runbook URL').fill('');
      await form.getByLabel('Minimum sample').fill('');
      expect(await press(page, `Change: ${rateRule}`, 'Save')).toBe(303);
      expect((await rulesNow())[0]).toMatchObject({
        threshold: 10,
        owner_note: null,
        runbook_url: null,
        min_sample: 5,
        enabled: true,
      });
    }));
});

test('what cannot be known is not said to be well', async () => {
  // Of this visitor nothing is stored yet.
  await site.signIn('token-bo');
  site.double.fault({ path: /./, times: 200 }, { kind: 'status', status: 502 });
  const start = await read('/', 'token-bo');
  expect(start.status).toBeGreaterThanOrEqual(500);
  expect(start.words).toMatch(/unknown Alerts could not be loaded\. 127\.0\.0\.1:\d+ cannot be reached/);
  const list = await read('/alerts', 'token-bo');
  expect([list.status, list.words]).toEqual([503, expect.stringContaining('Access not checked.')]);
  expect(list.words).not.toMatch(/No alert rules|Alert history/);
});

test('an alert that is open stands on the start page and beside every page', async () => {
  await synchronized();
  const { words, text } = await read('/');
  expect(words).toMatch(
    /1 open alert in the last 7 days.*Failure rate in octo\/web 27\.3 %, threshold 10 %, just now.*Needs attention/,
  );
  expect(text).toContain('href="/repos/octo/web"');
  expect((await read('/cost')).text).toMatch(/class="bell" href="\/alerts".*1.open alert/);
  const list = await read('/alerts');
  expect(list.words).toMatch(
    /Alert Value .* Failure rate octo\/web 27\.3 % threshold 10 %, 90 days, n = 11 .* Open shown/,
  );
  // Others know of it where the platform is queried about them anyway.
  expect((await read('/', 'token-bo')).words).toContain('1 open alert in the last 7 days');
  const bo = (await read('/cost', 'token-bo')).text;
  expect(bo).toMatch(/data-bell="unknown"><a class="bell" href="\/alerts" hidden="">/);
});

test('every page is whole, and as wide as its window', () =>
  withAnn(async (page) => {
    expect(await misdrawn(page, ['/', '/alerts', '/alerts?rule=1'])).toEqual([]);
  }));

describe('a rule', () => {
  test('is muted, switched off and on again', () =>
    withAnn(async (page) => {
      await page.goto('/alerts?rule=1');
      expect(await press(page, `Mute: ${rateRule}`, 'Mute')).toBe(303);
      expect(await said(page)).toMatch(/Muted until \d+ .* Muted Done\. Rule muted\./);
      const days = (Date.parse((await rulesNow())[0].muted_until) - Date.now()) / 86_400_000;
      expect(Math.abs(days - 7)).toBeLessThan(0.01);
      expect(await press(page, `Unmute: ${rateRule}`, 'Unmute')).toBe(303);
      expect((await rulesNow())[0].muted_until).toBeNull();
      expect(await press(page, `Disable: ${rateRule}`, 'Disable')).toBe(303);
      expect(await said(page)).toContain('notify in the browser. Off Done. Rule disabled.');
      expect(await press(page, `Enable: ${rateRule}`, 'Enable')).toBe(303);
      expect((await rulesNow())[0].enabled).toBe(true);
    }));

  test('is tested, and the provider is quoted', () =>
    withAnn(async (page) => {
      await page.goto('/alerts?rule=1');
      expect(await press(page, `Test: ${rateRule}`, 'Send test')).toBe(200);
      expect(await said(page)).toContain('Test sent. The test appears in the alert history below.');
      expect(await said(page)).toMatch(/Failure rate octo\/web 1 % .* Test shown here/);
      expect(await said(page)).not.toContain('Email is not being sent.');
      await page.getByLabel('Repository or organization').fill('octo');
      await page.getByLabel('Metric').selectOption('leadership_digest');
      await page.getByRole('form', { name: 'New rule' }).getByLabel(/^To\b/).fill('lead@codehost.example');
      expect(await press(page, 'New rule', 'Add rule')).toBe(303);
      expect(await said(page)).toMatch(/Email is not being sent\. 1 rule sends email.*Email settings/);
      const digest = 'Weekly leadership digest of octo';
      expect(await press(page, `Test: ${digest}`, 'Send test')).toBe(200);
      expect(await said(page)).toMatch(/Test failed\. \S.*No email provider is configured\./);
      expect((await read('/')).words).toContain('1 open alert');
    }));

  test('is read by others without addresses and without buttons', async () => {
    const { text, words } = await read('/alerts', 'token-bo');
    expect(words).toMatch(new RegExp(`${rateSentence} 10 %, notify in the browser\\. .* 27\\.3 % Firing`));
    // octo is not theirs.
    expect(words).not.toContain('leadership');
    expect(text).not.toMatch(/@codehost\.example|Send test|[Cc]hanged by|added by|New rule/);
    // Beside it everybody may save the view.
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    expect(main).not.toMatch(/name="csrf"/);
  });

  test('is deleted after a second question, and what it fired stays', () =>
    withAnn(async (page) => {
      await page.goto('/alerts?rule=1');
      expect(await page.getByRole('button', { name: 'Delete permanently' }).isVisible()).toBe(false);
      await page.getByText('Delete rule').click();
      expect(await press(page, `Delete: ${rateRule}`, 'Delete permanently')).toBe(303);
      expect(await said(page)).toContain('Rule deleted. Its alerts stay in the history.');
      expect(await said(page)).toMatch(/Failure rate \(rule deleted\) octo\/web .* Not resolved shown here/);
      // One history: firings, and who changed what, newest first.
      expect(await said(page)).toMatch(/Rule deleted by ann .*Rule changed by ann: .*Rule added by ann/);
      expect(await said(page)).toContain('threshold from 99 to 10');
      expect(await said(page)).toMatch(/muted until \d+ [A-Z][a-z]{2} \d{4}/);
      expect((await rulesNow()).map(({ id }: { id: number }) => id)).toEqual([2]);
      const bo = await read('/alerts', 'token-bo');
      expect(bo.words).toContain('No alert rules for repositories you can see. Administrators can add some.');
    }));
});
