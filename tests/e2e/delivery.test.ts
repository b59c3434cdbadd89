import { describe, expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

/** What a page says, and its links. */
async function read(path: string) {
  const { status, text } = await visit.site.visit(path, { cookie: visit.ann });
  const main = /<main.*<\/main>/s.exec(text)?.[0] ?? '';
  const labels = main
    .replace(/<title\b.*?<\/title>/gs, ' ')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/(&nbsp;|\s)+/g, ' ');
  const links = [...main.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return { status, text, words: labels, links };
}

describe('the overview', () => {
  test('says in one sentence what happened in the last 7 days', async () => {
    const { words } = await read('/repos/octo/web');
    expect(words).toContain('Last 7 days: 4 merged (before: 0), 4 production deployments, 2 failed.');
  });

  test('estimates where too few deployments ended, and says so on the cards', async () => {
    const { words, links } = await read('/repos/octo/web');
    expect(words).toContain('fewer than 5 production deployments finished in 30 days');
    expect(words).toMatch(/n = 2 · estimated .*releases in 90 days/);
    expect(words).toContain('DORA 2023 clusters, retired by DORA in 2025');
    expect(words).toContain('no tier below 5');
    expect(links).toContain('/explain?metric=lead_time&owner=octo&repo=web');
    expect(links).toContain('/explain?metric=deployment_frequency&owner=octo&repo=web');
  });

  test('measures where enough ended, and each card opens to its evidence', async () => {
    const { words, links } = await read('/demo/repos/lumen-harbor/tidewater-web');
    expect(words).toContain('30 days, from deployments to production');
    expect(words).toContain('first commit to merge, not to production');
    expect(words).toMatch(/\d+ of \d+ finished production deployments in 30 days failed/);
    expect(words).toMatch(/Deployment frequency [\d.]+ per day .*? from \d+ finished, \d+ successful/);
    const evidence = links.filter((href) => href.startsWith('/demo/explain?metric='));
    for (const metric of ['deploys_per_day', 'lead_time', 'change_failure_rate_pct', 'mttr_hours']) {
      const href = evidence.find((one) => one.includes(`metric=${metric}&`)) ?? '';
      expect((await read(href)).words, metric).toContain('Counted');
    }
  });

  test('says which window each figure is of', async () => {
    const { words } = await read('/demo/repos/lumen-harbor/tidewater-web');
    expect(words).toContain('30 days · Lead time: 90 days');
    expect(words).toMatch(/Lead time to merge ≈ .{3,12} [−+±][\d.]+ % against the previous 30 days in 30 days/);
    expect(words).toContain('Change: last 30 days compared with the previous 30 days');
    const estimated = (await read('/repos/octo/web')).words;
    expect(estimated).toContain('releases in 90 days');
    expect(estimated).toContain('Last 90 days');
    expect(estimated).not.toContain('30 days · Lead time');
  });

  test('compares with the previous 30 days where they are known', async () => {
    const { words } = await read('/demo/repos/lumen-harbor/tidewater-web');
    expect(words).toMatch(/Previous 30 days: [\d.]+ per day from \d+/);
    expect(words).toMatch(/Previous 30 days: \d+ % from \d+/);
    expect((await read('/repos/octo/no-issues')).words).not.toContain('revious 30 days:');
  });

  test('has no tier and no zero where nobody merged anything', async () => {
    const { words } = await read('/repos/octo/no-issues');
    expect(words).toContain('Nothing merged in 90 days.');
    expect(words).toContain('No reverts or hotfixes.');
    expect(words).not.toMatch(/Elite|High –|Medium –|Low –/);
    expect(words).toContain('Last 7 days: 0 merged (before: 0).');
    expect(words).not.toMatch(/≈ 0 %/);
  });

  test('still shows the rest when delivery cannot be read', async () => {
    visit.site.double.fault({ path: '/graphql', times: 200 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const { status, words } = await read('/repos/octo/secret');
    expect(status).toBe(200);
    expect(words).toContain('Workflows');
    expect(words).toMatch(/Delivery.*Request/);
  });
});

describe('the deployments page', () => {
  test('is about production unless the address says another environment', async () => {
    const production = await read('/repos/octo/fork/deployments');
    expect(production.words).toContain('Deployments to Production — app per day');
    expect(production.links).toContain('?environment=domain-staging');
    const staging = await read('/repos/octo/fork/deployments?environment=domain-staging');
    expect(staging.words).toContain('Deployments to domain-staging per day');
    expect(staging.words).not.toContain('DORA');
    expect(staging.links).toContain('/explain?metric=deploys_per_day&owner=octo&repo=fork&environment=domain-staging');
    expect((await read('/repos/octo/fork/deployments?environment=nowhere')).words).toContain(
      'Production — app per day',
    );
  });

  test('counts to what can be opened, in the words of the environment', async () => {
    const { links } = await read('/repos/octo/fork/deployments?environment=domain-staging');
    const href = links.find((one) => one.includes('metric=total_deployments&')) ?? '';
    const { words } = await read(href);
    expect(words).toContain('Deployments to domain-staging created in the window');
    expect(words).not.toContain('to production');
  });

  test('distinguishes an environment that was taken down from one that something newer is in', async () => {
    const { words } = await read('/demo/repos/lumen-harbor/tidewater-web/deployments');
    expect(words).toMatch(/preview-\d+ succeeded no longer active/);
    expect(words).not.toMatch(/preview-\d+ succeeded superseded/);
    expect(words).toMatch(/production succeeded superseded/);
  });

  test('says who deployed what, how it went, and that it can be had as CSV', async () => {
    const { words, links } = await read('/repos/octo/web/deployments');
    expect(words).toMatch(/in progress ann .* succeeded .* failed .* succeeded superseded/);
    expect(words).toContain('n = 1, small sample, too few to rely on');
    const csv = links.find((href) => href.endsWith('format=csv')) ?? '';
    const { headers } = await visit.site.visit(csv, { cookie: visit.ann });
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
  });

  test('says since when nothing was restored', async () => {
    expect((await read('/repos/octo/renamed-now/deployments')).words).toContain('Failing since');
    const renamed = await read('/repos/octo/before/deployments');
    expect(renamed.words).toContain('Renamed to octo/renamed-now.');
  });

  test('reports old deployments from none at all, and what would make some', async () => {
    const stale = (await read('/repos/octo/old/deployments')).words;
    expect(stale).toContain('stale none in 30 days');
    expect(stale).toContain('36 deployments');
    const none = (await read('/repos/octo/no-actions/deployments')).words;
    expect(none).toContain('No deployments recorded in any environment.');
    expect(none).toContain('names an environment');
  });

  test('says that it may not be read, not that there is nothing', async () => {
    visit.site.double.fault({ path: '/graphql', times: 200 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const { words } = await read('/repos/ann/dotfiles/deployments');
    expect(words).not.toContain('No deployments recorded');
    expect(words).toContain('Request');
  });

  test('says which way the figures err when not everything was read', async () => {
    const now = Date.now();
    visit.site.double.addDeployments('many/repo-007', 700, { from: now - 28 * 86_400_000, to: now - 3_600_000 });
    const { words } = await read('/repos/many/repo-007/deployments');
    expect(words).toContain('counts are minimums');
    expect(words).toContain('no data');
  });

  test('is not found for who may not see the repository', async () => {
    expect((await read('/repos/octo/nope/deployments')).status).toBe(404);
  });
});
