import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DocumentedMetric,
  type MetricEvidence,
  readCatalogue,
} from '../../../app/routes/docs/metrics/catalogue.ts';
import { families } from '../../../app/routes/docs/metrics/families.ts';
import { alertMetrics } from '../../../server/alerts/metrics.ts';
import { explain } from '../../../server/api/explain.ts';
import { operations } from '../../../server/api/registry.ts';
import { panel } from '../../../server/http/adapters.ts';
import { createContext, demoContext } from '../../../server/http/context.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { explanations } from '../../../server/reports/kernel/explanations.ts';
import type { DeliveryWorld } from '../../metrics/delivery-worlds.ts';
import { sampleWorlds } from '../../metrics/every-world.ts';
import { inDelivery, inRuns } from '../../metrics/held-everything.ts';
import { type World, worlds } from '../../metrics/worlds.ts';
import { type Service, startService } from '../../support/service.ts';
import { oldPhrases } from '../../words/phrases.ts';

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

/** The keys of all that is declared, each metric as `every-metric.test.ts` finds it. */
function declaredKeys(): string[] {
  const [world] = sampleWorlds();
  const [runs] = fc.sample(worlds, { numRuns: 1, seed: 1 });
  const held = { ...inDelivery(world as DeliveryWorld, createPeople()), ...inRuns(runs as World) };
  return Object.values(held).flatMap((cases) => cases.map(({ key }) => key));
}

test('every declared metric has a page, once, and no page is without one', () => {
  const keys = new Set([...declaredKeys(), ...explanations.keys(), ...alertMetrics.map(({ key }) => key)]);
  expect(keys.size).toBeGreaterThan(90);
  expect(families.flatMap((family) => family.keys).sort()).toEqual([...keys].sort());
  expect([...metrics.keys()].sort()).toEqual([...keys].sort());
});

test('what is estimated never bears the name of what is measured from deployments', () => {
  const labelsOf = (family: string) =>
    [...metrics.values()].filter((each) => each.family.label === family).map(({ label }) => label);
  const [estimated, measured] = [labelsOf('Delivery, estimated'), labelsOf('Deployments')];
  expect(measured).toContain('Deployment frequency');
  expect(estimated.filter((label) => measured.includes(label))).toEqual([]);
});

test('each is defined in a sentence, by the terms of the field, and says where it is shown', () => {
  for (const { key, label, definition, levels, highlights, alert, evidence, family } of metrics.values()) {
    expect(label, key).toMatch(/^[A-Z]/);
    expect(definition, key).toMatch(/^[A-Z1-9].{20,}\.$/);
    expect(evidence?.noValue ?? 'No data.', key).toMatch(/^[A-Z].*\.$/);
    const shown = [label, definition, levels, highlights, alert?.definition, evidence?.counts, evidence?.noValue];
    expect(
      shown.flatMap((text) => oldPhrases(text ?? '')),
      key,
    ).toEqual([]);
    expect(family.page.href, key).toMatch(/^\/(demo|alerts)/);
  }
});

test('thresholds are those of the code', () => {
  expect(metrics.get('success_rate')?.highlights).toBe(
    'Critical below 50\u00a0%. Warning below 80\u00a0%. None with fewer than 10 runs.',
  );
  expect(metrics.get('queue_wait')?.highlights).toContain('Critical above 5\u00a0min');
  expect(metrics.get('flaky_rate')?.evidence?.noValue).toMatch(/^With fewer than 10 commits /);
  expect(metrics.get('failure_rate')?.alert?.minSample).toBe(5);
  expect(metrics.get('lead_time')?.levels).toContain('Elite: under 1 day.');
});

test.each([...explanations.keys()])('%s comes to the same in its example and in the demo', async (key) => {
  const { evidence } = metrics.get(key) as DocumentedMetric;
  const { example } = evidence as MetricEvidence;
  // The page of the demo that the example leads to has the same number.
  const query = new URL(example.href, 'http://localhost').searchParams;
  const extra = Object.fromEntries(query);
  const answer = await panel(explain, { context: demoContext(requested()), params: {}, extra });
  expect(answer).toMatchObject({ ok: true, data: { metric: key, value: example.value, sample: example.sample } });
  expect(example.items.length).toBeLessThanOrEqual(Math.min(20, example.sample));
});

test('nearly every example has a value, from few facts where the metric allows it', () => {
  const unknown = [...metrics.values()].filter(({ evidence }) => evidence?.example.value === null);
  expect(unknown.map(({ key }) => key)).toEqual([]);
  expect(metrics.get('lead_time')?.evidence?.example).toMatchObject({
    scope: 'lumen-harbor/anchor-charts',
    sample: 17,
  });
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
