import { expect, test } from 'vitest';
import { withoutOwnScripts } from '../support/form-page.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

/** The chart of durations by day, with the key, the list and the table of what happened beside it. */
async function readChart(path: string) {
  const { text } = await visit.read(path);
  expect(withoutOwnScripts(text)).not.toContain('<script');
  const chart = text.split('<figure').find((one) => one.includes('Duration by day')) ?? '';
  const strip = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const [, key = ''] = /<ul class="legend"[^>]*>([\s\S]*?)<\/ul>/.exec(chart) ?? [];
  const [, list = ''] = /<ol class="annotations">([\s\S]*?)<\/ol>/.exec(chart) ?? [];
  const cells = [...chart.matchAll(/<td class="words">([\s\S]*?)<\/td>/g)].map(([, cell = '']) => strip(cell));
  return { chart, key: strip(key), items: list.split('<li>').slice(1).map(strip), cells };
}

test.each(['', '&tab=performance'])(
  'deployments and alerts are marked beside the durations of a workflow, in the table too: %s',
  async (tab) => {
    const gateway = '/demo/repos/lumen-harbor/harbor-gateway/workflows/41200?range=30';
    const { chart, key, items, cells } = await readChart(`${gateway}${tab}`);
    expect(key).toMatch(/deployed.*alert fired/);
    const deployed = items.filter((item) => /^\d+ deployments? to production.* deployed, \d+ \w+ 20\d\d, /.test(item));
    const fired = items.filter((item) => /threshold .* alert fired, /.test(item));
    expect(deployed.length).toBeGreaterThan(3);
    expect(fired.length).toBeGreaterThan(0);
    expect(deployed.length + fired.length).toBe(items.length);
    expect(chart.match(/class="annotation of-deployment"/g)).toHaveLength(deployed.length + 1);
    expect(chart).toMatch(/href="\/demo\/[^"]*"[^>]*>[^<]*threshold/);
    const told = cells.filter((cell) => cell !== '–').flatMap((cell) => cell.split('; '));
    expect(told).toHaveLength(items.length);
    expect(told.filter((one) => one.startsWith('deployed: '))).toHaveLength(deployed.length);
  },
);

test('alerts about other repositories are not marked', async () => {
  const { chart, key } = await readChart('/demo/repos/lumen-harbor/pilot-mobile/workflows/41300?range=30');
  expect(chart).toContain('Duration by day');
  expect(key).not.toContain('alert fired');
});
