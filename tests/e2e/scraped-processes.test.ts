import { expect, test } from 'vitest';
import { sharedFamilies } from '../../server/openmetrics/shared.ts';
import { delivered, webhookSecret } from '../codehost-double/webhook.ts';
import { lint, series } from '../openmetrics/lint.ts';
import { postgresDatabase } from '../support/database.ts';
import { type Site, startSiteProcess } from '../support/site.ts';

const METRICS_TOKEN = 'n2Vb84kQwe7RtYu1opAs3dFgHjKlZx9c';

async function scrape(site: Site): Promise<Map<string, number>> {
  const answer = await fetch(`${site.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await answer.text();
  expect([answer.status, lint(text)]).toEqual([200, []]);
  return series(text);
}

const deliver = async (site: Site) => {
  const { body, headers } = delivered({ action: 'created' }, { event: 'star' });
  expect((await fetch(`${site.url}/api/webhooks/codehost`, { method: 'POST', body, headers })).status).toBe(200);
};

const skipped = 'das_webhook_deliveries_total{event="other",outcome="skipped"}';
const requests = 'das_http_requests_total{operation="/api/webhooks/codehost",method="POST",status_class="2xx"}';

/** What all processes count together. */
const sharedCounts = (values: ReadonlyMap<string, number>) =>
  [...values].filter(([key]) =>
    sharedFamilies.some(({ name, type }) => type === 'counter' && key.startsWith(`${name}_total`)),
  );

postgresDatabase((database) => {
  test('of two processes each shows its own counts and those of both, also after a restart', async () => {
    const env = {
      DATABASE_URL: await database.migrated(),
      CODEHOST_WEBHOOK_SECRET: webhookSecret,
      METRICS_TOKEN,
      SCHEDULER: 'off',
    };
    const one = await startSiteProcess(env);
    const other = await startSiteProcess(env);
    for (const site of [one, one, other]) await deliver(site);
    for (const site of [one, other])
      await expect.poll(async () => (await scrape(site)).get(skipped), { timeout: 10_000 }).toBe(3);
    const [ofOne, ofOther] = [await scrape(one), await scrape(other)];
    expect([ofOne.get(requests), ofOther.get(requests)]).toEqual([2, 1]);
    expect(sharedCounts(ofOne)).toEqual(sharedCounts(ofOther));
    await one.stop();
    const again = await startSiteProcess(env);
    await deliver(again);
    await expect.poll(async () => (await scrape(again)).get(skipped), { timeout: 10_000 }).toBe(4);
    const after = await scrape(again);
    expect(after.get(requests)).toBe(1);
    for (const [key, value] of sharedCounts(ofOne)) expect(after.get(key), key).toBeGreaterThanOrEqual(value);
    await Promise.all([again.stop(), other.stop()]);
  });
});
