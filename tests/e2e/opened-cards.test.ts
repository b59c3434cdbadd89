import { beforeAll, expect, test } from 'vitest';
import { addBusyRepository } from '../recorded/busy-repository.ts';
import { getText, visitSite } from './visited-site.ts';

const visit = visitSite();
beforeAll(async () => {
  addBusyRepository(visit.site.double.world);
  for (const repo of ['tide', 'web']) {
    const headers = { origin: visit.site.url };
    await visit.site.visit(`/api/db/sync?owner=octo&repo=${repo}`, { cookie: visit.ann, headers, form: {} });
  }
});

interface Card {
  label: string;
  value: string;
  /** How many it is made of; null where the card does not say. */
  sample: number | null;
  /** Where the number is opened. */
  href: string;
}

const toNumber = (text = '') => Number(text.replaceAll(',', ''));
const say = (html = '') => getText(html).trim();

/** The cards of a page that open the number. */
async function readCards(path: string): Promise<Card[]> {
  const [, ...cards] = (await visit.read(path)).text.split('role="article"');
  return cards.flatMap((card) => {
    const [, href, label] = /<h3><a href="([^"]*\/explain\?[^"]*)">(.*?)<\/a>/s.exec(card) ?? [];
    if (!href) return [];
    const [, headline] = /<p class="[^"]*headline[^"]*">(.*?)<\/p>/s.exec(card) ?? [];
    const [, source] = /class="source">(?:<summary>)?(.*?)<\/(?:summary|p)>/s.exec(card) ?? [];
    const [, sample] = /(?:n = |from )([\d,]+)/.exec(say(source)) ?? [];
    return {
      label: say(label),
      value: say(headline).replace(/^(≈|at least) /, ''),
      sample: sample === undefined ? null : toNumber(sample),
      href: href.replaceAll('&amp;', '&'),
    };
  });
}

/** The value that is opened, and what it is made of. */
async function open({ href }: Card) {
  const { text } = await visit.read(href);
  const fact = (name: string) => say(new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, 's').exec(text)?.[1]);
  return { value: fact('Value'), counted: toNumber(/^[\d,]+/.exec(fact('Counted'))?.[0]) };
}

const pages = [
  ...['', '?range=7', '?range=90', '?range=quarter', '?org=lumen-harbor'].map((query) => `/demo${query}`),
  ...['', '?range=7', '?view=slow', '?repo=lumen-harbor%2Fbeacon-api'].map((query) => `/demo/ci${query}`),
  '/demo/cost',
  '/demo/org/lumen-harbor',
  '/demo/repos/lumen-harbor/tidewater-web',
  '/demo/repos/lumen-harbor/pilot-mobile',
  '/',
  '/?range=7&org=octo',
  '/ci?repo=octo%2Ftide&range=90',
  '/org/octo',
  '/repos/octo/tide',
];

test.each(pages)('every card of %s opens the number that it shows', async (path) => {
  const cards = await readCards(path);
  expect(cards.length).toBeGreaterThan(1);
  for (const card of cards) {
    const { value, counted } = await open(card);
    const shown = card.value === '–' ? /^–/.test(value) : value === card.value;
    expect([card.label, card.value, value, shown]).toEqual([card.label, card.value, value, true]);
    if (card.sample !== null) expect([card.label, counted]).toEqual([card.label, card.sample]);
  }
});

test.each(['', 'range=7', 'range=90', 'range=quarter'])(
  'Home, CI and organization show the same runs: %s',
  async (query) => {
    const [home, ci] = await Promise.all([readCards(`/demo?${query}`), readCards(`/demo/ci?view=slow&${query}`)]);
    const find = (cards: Card[], label: RegExp) => cards.find((card) => label.test(card.label));
    const [onHome, onCi] = [home, ci].map((cards) => find(cards, /^Median.* duration$/));
    expect([onHome?.value, onHome?.sample]).toEqual([onCi?.value, onCi?.sample]);
    const all = find(await readCards(`/demo/ci?view=waste&${query}`), /^Failure rate$/);
    const rate = find(home, /^Failure rate$/);
    expect([rate?.value, rate?.sample]).toEqual([all?.value, all?.sample]);
    if (query !== '') return;
    const success = find(await readCards('/demo/org/lumen-harbor'), /^Success rate, all branches$/);
    expect(success?.sample).toBe(rate?.sample);
    expect(Number.parseFloat(success?.value ?? '') + Number.parseFloat(rate?.value ?? '')).toBeCloseTo(100, 5);
  },
);
