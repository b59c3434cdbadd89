import { describe, expect, test } from 'vitest';
import { withoutOwnScripts } from '../support/form-page.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();
const repository = '/demo/repos/lumen-harbor/beacon-api';
const bot = 'tide-updates';

/** The bar of the page, without marks. */
const readBar = (text: string) =>
  (/aria-label="Range and scope"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const readChosen = (text: string) => /aria-label="Bots"[\s\S]*?aria-current="true">(\w+)</.exec(text)?.[1];

/** What follows the heading of the page: links of the frame lead elsewhere. */
const readMain = (text: string) => text.slice(text.indexOf('<main'));

describe('bots in or out, without scripts', () => {
  test.each([`${repository}/pull-requests`, `${repository}/team`, `${repository}/team?view=reviews`, '/demo/team'])(
    'can be chosen on %s, in unless the address says so',
    async (path) => {
      const { text } = await visit.read(path);
      expect(readChosen(text)).toBe('In');
      expect(readBar(text)).toContain('Times exclude bots');
      const [, href = ''] = /aria-label="Bots"[\s\S]*?href="([^"]*bots=out[^"]*)"/.exec(text) ?? [];
      const out = await visit.read(
        new URL(href.replaceAll('&amp;', '&'), `http://x${path}`).href.slice('http://x'.length),
      );
      expect(out.status).toBe(200);
      expect(readChosen(out.text)).toBe('Out');
      expect(readMain(out.text)).not.toContain(bot);
      expect(withoutOwnScripts(out.text)).not.toContain('<script');
      expect((await visit.read(`${path}${path.includes('?') ? '&' : '?'}bots=in`)).text).toContain('aria-label="Bots"');
    },
  );

  test.each([
    ['knowledge', 'Bots excluded'],
    ['workload', 'Bots listed separately'],
    ['runs', 'Bots listed separately'],
  ])('is said where the definitions fix it: %s', async (view, said) => {
    const { text } = await visit.read(`${repository}/team?view=${view}&bots=out`);
    expect(readBar(text)).toContain(said);
    expect(readChosen(text)).toBeUndefined();
  });

  test('the team counts what people merged, and its links and file say the same', async () => {
    const merged = async (query: string) =>
      Number(/Merged pull requests (\d+)/.exec((await visit.read(`${repository}/team${query}`)).content)?.[1]);
    const { text, content } = await visit.read(`${repository}/team`);
    const [, byBots] = /(\d+) by bots/.exec(content) ?? [];
    expect(text).toContain(bot);
    expect(await merged('?bots=out')).toBe((await merged('')) - Number(byBots));
    const out = await visit.read(`${repository}/team?bots=out`);
    const links = [...out.text.matchAll(/href="([^"]*(?:\/explain\?metric=|repo-contributors\?)[^"]*)"/g)].map(
      ([, href]) => href,
    );
    expect(links.length).toBeGreaterThan(5);
    for (const href of links) expect(href).toContain('bots=out');
    const evidence = links.find((href) => href?.includes('prs_merged_total'))?.replaceAll('&amp;', '&') ?? '';
    expect((await visit.read(evidence)).content).toContain(`Value ${await merged('?bots=out')} `);
  });

  test('open pull requests of bots are listed apart, and what the choice does not change is said', async () => {
    const all = await visit.read('/repos/octo/api/pull-requests');
    const byBots = Number(/By bots \((\d+)\)/.exec(all.content)?.[1] ?? 0);
    expect(byBots).toBeGreaterThan(0);
    expect(readBar(all.text)).not.toContain('Weekly merges');
    const out = await visit.read('/repos/octo/api/pull-requests?bots=out');
    expect(out.content).not.toContain('By bots');
    expect(readBar(out.text)).toContain('Weekly merges include bots');
    expect(out.text).toMatch(/open-pr-health\?[^"]*bots=out/);
    const samples = (text: string) => [...text.matchAll(/(in|ex)cluding bots/g)].map(([one]) => one);
    expect(new Set(samples(all.content))).toEqual(new Set(['including bots']));
    expect(samples(out.content).filter((one) => one === 'including bots')).toHaveLength(1);
  });

  test('moves along to other pages, where a page without the choice is as it was', async () => {
    const { text } = await visit.read(`${repository}/team?bots=out`);
    expect(text).toMatch(new RegExp(`href="${repository}/pull-requests\\?bots=out"`));
    const readBots = async (query: string) =>
      /Bots (\d+)/.exec((await visit.read(`/repos/octo/api${query}`)).content)?.[1];
    expect([await readBots(''), await readBots('?bots=out')]).toEqual(['1', '1']);
  });
});
