// Alert rules in every state, and the forms of their page, for `contact-sheets.mjs`.

const web = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20, window_hours: 2160 };
const team = 'team@codehost.example';
const rules = [
  { ...web, owner_note: 'Ask Bo first.', runbook_url: 'https://wiki.codehost.example/runbook' },
  { ...web, scope: 'repo:octo/tide', metric: 'duration_p95', threshold: 10, channel: 'email', destination: team },
  { ...web, scope: 'org:octo', metric: 'pr_abandon_rate', threshold: 30 },
  { ...web, scope: 'org:octo', metric: 'leadership_digest', channel: 'email', destination: team },
  { ...web, scope: 'repo:octo/tide', threshold: 1, window_hours: 24, min_sample: 1000 },
  { ...web, scope: 'repo:octo/tide', threshold: 90 },
];

/** Pages that show them. */
export const ofRules = [
  '/alerts',
  '/alerts?rule=1',
  '/alerts?rule=4',
  '/alerts?back_test=1',
  '/alerts#back-test',
  '/alerts#refused-rule',
  '/alerts?rule=1#refused-change',
  '/',
];

/** Adds the rules and reads the repositories once more, so that they are evaluated. */
export async function watch(site, cookie) {
  const send = async (method, path, body) => {
    const headers = { cookie, origin: site.url, 'content-type': 'application/json' };
    const response = await fetch(`${site.url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  };
  for (const rule of rules) await send('POST', '/api/alerts', rule);
  for (const repo of ['tide', 'web']) await send('POST', `/api/db/sync?owner=octo&repo=${repo}`, {});
  const nextWeek = new Date(site.double.world.now + 7 * 86_400_000).toISOString();
  await send('PATCH', '/api/alerts', { id: 1, threshold: 10, owner_note: 'Ask Bo or Ana first.' });
  await send('PATCH', '/api/alerts', { id: 3, muted_until: nextWeek });
  await send('PATCH', '/api/alerts', { id: 6, enabled: false });
}

const press = async (page, form, button) => {
  await page.getByRole('form', { name: form }).getByRole('button', { name: button }).click();
  await page.waitForLoadState();
};
const fillNew = async (page, threshold) => {
  await page.getByLabel('Repository or organization').fill('octo');
  await page.getByRole('form', { name: 'New rule' }).getByLabel('Threshold').fill(threshold);
};

/** What is pressed after an address has been opened, by its part behind `#`. */
export const presses = {
  shared: async (page) => {
    await page.getByText('Share', { exact: true }).click();
    await press(page, 'Share this page', 'Create link');
    await page.goto(await page.locator('output').innerText());
  },
  'back-test': async (page) => {
    await fillNew(page, '10');
    await press(page, 'New rule', 'Back-test');
  },
  'refused-rule': async (page) => {
    await fillNew(page, '101');
    await press(page, 'New rule', 'Add rule');
  },
  'refused-change': async (page) => {
    await page
      .getByRole('form', { name: /^Change/ })
      .getByLabel('Threshold')
      .fill('101');
    await press(page, /^Change/, 'Save');
  },
};
