import { expect, test } from 'vitest';
import { longHistories } from './long-histories.ts';
import { getText } from './visited-site.ts';

const runs = 350;
const begun = 'It continues in the background';
const line = /Syncing history: \d+ %, back to \d+ [A-Z][a-z]{2} \d{4}\./;
// Nothing but what a person began reads the platform by itself.
const visit = longHistories(runs, { SCHEDULER: 'external' });

const stored = (repository: string) =>
  visit.site.double.requests.filter(({ path }) => path === `/repos/octo/${repository}/actions/runs`).length;

test('one press reads the whole history; the page says how far it is, by itself', async () => {
  const page = await visit.pressed('fork', true, begun);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url());
  });
  await page.getByText(line).waitFor();
  expect(await page.getByRole('button', { name: /Continue|Stop/ }).count()).toBe(0);
  await page.getByText(line).waitFor({ state: 'detached' });
  await page.getByText(`of ${runs}`).first().waitFor();
  const state = page.getByRole('row', { name: /^Workflow runs/ });
  await state.getByText('complete').waitFor();
  expect(posts).toEqual([]);
  await page.context().close();
});

test('without scripts the page says it as of its opening, and so does the list of repositories', async () => {
  const page = await visit.pressed('empty', false, begun);
  expect(await page.getByText(line).count()).toBe(1);
  const cookie = await visit.site.signIn();
  const home = async () => getText((await visit.site.visit('/', { cookie })).text);
  expect(await home()).toMatch(line);
  await expect.poll(home, { interval: 500 }).not.toContain('Syncing history');
  const isLoaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Refresh' }).click();
  await isLoaded;
  expect(await page.getByText('Syncing history').count()).toBe(0);
  await page
    .getByRole('row', { name: /^Workflow runs/ })
    .getByText('complete')
    .waitFor();
  const query = stored('empty');
  expect(query).toBeGreaterThan(runs / 100);
  await page.context().close();
});
