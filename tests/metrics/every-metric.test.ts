import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPeople } from '../../server/metrics/people/people.ts';
import { rounds } from '../support/rounds.ts';
import { type DeliveryWorld, shuffled } from './delivery-worlds.ts';
import { inEveryWorld, sampleWorlds } from './every-world.ts';
import { inDelivery, inRuns } from './held-everything.ts';
import { type HeldMetrics, valuesOf } from './held-metrics.ts';
import { type World, worlds } from './worlds.ts';

const someWorlds = sampleWorlds().slice(0, 300);

function inEveryRunWorld(check: (world: World) => void): void {
  fc.assert(fc.property(worlds, check), { numRuns: rounds('PROPERTY_RUNS', 50, 1000) });
}

/** The exported metrics and functions that make one, as the modules of the floor declare them. */
function declared(): string[] {
  const floor = new URL('../../server/metrics/', import.meta.url);
  return readdirSync(floor, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'kernel/metric.ts')
    .flatMap((file) => readFileSync(new URL(file, floor), 'utf8').split(/^(?=export )/m))
    .flatMap((text) => {
      const [, made, result] = /^export function (\w+)\([\s\S]*?\): (\w+)/.exec(text) ?? [];
      const [, named] = /^export const (\w+)(?:: Metric<| = metric<)/.exec(text) ?? [];
      return result === 'Metric' && made ? made : (named ?? []);
    })
    .sort();
}

function expectTrue(metrics: HeldMetrics): void {
  expect(valuesOf(metrics, 'value')).toEqual(valuesOf(metrics, 'expected'));
  for (const [name, cases] of Object.entries(metrics))
    for (const { unit, value, opens } of cases) {
      opens();
      const isShare = ['percent', 'score'].includes(unit) && value !== null;
      if (isShare) expect([name, value >= 0, value <= 100]).toEqual([name, true, true]);
    }
}

test('every metric of the floor is held against a second reading', () => {
  const [world] = sampleWorlds();
  const [runs] = fc.sample(worlds, { numRuns: 1, seed: 1 });
  const known = { ...inDelivery(world as DeliveryWorld, createPeople()), ...inRuns(runs as World) };
  expect(declared().length).toBeGreaterThan(45);
  expect(Object.keys(known).sort()).toEqual(declared());
});

describe('every metric, in random worlds,', () => {
  test('has the value of its evidence and of its naive twin; shares lie between 0 and 100', () => {
    inEveryWorld((world, people) => expectTrue(inDelivery(world, people)));
    inEveryRunWorld((world) => expectTrue(inRuns(world)));
  });

  test('is the same in any order of the facts', () => {
    for (const world of someWorlds) {
      const people = createPeople(world.links, ['own-ci']);
      const mixed = valuesOf(inDelivery(shuffled(world, 11), people), 'value');
      expect(mixed).toEqual(valuesOf(inDelivery(world, people), 'value'));
    }
    inEveryRunWorld((world) => {
      const back = { ...world, attempts: world.attempts.toReversed() };
      expect(valuesOf(inRuns(back), 'value')).toEqual(valuesOf(inRuns(world), 'value'));
    });
  });

  test('does not change by a link, unless it asks who somebody is', () => {
    const asks =
      /^(person|reviewed|selfMerged|firstPass|timeToFirst|approvalTo|phaseTime|overallBusFactor|scopeAwaiting)/;
    const others = (metrics: HeldMetrics) => valuesOf(metrics, 'value').filter(([name]) => !asks.test(String(name)));
    for (const world of someWorlds) {
      const apart = inDelivery({ ...world, links: [] }, createPeople([], ['own-ci']));
      expect(others(apart)).toEqual(others(inDelivery(world, createPeople(world.links, ['own-ci']))));
    }
  });
});

test('the random worlds give every metric several values', () => {
  const found = new Map<string, Set<number | null>>();
  const runs = fc.sample(worlds, { numRuns: 300, seed: 1 }).map(inRuns);
  const all = someWorlds.map((world) => inDelivery(world, createPeople(world.links, ['own-ci'])));
  for (const [name, cases] of [...runs, ...all].flatMap(Object.entries) as [string, HeldMetrics[string]][])
    for (const [index, { value }] of cases.entries()) {
      const key = name === 'timeToRestore' ? name : `${name} ${index}`;
      found.set(key, (found.get(key) ?? new Set()).add(value));
    }
  expect([...found].filter(([, values]) => values.size < 4).map(([key]) => key)).toEqual([]);
});
