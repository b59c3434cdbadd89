import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocumentedMetric, readCatalogue } from '../../../app/routes/docs/metrics/catalogue.ts';
import { families } from '../../../app/routes/docs/metrics/families.ts';
import { explain } from '../../../server/api/explain.ts';
import { operations } from '../../../server/api/registry.ts';
import { panel } from '../../../server/http/adapters.ts';
import { createContext, demoContext } from '../../../server/http/context.ts';
import { explanations } from '../../../server/reports/kernel/explanations.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
let metrics: ReadonlyMap<string, DocumentedMetric>;
const requested = () =>
  createContext(service.app.services, {
    method: 'GET',
    url: new URL('http://localhost:3000/docs/metrics'),
    headers: new Headers(),
    address: '127.0.0.1',
    signal: new AbortController().signal,
  });

beforeAll(async () => {
  service = await startService();
  metrics = await readCatalogue(requested());
});
afterAll(() => service.close());

test('every explained metric has a page, once', () => {
  expect(families.flatMap(({ keys }) => keys).sort()).toEqual([...explanations.keys()].sort());
  expect([...metrics.keys()].sort()).toEqual([...explanations.keys()].sort());
});

test.each([...explanations.keys()])('%s says what it means, and what the sample comes to', async (key) => {
  const metric = metrics.get(key);
  expect(metric?.label).toMatch(/^[A-Z]/);
  expect(`${metric?.definition ?? metric?.counts}`.length).toBeGreaterThan(10);
  const { example } = metric as DocumentedMetric;
  // The page of the demo that the example leads to has the same number.
  const query = new URL(example.href, 'http://localhost').searchParams;
  const extra = Object.fromEntries(query);
  const answer = await panel(explain, { context: demoContext(requested()), params: {}, extra });
  expect(answer).toMatchObject({ ok: true, data: { metric: key, value: example.value, sample: example.sample } });
  expect(example.items.length).toBeLessThanOrEqual(Math.min(20, example.sample));
});

test('nearly every example has a value, from few facts where the metric allows it', () => {
  const examples = [...metrics.values()];
  const unknown = examples.filter(({ example }) => example.value === null).map(({ key }) => key);
  expect(unknown).toEqual([]);
  expect(metrics.get('lead_time')?.example).toMatchObject({ scope: 'lumen-harbor/anchor-charts', sample: 17 });
});

test('a job is no part of the name of its metric', () => {
  expect(metrics.get('critical_path_share')?.label).toBe('On the critical path');
});

test.each(families)('$label ($keys) names operations that exist', ({ operations: paths }) => {
  const known = operations.map(({ path }) => path);
  for (const path of paths) expect(known).toContain(path);
});

test('examples are computed once a day', async () => {
  expect(await readCatalogue(requested())).toBe(metrics);
  service.clock.advance(86_400_000);
  const next = await readCatalogue(requested());
  expect(next).not.toBe(metrics);
  expect([...next.keys()]).toEqual([...metrics.keys()]);
});
