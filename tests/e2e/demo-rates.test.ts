import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

/** The words of a page, without markup, as one line. */
async function getText(path: string): Promise<string> {
  const { text } = await site.visit(path);
  return text
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replace(/\s+/g, ' ');
}

async function readRate(repo: string): Promise<string> {
  const { summary } = JSON.parse((await site.visit(`/api/demo?resource=summary&repo=${repo}`)).text);
  expect(summary.success_rate_sample).toBe(10);
  return `${summary.success_rate} %`;
}

test('the list shows the very rate that the API answers', async () => {
  const labels = await getText('/demo/repositories');
  const row = labels.slice(labels.indexOf('lumen-harbor/harbor-gateway')).slice(0, 400);
  expect(row).toContain(`${await readRate('harbor-gateway')}`);
});

test('the security of a repository counts the findings that the organization counts', async () => {
  const { text } = await site.visit('/demo/security');
  const [row = ''] = /harbor-gateway<\/a>.*?<\/tr>/s.exec(text) ?? [];
  const [counts = ''] = /(\d+ (critical|high|medium|info)(, )?)+/.exec(row.replace(/<[^>]*>/g, ' ')) ?? [];
  expect(counts).toMatch(/info$/);
  expect(await getText('/demo/repos/lumen-harbor/harbor-gateway/security')).toContain(`findings: ${counts}.`);
});

test('the page of a repository shows it too', async () => {
  const labels = await getText('/demo/repos/lumen-harbor/beacon-api');
  expect(labels).toContain(`${await readRate('beacon-api')} n = 10`);
});
