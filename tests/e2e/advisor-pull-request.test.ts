import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowText } from '../reports/advisor/advised-world.ts';
import { file, writer, written } from '../reports/advisor/opened-pull-requests.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
  site.double.world.tokens.push(writer);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

describe.each([
  { way: 'with scripts', scripts: true, address: '10.0.7.3', repo: 'scripted', id: 90_931 },
  { way: 'without scripts', scripts: false, address: '10.0.7.4', repo: 'plain', id: 90_932 },
])('a pull request $way', ({ scripts, address, repo, id }) => {
  test('is chosen, previewed, refused for a changed file, opened, and shown on the list', async () => {
    const name = `octo/${repo}`;
    site.double.addRepository({ name, facts: { id }, files: new Map([[file, workflowText]]) });
    const headers = { 'x-forwarded-for': address };
    const context = await browser.newContext({ javaScriptEnabled: scripts, extraHTTPHeaders: headers });
    await site.signInBrowser(context, writer.token);
    const page = await context.newPage();
    await page.goto(`${site.url}/repos/${name}/advisor`);
    await page.getByLabel(/^Include Grant the least permissions, ci\.yml, line \d+$/).check();
    await page.getByRole('button', { name: 'Preview pull request' }).click();
    await page.waitForURL(/advisor\/pull-request\?ids=[0-9a-f]{16}$/);
    await page.getByText('+permissions:').waitFor();
    expect(await page.getByLabel('Include Grant the least permissions').isChecked()).toBe(true);
    expect(await page.getByLabel('Title').inputValue()).toBe('CI: grant the least permissions');
    await page.getByText('Opened as @ann').waitFor();
    await page.getByLabel('Note').fill('Please <b>look</b>.');
    site.double.putWorkflowFile(name, file, workflowText.replace('shellcheck', 'shfmt -d'));
    const open = page.getByRole('button', { name: 'Open pull request' });
    await open.click();
    await page.getByText('A workflow file has changed since the change was shown.').waitFor();
    expect(written(site, repo)).toEqual({ branches: [], pullRequests: [] });
    expect(await page.getByLabel('Note').inputValue()).toBe('Please <b>look</b>.');
    await page.getByLabel('Draft').check();
    await open.click();
    await page.getByText('Pull request opened.').waitFor();
    const { branches, pullRequests } = written(site, repo);
    expect([branches.length, pullRequests.length]).toEqual([1, 1]);
    expect(branches[0]?.text).toContain('shfmt -d');
    expect(pullRequests[0]).toMatchObject({ isDraft: true, author: 'ann' });
    expect(pullRequests[0]?.body).toContain('Please <b>look</b>.');
    await page.goto(`${site.url}/repos/${name}/advisor`);
    await page.getByRole('link', { name: `Pull request #${pullRequests[0]?.number}` }).waitFor();
    await context.close();
  });
});

test('the demo shows the preview and opens nothing', async () => {
  const path = '/demo/repos/lumen-harbor/harbor-gateway/advisor/pull-request';
  const { text } = await site.visit(`${path}?ids=3a22f88c7c47f6aa`);
  expect(text).toContain('Not in the sample');
  expect(text).toMatch(/<button type="button" disabled="">Open pull request/);
  expect((await site.visit(path)).text).toContain('Choose at least one change.');
});

test('an address that chooses what is not there says so', async () => {
  const cookie = await site.signIn(writer.token);
  const { text } = await site.visit('/repos/octo/plain/advisor/pull-request?ids=0123456789abcdef', { cookie });
  expect(text).toMatch(/1\schosen change not in the workflow files any more\./);
});

/** The changes that are recommended for a repository, and those that are not, by id. */
async function listIds({ visit }: Site, place: string, cookie?: string) {
  const { text } = await visit(place, { cookie });
  const { recommendations, not_offered: others } = JSON.parse(text);
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  return { offered: idsOf(recommendations), others: idsOf(others) };
}

const previewOf = (repo: string, ids: readonly string[]) =>
  `/repos/octo/${repo}/advisor/pull-request?ids=${ids.join()}`;

test('more changes than one pull request takes are not previewed, each box says of which file it is', async () => {
  const files = Array.from({ length: 21 }, (_unused, index) => `.github/workflows/w${index}.yml`);
  const texts = new Map(files.map((path) => [path, workflowText]));
  site.double.addRepository({ name: 'octo/many', facts: { id: 90_933 }, files: texts });
  const cookie = await site.signIn(writer.token);
  const { offered } = await listIds(site, '/api/advisor/recommendations?owner=octo&repo=many', cookie);
  expect(offered.length).toBeGreaterThan(20);
  const { text } = await site.visit(previewOf('many', offered.slice(0, 21)), { cookie });
  expect(text).toContain('Choose at most 20 changes.');
  expect(text).not.toContain('Open pull request');
  expect(text).toMatch(/aria-label="Include [^"]+, w0\.yml, line \d+"/);
});

test('a change that is not recommended is said to be so', async () => {
  const place = 'owner=lumen-harbor&repo=harbor-gateway';
  const { offered, others } = await listIds(site, `/demo/api/advisor/recommendations?${place}`);
  const path = '/demo/repos/lumen-harbor/harbor-gateway/advisor/pull-request';
  const { text } = await site.visit(`${path}?ids=${offered[0]},${others[0]}`);
  expect(text).toMatch(/1\schosen change not recommended: [A-Z]/);
  expect(text).not.toContain('not in the workflow files any more');
});

test('a sign-in from before the scope is sent to sign in again', async () => {
  const shared = await startSite({ MODE: 'organization', OAUTH_SCOPES: 'read:user read:org repo workflow' });
  shared.double.addRepository({ name: 'octo/former', facts: { id: 90_934 }, files: new Map([[file, workflowText]]) });
  // Its token has the scope repo alone.
  const cookie = await shared.signIn('token-ann');
  const { offered } = await listIds(shared, '/api/advisor/recommendations?owner=octo&repo=former', cookie);
  const context = await browser.newContext({ javaScriptEnabled: false });
  await shared.signInBrowser(context, 'token-ann');
  const page = await context.newPage();
  await page.goto(`${shared.url}${previewOf('former', offered.slice(0, 1))}`);
  await page.getByRole('button', { name: 'Open pull request' }).click();
  await page.getByText('The token lacks a permission that the pull request needs.').waitFor();
  const again = await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href');
  expect(again).toBe(`/api/auth/login?${new URLSearchParams({ return_to: previewOf('former', offered.slice(0, 1)) })}`);
  await context.close();
  await shared.stop();
});
