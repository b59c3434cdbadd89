import { describe, expect, test } from 'vitest';
import { anActor } from '../codehost-double/delivery-builders.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

describe('the page of a person', () => {
  test('says who, covering what, in whose hours, and compares with nobody else', async () => {
    const page = await visit.readPlain('/contributor/ana?owner=octo');
    expect(page.status).toBe(200);
    for (const one of [
      'Activity in repositories of octo',
      'octo/api, octo/web',
      'Asia/Saigon, workday 08:00–19:00',
      'Pull requests merged 7',
      '1 d',
      'Median time to merge 1 d n = 7 · no comparison No comparison: fewer than 5 in a half',
      'Average of 90 days: 18 h',
      'Of 8 pull requests opened in 90 days, 5 reviewed, 5 approved and 7 merged so far',
      'Waits for its merge',
      '45 days: 7, before: 0',
      'Merged or not; Team counts merged ones.',
      'TypeScript',
      'Outlined: workday',
    ])
      expect(page.content).toContain(one);
    expect(page.text).toContain('/explain?metric=person_median_hours_to_merge&amp;owner=octo&amp;login=ana');
    expect(page.content).not.toMatch(/\b(rank|top|best|team average|colleagues)\b/i);
  });

  test('asks for the owner when none is given, with the organizations at hand', async () => {
    const page = await visit.readPlain('/contributor/ana');
    expect([page.status, page.content.includes('Choose an owner')]).toEqual([200, true]);
    expect(page.text).toContain('href="?owner=octo"');
    expect(page.text).toContain('name="owner"');
    const visitor = await visit.site.visit('/contributor/ana');
    expect([visitor.status, visitor.location]).toEqual([302, '/setup?return_to=%2Fcontributor%2Fana']);
  });

  test('is 404 in words for an account that is not there, 400 for what cannot be a login', async () => {
    const missing = await visit.readPlain('/contributor/nobody-here?owner=octo');
    expect([missing.status, missing.content.includes('Not found.')]).toEqual([404, true]);
    const strange = await visit.readPlain('/contributor/a%20b?owner=octo');
    expect([strange.status, strange.content.includes('Bad request.')]).toEqual([400, true]);
  });

  test('asks for another owner only where this one does not have the person, and names the person of a number', async () => {
    expect((await visit.readPlain('/contributor/nobody-here?owner=octo')).content).toContain('Choose an owner');
    visit.site.double.fault({ times: 400 }, { kind: 'status', status: 502 });
    const failing = await visit.readPlain('/contributor/cy?owner=many');
    visit.site.double.reset();
    expect(failing.content).toContain('GitHub not reachable.');
    expect(failing.content).not.toContain('Choose an owner');
    const number = await visit.readPlain('/explain?metric=person_prs_merged&owner=octo&login=ana');
    expect(number.text).toContain('<a href="/contributor/ana?owner=octo">ana in octo</a>');
  });

  test('of somebody who did nothing gives reasons in place of numbers', async () => {
    const page = await visit.readPlain('/contributor/bo?owner=many');
    for (const one of [
      'no merged pull requests in 90 days',
      'no pull requests closed in 90 days',
      'no commits in 90 days',
      'none in 90 days',
      'No pull requests opened in 90 days.',
      'No reviews of others’ pull requests in 90 days.',
    ])
      expect(page.content).toContain(one);
  });

  test('says what is missing, and in which direction the figures err', async () => {
    visit.site.double.putPullRequest('octo/secret', { number: 5, author: anActor('cy'), title: 'Hidden from bo' });
    const page = await visit.readPlain('/contributor/cy?owner=octo', await visit.site.signIn('token-bo'));
    expect(page.content).toContain(
      '1 contribution of the last 52 weeks in repositories you cannot see: counts are minimums.',
    );
    expect(page.content).not.toContain('Hidden from bo');
  });

  test('of a bot has no hours, no brief, and says why there are no commits', async () => {
    const page = await visit.readPlain('/contributor/dependabot%5Bbot%5D?owner=octo');
    expect(page.content).toContain('a bot');
    expect(page.content).toContain('Commits of bots have no account');
    expect(page.content).not.toMatch(/after.hours|1:1 brief/i);
  });

  test('is full in the demo, and leads nowhere else', async () => {
    const page = await visit.readPlain('/demo/contributor/mira-okafor?owner=lumen-harbor', '');
    expect(page.status).toBe(200);
    expect(page.content).toContain('Mira Okafor (mira-okafor)');
    expect(page.text).not.toMatch(/href="\/(contributor|explain|repos)/);
  });
});

describe('the brief', () => {
  const path = '/contributor/ana/brief?owner=octo';

  test('has three numbers before and after, with the days they stand for', async () => {
    const page = await visit.readPlain(path);
    expect(page.content).toMatch(/Repositories of octo: .*\d{4} to .*\d{4}, compared with .*\d{4} to .*\d{4}\./);
    expect(page.content).toMatch(/Pull requests merged No comparison: fewer than 5 in a period 0 7/);
    const [time = ''] =
      page.content.match(
        /Median time to merge No comparison: fewer than 5 in a period no merged pull requests [\w ]+?(?= Repositories)/,
      ) ?? [];
    const half = 'owner=octo&login=ana&half=recent';
    for (const metric of ['person_prs_merged', 'person_reviews_given', 'person_median_hours_to_merge']) {
      expect(page.links).toContain(`/explain?metric=${metric}&${half}`);
    }
    const opened = await visit.readPlain(`/explain?metric=person_median_hours_to_merge&${half}`);
    expect(time).not.toBe('');
    expect(opened.content).toContain(`Value ${time.split('pull requests ')[1]} `);
    expect(page.content).toContain('5 of 8 pull requests opened in 90 days.');
  });

  test('asks neutral questions where figures changed, and a longer wait is no gain', async () => {
    const day = 86_400_000;
    const ago = (days: number) => Date.now() - days * day;
    const merged = (login: string, number: number, from: number, to: number) =>
      visit.site.double.putPullRequest('octo/api', {
        number,
        author: anActor(login),
        createdAt: ago(from),
        mergedAt: ago(to),
      });
    for (const number of [301, 302, 303, 304, 305]) merged('slow', number, 61, 60);
    merged('slow', 306, 20, 10);
    const page = await visit.readPlain('/contributor/slow/brief?owner=octo');
    expect(page.content).toContain('1 pull request merged in the last 45 days, 5 in the previous 45.');
    expect(page.content).not.toContain('Slower merges');
    expect(page.content).toContain('Changes are compared from 5 merges or reviews.');
    for (const metric of ['person_prs_merged', 'person_median_hours_to_merge']) {
      const [evidence] = new RegExp(`/explain\\?metric=${metric}[^"]*`).exec(page.text) ?? [''];
      expect((await visit.readPlain(evidence.replaceAll('&amp;', '&'))).content).toContain('octo/api#306');
    }
    // One compared with five would be a percentage of chance, as on cards.
    expect(page.content).toMatch(/Pull requests merged No comparison: fewer than 5 in a period 5 1/);
    expect(page.content).toMatch(/Median time to merge No comparison: fewer than 5 in a period 1 d 10 d/);
    expect(page.text).not.toMatch(/text-red-\d+[^>]*>.*?\+[\d.,]+.%/);
    for (const number of [331, 332, 333, 334, 335]) {
      merged('slower', number, 61, 60);
      merged('slower', number + 10, 20, 10);
    }
    const slower = await visit.readPlain('/contributor/slower/brief?owner=octo');
    expect(slower.text).toMatch(/text-red-\d+[^>]*>.*?\+[\d.,]+.%/);
    expect(slower.content).toMatch(/Median time to merge \+900 % against/);
    expect(slower.content).toContain('Slower merges: where do changes wait?');
    expect(slower.content).toContain('Median time from creation to merge 10 d (5 merged), 1 d before (5 merged)');
    // Eight in the last 45 days and six before raise no question, and are said to have changed all the same.
    for (const number of [311, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 322, 323, 324])
      visit.site.double.putPullRequest('octo/web', {
        number,
        author: anActor('steady'),
        createdAt: ago(number < 319 ? 21 : 61),
        mergedAt: ago(number < 319 ? 20 : 60),
      });
    const steady = await visit.readPlain('/contributor/steady/brief?owner=octo');
    expect(steady.content).toContain('Pull requests merged +33 % against the previous 45 days');
    expect(steady.content).toContain('No questions. Largest change: pull requests merged +33 %.');
    const nobody = await visit.readPlain('/contributor/bo/brief?owner=many');
    expect(nobody.content).toContain('No notable changes.');
    expect(nobody.content).toContain(
      'Median time to merge No comparison: fewer than 5 in a period no merged pull requests no merged pull requests',
    );
  });

  test('of the demo asks about what waits for weeks', async () => {
    const { content, links } = await visit.readPlain('/demo/contributor/tuan-pham/brief?owner=lumen-harbor');
    expect(content).toContain('Long-open pull requests: what would unblock them?');
    expect(content).toMatch(
      /\d pull requests ready for review for 14 days or more and still open, the oldest for \d+ days/,
    );
    expect(content).not.toContain('No questions');
    expect(links.some((href) => href.startsWith('/demo/explain?metric=person_prs_opened'))).toBe(true);
  });

  test('keeps notes in the browser: the field has no name and stands in no form', async () => {
    const { text } = await visit.readPlain(path);
    const field = /<textarea[^>]*>/.exec(text)?.[0] ?? '';
    expect(field).not.toMatch(/ name=/);
    expect(text.slice(0, text.indexOf('<textarea')).lastIndexOf('<form')).toBeLessThan(
      text.slice(0, text.indexOf('<textarea')).lastIndexOf('</form>'),
    );
  });

  test('of somebody else leaves a line in the log, an own one does not', async () => {
    await visit.readPlain('/contributor/bob/brief?owner=octo');
    await visit.readPlain('/contributor/ann/brief?owner=octo');
    const lines = visit.site
      .log()
      .split('\n')
      .filter((line) => line.includes('a 1:1 brief was opened'));
    expect(lines.filter((line) => line.includes('"about":"bob"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"about":"ann"'))).toEqual([]);
  });

  test('fits on A4 without navigation', async () => {
    const browser = await sharedBrowser();
    const context = await browser.newContext();
    await visit.site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(`${visit.site.url}${path}`);
    await page.getByRole('textbox', { name: 'Notes' }).fill('Ask about the lamps');
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.rail', '.crumbs', '.actions', '.screen-only'])
      expect(await page.locator(hidden).first().isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: '1:1 brief: ana' }).isVisible()).toBe(true);
    expect(await page.locator('textarea').inputValue()).toBe('Ask about the lamps');
    // A4 less its margins, at 96 dots an inch.
    await page.setViewportSize({ width: 657, height: 987 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(657);
    await closeContexts(browser);
  });
});
