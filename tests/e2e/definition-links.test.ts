import { expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();
const harbor = '/demo/repos/lumen-harbor';

test.each([
  [`${harbor}/tidewater-web/pull-requests`, ['cycle_time_to_open', 'cycle_pickup', 'cycle_review', 'cycle_merge']],
  [`${harbor}/tidewater-web`, ['corroborated_failure_rate_pct', 'rework_rate_pct']],
  [`${harbor}/beacon-api/workflows`, ['recent_success_rate', 'run_health']],
  ['/demo/repositories', ['recent_success_rate', 'run_health']],
])('what %s shows is defined one click away', async (path, metrics) => {
  const { links } = await visit.readPlain(path);
  for (const metric of metrics) {
    expect(links, path).toContain(`/docs/metrics/${metric}`);
    expect((await visit.readPlain(`/docs/metrics/${metric}`)).status, metric).toBe(200);
  }
});
