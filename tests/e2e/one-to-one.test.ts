import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anActor } from '../codehost-double/delivery-builders.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { countActions } from '../support/counted-actions.ts';
import { said } from '../support/form-page.ts';
import { startSite } from '../support/site.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();
let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(() => closeContexts(browser));

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test('what is blocked for somebody is three clicks from Home', async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    const { page, follow, actions } = countActions(await context.newPage());
    await page.goto(`${visit.site.url}/demo`);
    for (const name of ['Team', 'tuan-pham', '1:1 brief']) await follow(name);
    await page.getByRole('heading', { name: 'Blocked now' }).waitFor();
    expect(actions()).toBeLessThanOrEqual(3);
    expect(await said(page)).toMatch(/1:1 brief: .*Blocked now.*Waiting for them.*They are waiting for/);
    await context.close();
  });
});

const blockedFor = async (login: string) => {
  const { content } = await visit.readPlain(`/contributor/${login}/brief?owner=octo`);
  const blocked = /Blocked now(.*)Before and after/.exec(content)?.[1] ?? '';
  return blocked.split('They are waiting for');
};

// Before any other reads these pull requests: they are kept for minutes.
test('nobody makes others wait before they are requested, and requests to teams are told apart', async () => {
  const day = 86_400_000;
  visit.site.double.putPullRequest('octo/web', {
    number: 91,
    author: anActor('bo'),
    createdAt: Date.now() - 33 * day,
    requestedReviewers: ['cy'],
    clock: [{ kind: 'review_requested', at: Date.now() - 4.2 * day, login: 'cy' }],
  });
  expect((await blockedFor('cy'))[0]).toMatch(
    /octo\/web#91 review 4 days.*1 pull request waits for a review by a team, whose members are not loaded\./,
  );
});

test('the brief says what somebody waits for, longest first, and who else has to move', async () => {
  const [forThem, forOthers] = await blockedFor('dee');
  // Not every open pull request of this world can be loaded.
  expect(forThem).toMatch(/Incomplete.*None among the pull requests that were loaded\./);
  expect(forOthers).toMatch(/#33 review, nobody requested 7 days.*#34 review by bob 5 days.*#35/);
  expect((await blockedFor('bob'))[0]).toContain('octo/api#34 review 5 days');
});

test('who may not see open pull requests is told so, and keeps the rest of the brief', async () => {
  const site = await startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  try {
    site.double.putPullRequest('octo/web', { number: 91, author: anActor('bo'), createdAt: Date.now() - 86_400_000 });
    const [ann, bo] = [await site.signIn('token-ann'), await site.signIn('token-bo')];
    const { text } = await site.visit('/admin/users?group=all', { cookie: ann });
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const form = { csrf, intent: 'selected', selected: '102', change: 'add', groups: 'security' };
    expect((await site.visit('/admin/users', { cookie: ann, form })).status).toBe(303);
    const brief = await site.visit('/contributor/bo/brief?owner=octo', { cookie: bo });
    expect(brief.status).toBe(200);
    expect(brief.text).toContain('Blocked now');
    expect(brief.text).toContain('Pull request life cycle');
    expect(brief.text).not.toContain('Waiting for them');
    expect(brief.text).toContain('Before and after');
  } finally {
    await site.stop();
  }
});

test('of a bot nothing is asked', async () => {
  const { content } = await visit.readPlain('/contributor/dependabot[bot]/brief?owner=octo');
  expect(content).not.toContain('Blocked now');
});
