import { expect, test } from 'vitest';
import { measureBudgets } from '../../server/openmetrics/budget.ts';
import { writeExposition } from '../../server/platform/exposition.ts';
import { openServiceToken } from '../../server/platform/service-token.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { startService } from '../support/service.ts';
import { series } from './lint.ts';

const hour = 3_600_000;
const shown = async (...given: Parameters<typeof measureBudgets>) =>
  series(await writeExposition(measureBudgets(...given), 'text'));

test('what is left is a share of the limit, until it is renewed', async () => {
  const budgets = new Map([
    ['core', { limit: 5000, remaining: 1250, resetAt: namedNow + hour }],
    ['graphql', { limit: 5000, remaining: 0, resetAt: namedNow + hour }],
    ['search', { limit: 0, remaining: 0, resetAt: namedNow + hour }],
  ]);
  const found = await shown(budgets, namedNow);
  const ratio = (api: string) => found.get(`das_codehost_budget_remaining_ratio{token="service",api="${api}"}`);
  expect(['rest', 'graphql', 'search'].map(ratio)).toEqual([0.25, 0, undefined]);
  expect(found.get('das_codehost_budget_reset_timestamp_seconds{token="service",api="rest"}')).toBe(
    (namedNow + hour) / 1000,
  );
  expect((await shown(budgets, namedNow + hour)).size).toBe(0);
});

test('the quota of the service token alone is shown, once it was used', async () => {
  const METRICS_TOKEN = 'q7RmZ2xLw9TgYb4KsVn8JdHc3PfAeUi5';
  const service = await startService({ METRICS_TOKEN, CODEHOST_TOKEN: 'token-ann' });
  const { env, connect } = service.app.services;
  const scrape = async () => {
    service.clock.advance(1001);
    const { text } = await service.ask('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    return series(text).get('das_codehost_budget_remaining_ratio{token="service",api="rest"}');
  };
  await connect('token-bo').workflows.list({ owner: 'octo', repo: 'api' });
  expect(await scrape()).toBeUndefined();
  if (!env.CODEHOST_TOKEN) throw new Error('no service token');
  await connect(openServiceToken(env.CODEHOST_TOKEN)).workflows.list({ owner: 'octo', repo: 'api' });
  expect(await scrape()).toBeCloseTo(0.9998, 6);
  await service.close();
});
