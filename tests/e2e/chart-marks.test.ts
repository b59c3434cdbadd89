import { expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

/** The chart of durations by day, with the key, the list and the table of what happened beside it. */
async function readChart(path: string, title = 'Duration by day') {
  const { text } = await visit.read(path);
  const chart = text.split('<figure').find((one) => one.includes(title)) ?? '';
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

const gateway = 'repo=lumen-harbor%2Fharbor-gateway&range=30';

test.each([
  ['/demo/ci', 'Duration by day'],
  ['/demo/cost', 'Estimated cost per day'],
  ['/demo/reports', 'Runs per day'],
  ['/demo/reports', 'Duration of completed runs'],
])('%s marks changes, deployments and alerts of a repository in %s, in the table too', async (page, title) => {
  const { chart, key, items, cells } = await readChart(`${page}?${gateway}`, title);
  expect(key).toMatch(/workflow file changed.*deployed.*alert fired/);
  const changed = items.filter((item) => /^ ?[0-9a-f]{7} .+ workflow file changed, \d+ \w+ 20\d\d, /.test(item));
  const deployed = items.filter((item) => /deployments? to production/.test(item));
  const fired = items.filter((item) => /^ (?!harbor-gateway: ).*threshold .* alert fired, /.test(item));
  expect(deployed.length).toBeGreaterThan(3);
  expect(fired.length).toBeGreaterThan(0);
  expect(changed.length).toBeGreaterThan(3);
  expect(changed.length + deployed.length + fired.length).toBe(items.length);
  expect(chart.match(/class="annotation of-change"/g)).toHaveLength(changed.length + 1);
  expect(chart.match(/class="annotation of-alert"/g)).toHaveLength(fired.length + 1);
  const told = cells
    .filter((cell) => cell !== '–')
    .flatMap((cell) => cell.split(/; (?=workflow file changed: |deployed: |alert fired: )/));
  expect(told).toHaveLength(items.length);
});

test.each(['', '&tab=performance'])('changes of its own file are marked beside a workflow: %s', async (tab) => {
  const { key, items } = await readChart(`/demo/repos/lumen-harbor/tidewater-web/workflows/41000?range=30${tab}`);
  expect(key).toMatch(/workflow file changed.*deployed/);
  expect(items.filter((item) => item.includes(' workflow file changed, ')).length).toBeGreaterThan(3);
});

test('a chart of several repositories marks alerts alone, each with its repository', async () => {
  const { key, items } = await readChart('/demo/cost?org=lumen-harbor&range=30', 'Estimated cost per day');
  expect(key).toMatch(/alert fired/);
  expect(key).not.toMatch(/deployed|workflow file changed/);
  expect(items.filter((item) => /^ ?[a-z-]+: .*threshold/.test(item))).toHaveLength(items.length);
});

const workflow = 'repos/lumen-harbor/beacon-api/workflows/41100';

test.each(['ci', workflow])('the median of the period before is dashed beside that of %s', async (page) => {
  const { chart } = await readChart(`/demo/${page}?range=30`);
  expect(chart).toMatch(/<path class="dashed" d="M/);
  expect(chart).toMatch(/<th[^>]*>previous<\/th>/);
  const { chart: alone } = await readChart(`/demo/${page}?range=30&compare=off`);
  expect(alone).not.toMatch(/class="dashed"|>previous</);
});

test.each(['workflows?', 'workflow-durations?owner=lumen-harbor&repo=beacon-api&workflow_id=41100&'])(
  'the days before are those that a range of their own has: %s',
  async (operation) => {
    const ask = async (range: string) =>
      JSON.parse((await visit.site.visit(`/demo/api/db/${operation}range=${range}`)).text);
    const { days_before: before } = await ask('2026-10-21..2026-10-30');
    expect(before).toHaveLength(10);
    // Those of a range of their own say what they cost, too.
    const { days } = await ask('2026-10-11..2026-10-20');
    expect(days).toMatchObject(before.map(({ partial: _, ...day }: { partial: boolean }) => day));
  },
);
