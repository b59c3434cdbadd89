import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});
afterAll(() => site?.stop());

/** Reads a page up to some text while the platform answers nothing, then releases it and reads the rest. */
async function readHeld(path: string, cookie: string, until: string, { url, double } = site) {
  const { promise, resolve } = Promise.withResolvers<void>();
  double.fault({ times: 1000 }, { kind: 'held', until: promise });
  const release = () => {
    double.reset();
    resolve();
  };
  const response = await fetch(`${url}${path}`, { headers: { cookie } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('The page has no body.');
  const first = await readUntil(reader, until).finally(release);
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
  return { status: response.status, first, rest };
}

async function readUntil(reader: ReadableStreamDefaultReader<string>, until: string) {
  let text = '';
  while (!text.includes(until)) {
    const { done, value = '' } = await reader.read();
    if (done) throw new Error(`The page ended before: ${until}`);
    text += value;
  }
  return text;
}

test('a browser that runs scripts gets heading and skeletons while the platform answers nothing, then the numbers', async () => {
  const cookie = await site.signIn();
  const { status, first, rest } = await readHeld('/repos/octo/web', `${cookie}; das_scripts=1`, 'Loading Workflows');
  expect(status).toBe(200);
  expect(first).toContain('<h1>octo/web</h1>');
  expect(first).toContain('Loading Delivery');
  expect(first).not.toContain('Release frequency');
  expect(rest).toContain('Release frequency');
  // What takes its place is swapped in by script, which the policy lets run.
  expect(rest).toMatch(/<script nonce="[\w-]+">/);
});

test('a panel that is ready does not wait for one that is not', async () => {
  const cookie = `${await site.signIn()}; das_scripts=1`;
  const { promise, resolve } = Promise.withResolvers<void>();
  // Runs and workflows are answered late; pull requests, releases and deployments at once.
  site.double.fault({ path: /\/actions\//, times: 1000 }, { kind: 'held', until: promise });
  const response = await fetch(`${site.url}/repos/octo/fork`, { headers: { cookie } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('The page has no body.');
  let text = '';
  const shown = ['Lead time to merge', 'Awaiting review', 'Loading Workflows'];
  while (!shown.every((one) => text.includes(one))) text += (await reader.read()).value ?? '';
  expect(text).not.toContain('Last ten runs');
  site.double.reset();
  resolve();
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  expect(text).toContain('Last ten runs');
});

test('the overview has its frame while the platform answers nothing', async () => {
  const cookie = `${await site.signIn()}; das_scripts=1`;
  const { status, first, rest } = await readHeld('/', cookie, 'Loading Needs attention');
  expect([status, first.includes('<h1>Overview</h1>')]).toEqual([200, true]);
  expect(first).not.toContain('Checks fail on the default branch');
  expect(rest).toContain('Checks fail on the default branch');
});

test.each([
  ['/repos/octo/api/pull-requests', 'Loading Merged pull requests', 'Cycle time by phase'],
  ['/repos/octo/api/workflows', 'Loading Durations', '.github/workflows/ci.yml'],
])('%s has its frame while the platform answers nothing', async (path, loading, known) => {
  const cookie = `${await site.signIn()}; das_scripts=1`;
  const { status, first, rest } = await readHeld(path, cookie, loading);
  expect([status, first.includes(known), rest.includes(known)]).toEqual([200, false, true]);
});

test('working habits have their heading while the platform answers nothing', async () => {
  const cookie = `${await site.signIn()}; das_scripts=1`;
  const { status, first, rest } = await readHeld('/working-habits', cookie, 'Loading Change sizes');
  expect([status, first.includes('<h1>Working habits</h1>'), first.includes('30 days')]).toEqual([200, true, true]);
  expect(first + rest).toContain('<option value="octo/web">');
});

test('the security of the first organization has its frame before it is known which that is', async () => {
  const cookie = `${await site.signIn()}; das_scripts=1`;
  const { status, first, rest } = await readHeld('/security', cookie, 'Loading Repositories');
  expect([status, first.includes('<title>Security')]).toEqual([200, true]);
  expect(first).not.toContain('Security of octo');
  expect(rest).toContain('Security of octo');
  expect(rest).toContain('Severe workflow findings');
});

test('the security of an organization has its frame while the platform answers nothing', async () => {
  const cookie = `${await site.signIn()}; das_scripts=1`;
  const { status, first, rest } = await readHeld('/security?org=sealed', cookie, 'Loading Repositories');
  expect([status, first.includes('<h1>Security of sealed</h1>')]).toEqual([200, true]);
  expect(first).not.toContain('Severe workflow findings');
  expect(rest).toContain('Severe workflow findings');
});

/** Heading and skeleton come while the platform answers nothing, what is known after that. */
async function expectHeadingFirst(path: string, cookie: string, text: { loading: string; known: string }) {
  const { status, first, rest } = await readHeld(path, cookie, text.loading);
  expect(status).toBe(200);
  expect([first.includes('<h1>'), first.includes(text.known), rest.includes(text.known)]).toEqual([true, false, true]);
}

test.each([
  ['/repos/octo/secret/deployments', 'Loading Recent deployments', 'Deployments are recorded when'],
  ['/repos/octo/secret/team', 'Loading People', 'No merged pull requests in the last 30 days'],
  ['/repos/octo/api/issues', 'Loading Backlog', 'Open issues'],
  ['/repos/octo/api/security', 'Loading Security alerts', 'Alerts by source'],
  ['/repos/octo/api/changes', 'Loading Changes', 'No commit on the default branch'],
  ['/explain?metric=open_count&owner=octo&repo=web', 'Loading Counted', 'Issue 51'],
  ['/contributor/ana?owner=octo', 'Loading Last 90 days', '1:1 brief'],
  ['/contributor/bob/brief?owner=octo', 'Loading Before and after', 'Conversation starters'],
  ['/repos/octo/web/workflows/7001', 'Loading Critical path', 'Success rate'],
  ['/org/octo', 'Loading Lowest success rates', 'Active repositories'],
  ['/org/octo/exposure?name=actions/checkout', 'Loading Answer', 'Possibly affected runs'],
  ['/repos/octo/no-issues/advisor/pull-request', 'Loading Chosen changes', 'Update preview'],
  ['/org/octo/health', 'Loading Repositories by score', 'Median score'],
  ['/repositories', 'Loading Needs attention', 'Repositories, needs attention first'],
  ['/ci?org=many', 'Loading Workflows', 'No repository of many has been synced'],
  ['/team?org=ann', 'Loading People', 'No repository of ann has been synced'],
  ['/cost?view=bill&org=many', 'Loading ', 'This token cannot read billing data'],
])('so has %s', async (path, loading, known) => {
  const cookie = `${await site.signIn()}; das_scripts=1`;
  await expectHeadingFirst(path, cookie, { loading, known });
});

/** A site of which nothing was opened yet. */
async function withSite(env: Record<string, string>, work: (fresh: Site) => Promise<void>) {
  const fresh = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0', ...env });
  await work(fresh).finally(fresh.stop);
}

test('so have AI-authored pull requests where marks are looked for', () =>
  withSite({}, async (fresh) => {
    const cookie = await fresh.signIn();
    const settings = await fresh.visit('/settings/ai-authorship', { cookie });
    const csrf = /name="csrf" value="([^"]+)"/.exec(settings.text)?.[1] ?? '';
    await fresh.visit('/settings/ai-authorship', { cookie, form: { csrf, intent: 'save', enabled: 'true' } });
    const path = '/org/octo/ai-authorship';
    const { first, rest } = await readHeld(path, `${cookie}; das_scripts=1`, 'Loading Marked share', fresh);
    const known = 'No pull request was read for marks yet.';
    expect([first.includes('<h1>'), first.includes(known), rest.includes(known)]).toEqual([true, false, true]);
  }));

test.each([
  ['/admin/users', 'Loading teams', 'Everybody in octo'],
  ['/admin/users?team=octo', 'Loading members', 'name="logins"'],
  ['/admin/identity-links?owner=octo&repo=web', 'Loading Suggestions from octo/web', 'Check before linking.'],
])('%s has its people and forms while the platform answers nothing', (path, loading, known) =>
  withSite({ MODE: 'organization' }, async (fresh) => {
    const cookie = `${await fresh.signIn()}; das_scripts=1`;
    const { status, first, rest } = await readHeld(path, cookie, loading, fresh);
    expect([first.includes('<h1>'), first.includes(known), rest.includes(known)]).toEqual([true, false, true]);
    expect(status).toBe(200);
  }),
);

test('figures of stored runs are there while the platform answers nothing, jobs and latest runs after that', () =>
  withSite({}, async (fresh) => {
    const cookie = await fresh.signIn();
    await synchronize(fresh, cookie, { owner: 'octo', repo: 'web' });
    const path = '/repos/octo/web/workflows/7001';
    const { first, rest } = await readHeld(path, `${cookie}; das_scripts=1`, 'Duration by day', fresh);
    expect(first).toContain('aria-label="Median duration"');
    expect(first).toContain('Loading Critical path');
    expect([first.includes('Outcomes'), rest.includes('Outcomes')]).toEqual([false, true]);
  }));

test.each([
  ['/cost?org=octo', 'Loading Cost per day', 'No repository of octo has been synced'],
  ['/team', 'role="status"', 'Team of octo'],
  ['/reports?repo=octo%2Fapi', 'Loading All stored runs', 'No data has been synced yet'],
])('so has %s for whoever nothing is known of', async (path, loading, known) => {
  const cookie = `${await site.signIn(path === '/team' ? 'token-ann-two' : 'token-bo')}; das_scripts=1`;
  await expectHeadingFirst(path, cookie, { loading, known });
});

test('rules are there while the platform does not say what could be suggested for another one', async () => {
  const cookie = `${await site.signIn('token-ann-fine')}; das_scripts=1`;
  const { status, first, rest } = await readHeld('/alerts', cookie, 'No alert rules yet.');
  expect([status, first.includes('value="octo/web"')]).toEqual([200, false]);
  expect(rest).toContain('value="octo/web"');
});

test('a browser that runs scripts reads of a repository that is not there in a panel, any other by the status', async () => {
  const cookie = await site.signIn();
  const { status, rest } = await readHeld('/repos/octo/none/team', `${cookie}; das_scripts=1`, 'Loading People');
  expect([status, rest.includes('Not found')]).toEqual([200, true]);
  expect((await site.visit('/repos/octo/nothing/team', { cookie })).status).toBe(404);
});

test('what is known at once comes whole, also where scripts run', async () => {
  const cookie = await site.signIn();
  // However busy the machine is: at some time the stored answers come within the moment that the page waits.
  const isWhole = async () => {
    const { text } = await site.visit('/repos/octo/web', { cookie: `${cookie}; das_scripts=1` });
    return text.includes('Release frequency') && !text.includes('Loading Delivery');
  };
  await expect.poll(isWhole).toBe(true);
});

test('any other browser gets the whole page', async () => {
  const { text } = await site.visit('/repos/octo/api', { cookie: await site.signIn() });
  expect(text).toContain('Lead time to merge');
  expect(text).not.toMatch(/Loading Delivery|<!--\$\?-->/);
});

test('in a browser the skeletons give way to the numbers, and the next page is asked for with the cookie', async () => {
  const context = await (await sharedBrowser()).newContext();
  await site.signInBrowser(context);
  const page = await context.newPage();
  await page.goto(`${site.url}/docs`);
  expect((await context.cookies()).some(({ name }) => name === 'das_scripts')).toBe(false);
  await page.goto(`${site.url}/settings`);
  await expect.poll(async () => (await context.cookies()).some(({ name }) => name === 'das_scripts')).toBe(true);
  site.double.fault({ times: 1000 }, { kind: 'latency', ms: 300 });
  await page.goto(`${site.url}/repos/octo/no-issues`);
  await page.getByRole('article', { name: 'Lead time to merge' }).waitFor();
  expect(await page.getByText('Loading Delivery').count()).toBe(0);
  site.double.reset();
  await closeContexts(await sharedBrowser());
});
