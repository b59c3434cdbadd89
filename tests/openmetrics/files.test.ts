import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { ownFamilies } from '../../server/openmetrics/families.ts';
import { deliveryFamilies } from '../../server/openmetrics/repository-families.ts';
import { sharedFamilies } from '../../server/openmetrics/shared.ts';
import { sampleName } from '../../server/platform/exposition.ts';
import { monitoringFiles, monitoringQueries, readServed } from '../support/monitoring-files.ts';

describe.each([...monitoringFiles])('%s', (name, made) => {
  test('is served as the declarations make it', () => {
    expect(readServed(name)).toBe(made);
  });

  test('can be read', () => {
    expect(name.endsWith('.json') ? JSON.parse(made) : load(made)).toBeTypeOf('object');
  });
});

test('every query names declared samples alone', () => {
  const families = [...ownFamilies, ...sharedFamilies, ...deliveryFamilies];
  const names = new Set(
    families.flatMap((family) =>
      family.type === 'histogram'
        ? ['_bucket', '_count', '_sum'].map((suffix) => `${family.name}${suffix}`)
        : [sampleName(family)],
    ),
  );
  const used = monitoringQueries.flatMap((query) => query.match(/\bdas_\w+/g) ?? []);
  expect(used.length).toBeGreaterThan(30);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
});

test('what all processes see alike is never summed over them', () => {
  const shared = new Set([...sharedFamilies, ...deliveryFamilies].map(sampleName));
  for (const query of monitoringQueries)
    for (const name of query.match(/\bdas_\w+/g) ?? []) if (shared.has(name)) expect(query).not.toMatch(/\bsum\b/);
});

interface Dashboard {
  id: null;
  schemaVersion: number;
  templating: { list: { type: string; uid?: string }[] };
  panels: { title: string; datasource: { uid: string } }[];
}

test.each(['grafana-delivery.json', 'grafana-service.json'])(
  '%s names no installation, and each panel its window',
  (name) => {
    const dashboard: Dashboard = JSON.parse(monitoringFiles.get(name) ?? '');
    expect([dashboard.id, dashboard.schemaVersion]).toEqual([null, 41]);
    expect(dashboard.templating.list.filter(({ type }) => type === 'datasource')).toHaveLength(1);
    for (const { title, datasource } of dashboard.panels) {
      expect(datasource.uid, title).toBe(`\${${'datasource'}}`);
      if (name === 'grafana-delivery.json') expect(title).toMatch(/\d+ days$|^Age of the data$/);
    }
  },
);
