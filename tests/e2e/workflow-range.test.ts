import { expect, test } from 'vitest';
import { synchronize } from '../support/synchronize.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();
const page = '/demo/repos/lumen-harbor/beacon-api/workflows/41100';

/** What is chosen in the bar. */
function getChosen(text: string) {
  const [bar = ''] = /<section class="filters"[\s\S]*?<\/section>/.exec(text) ?? [];
  const [chips = ''] = bar.split('<summary>vs ');
  return [...chips.matchAll(/aria-current="true"[^>]*>([^<]+)</g)].map(([, label]) => label);
}

/** The big number of a card. */
function getCard(text: string, label: string): string | undefined {
  const [, card = ''] = text.split(`aria-label="${label}"`);
  const [, headed = ''] = card.split('</h3>');
  const [shown = ''] = headed.split('</p>');
  return shown.replace(/<[^>]*>/g, '').trim() || undefined;
}

const latest = 'Latest 50 runs';

test.each([
  ['', '30 days', true],
  ['?range=7', '7 days', true],
  ['?tab=performance&range=quarter', 'Quarter', true],
  ['?per_page=20', '20', false],
  ['?per_page=100&range=7', '100', false],
  ['?tab=cost&per_page=100', '50', false],
  ['?tab=reliability', '30 days', true],
  ['?tab=runs', '50', false],
])('one choice governs the page %s', async (query, chosen, isRange) => {
  const { text, content } = await visit.readPlain(`${page}${query}`);
  expect(getChosen(text)).toEqual([chosen]);
  // Where a range is chosen, what does not follow it says so.
  expect(content.includes(latest)).toBe(isRange);
});

test.each([
  ['?range=zzz', 'range is none of'],
  ['?range=2026-05-31..2026-05-01', 'range is none of'],
  ['?tab=performance&range=zzz', 'range is none of'],
  ['?tab=runs&range=zzz', 'range is none of'],
  ['?compare=zzz', 'compare must be previous, year or off'],
  ['?per_page=200', 'per_page must be at most 100'],
  ['?per_page=0', 'per_page must be at least 1'],
  ['?tab=cost&per_page=abc', 'per_page must be a whole number'],
])('what an address asks for in vain is named, on a page that goes on: %s', async (query, said) => {
  const { status, text, content, links } = await visit.readPlain(`${page}${query}`);
  expect(status).toBe(400);
  expect(content).toContain(said);
  expect(content).toContain('CI');
  expect(getChosen(text).filter((label) => label !== '50')).toEqual([]);
  expect(links.some((link) => link.includes('per_page=20'))).toBe(true);
  expect(links.some((link) => link.includes('range=30'))).toBe(!query.includes('tab=runs'));
});

test('a workflow that no address can name is still no page', async () => {
  expect((await visit.read('/demo/repos/lumen-harbor/beacon-api/workflows/zero')).status).toBe(400);
  expect((await visit.read('/demo/repos/lumen-harbor/beacon-api/workflows/1')).status).toBe(404);
});

test('a number of runs that is not offered is chosen in the bar', async () => {
  const { text } = await visit.readPlain(`${page}?per_page=37`);
  expect(getChosen(text)).toEqual(['37']);
});

test.each([
  ['?tab=runs&range=7', 'Last 7 days: not available here, latest 50 runs shown'],
  ['?tab=triggers&range=quarter&compare=year', 'This quarter: not available here, latest 50 runs shown · Not compared'],
  ['?tab=triggers&per_page=20&range=7', ''],
  ['?tab=performance&range=7&compare=year', ''],
  ['?per_page=20&compare=year', 'Not compared'],
])('what is carried along and does not govern %s is said', async (query, said) => {
  const { content } = await visit.readPlain(`${page}${query}`);
  if (said === '') expect(content).not.toMatch(/not available here|Not compared/);
  else expect(content).toContain(`All branches · Including bots · ${said}`);
});

test('the comparison is chosen where it governs the page', async () => {
  const ranged = await visit.readPlain(`${page}?range=30&compare=year`);
  expect(ranged.text).toMatch(/<summary>vs same period last year<\/summary>/);
  const off = await visit.readPlain(`${page}?range=30&compare=off`);
  expect([ranged, off].map(({ content }) => content.includes('against the previous period'))).toEqual([false, false]);
  expect((await visit.readPlain(page)).content).toContain('against the previous period');
  const counted = await visit.readPlain(`${page}?per_page=20`);
  expect([ranged, counted].map(({ links }) => links.includes('?range=30&compare=off'))).toEqual([true, false]);
});

test.each(['', '?per_page=20'])('failures in a row are said to be of one branch %s', async (query) => {
  const { text } = await visit.readPlain(`${page}${query}`);
  const [, card = ''] = text.split('aria-label="Consecutive failures"');
  expect(card.split('</details>')[0]).toContain('on main');
});

test('a range and a number of runs take the place of each other', async () => {
  const [ranged, counted] = [await visit.readPlain(`${page}?range=7`), await visit.readPlain(`${page}?per_page=20`)];
  expect(ranged.links).toContain('?per_page=20');
  expect(counted.links).toContain('?range=7');
  expect(counted.text).not.toContain('name="per_page"');
});

test('the cards of a range are the row of the list of workflows, with their evidence', async () => {
  const { text } = await visit.readPlain(`${page}?range=90`);
  const list = await visit.readPlain('/demo/ci?range=90&repo=lumen-harbor%2Fbeacon-api');
  const [row = ''] = /<tr>(?:(?!<\/tr>)[\s\S])*workflows\/41100[\s\S]*?<\/tr>/.exec(list.text) ?? [];
  const median = getCard(text, 'Median duration');
  expect(median).toMatch(/min/);
  expect(row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, '')).toContain(median?.replace(/\s+/g, ''));
  const href = /href="([^"]*metric=median_duration[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(href).toContain('workflow_id=41100&range=90');
  expect((await visit.readPlain(href)).content.replace(/\s+/g, '')).toContain(median?.replace(/\s+/g, ''));
});

test.each(['/demo/cost?range=90', '/demo/ci?view=waste&range=90'])(
  'what a workflow costs and wastes is the same behind its link on %s',
  async (list) => {
    const { text } = await visit.readPlain(list);
    const [row = ''] = /<tr>(?:(?!<\/tr>)[\s\S])*workflows\/41100[\s\S]*?<\/tr>/.exec(text) ?? [];
    const href = /href="([^"]*workflows\/41100[^"]*)"/.exec(row)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(href).toBe(`${page}?tab=cost&range=90`);
    const opened = await visit.readPlain(href);
    expect(getChosen(opened.text)).toEqual(['90 days']);
    const plain = row.replace(/<[^>]*>/g, ' ');
    for (const label of ['Cost/month', 'Wasted/month']) {
      const amount = /\$[\d.,]+/.exec(getCard(opened.text, label) ?? '')?.[0];
      expect(amount, label).toMatch(/^\$[1-9]/);
      expect(plain, label).toContain(amount);
    }
  },
);

test.each([
  ['reliability', 'Flaky rate', 'tab=reliability'],
  ['performance', 'Queue wait', 'metric=scope_queue_wait'],
])('the tab %s begins with the number of the list: %s', async (tab, label, link) => {
  const { text } = await visit.readPlain('/demo/ci?range=7');
  const [row = ''] = /<tr>(?:(?!<\/tr>)[\s\S])*workflows\/41100[\s\S]*?<\/tr>/.exec(text) ?? [];
  const shown = [...row.matchAll(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].flatMap(([, href = '', figure = '']) =>
    href.includes(link) ? [figure.replace(/<[^>]*>|\s/g, '')] : [],
  );
  const opened = await visit.readPlain(`${page}?tab=${tab}&range=7`);
  expect(shown).toContain((getCard(opened.text, label) ?? 'no card').replace(/\s/g, ''));
});

test('a workflow has one flaky rate: in its card, in the report on CI and in the list of workflows', async () => {
  const opened = await visit.readPlain(`${page}?tab=reliability`);
  const rate = getCard(opened.text, 'Flaky rate');
  expect(rate).toMatch(/[1-9]/);
  expect(opened.text.match(/aria-label="Flaky rate"/g)).toHaveLength(1);
  for (const list of ['/demo/ci', '/demo/repos/lumen-harbor/beacon-api/workflows']) {
    const { text } = await visit.readPlain(list);
    const [row = ''] = /<tr>(?:(?!<\/tr>)[\s\S])*workflows\/41100[\s\S]*?<\/tr>/.exec(text) ?? [];
    const [, shown = ''] = /tab=reliability[^>]*>([\s\S]*?)<\/a>/.exec(row) ?? [];
    expect(shown.replace(/<[^>]*>|\s/g, ''), list).toBe(rate?.replace(/\s/g, ''));
  }
  // Of a number of runs no list knows it.
  expect(getCard((await visit.readPlain(`${page}?tab=reliability&per_page=50`)).text, 'Flaky rate')).toBeDefined();
});

test('a day far above the others is a mark and a value above the axis of CI too', async () => {
  const marked: boolean[] = [];
  for (const situation of ['mixed', 'flaky', 'queue'])
    for (const range of [7, 30, 90]) {
      const scope = 'repo=lumen-harbor%2Ftidewater-web';
      const { text, content } = await visit.readPlain(`/demo/ci?situation=${situation}&range=${range}&${scope}`);
      const isMarked = text.includes('class="outlier"');
      expect([situation, range, isMarked]).toEqual([situation, range, /above axis: \d/.test(content)]);
      marked.push(isMarked);
    }
  expect(new Set(marked)).toEqual(new Set([true, false]));
});

test('runs that are stored are shown by range, and a workflow without any by its latest runs', async () => {
  const workflow = '/repos/octo/api/workflows/7101';
  const before = await visit.read(workflow);
  expect(before.content).not.toContain('or last runs');
  await synchronize(visit.site, visit.ann, { owner: 'octo', repo: 'api' });
  const after = await visit.read(workflow);
  expect(after.content).toContain('or last runs');
});
