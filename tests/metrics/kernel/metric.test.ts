import { describe, expect, test } from 'vitest';
import { metric } from '../../../server/metrics/kernel/metric.ts';

interface Delivery {
  environment: string;
  outcome: 'pass' | 'fail' | 'open';
}

const changeFailure = metric<Delivery>({
  key: 'change_failure',
  label: 'Change failure',
  unit: 'percent',
  better: 'lower',
  source: 'finished production deliveries',
  digits: 1,
  counts: ({ environment, outcome }) => (environment === 'production' ? outcome !== 'open' || 'still open' : false),
  share: ({ outcome }) => outcome === 'fail',
});

const production = (outcome: Delivery['outcome']): Delivery => ({ environment: 'production', outcome });

describe('a metric', () => {
  test('measures with unit, sample and source', () => {
    const deliveries = [production('pass'), production('pass'), production('fail'), production('open')];
    expect(changeFailure(deliveries)).toEqual({
      value: 33.3,
      unit: 'percent',
      sample: 3,
      source: 'finished production deliveries',
    });
  });

  test('says null, not zero, when nothing counts', () => {
    expect(changeFailure([])).toMatchObject({ value: null, sample: 0 });
    expect(changeFailure([production('open')])).toMatchObject({ value: null, sample: 0 });
    expect(changeFailure.reduce([])).toBeNull();
  });

  test('of a count is 0 of nothing, where the declaration says so', () => {
    const count = metric<number>({
      key: 'big',
      label: 'Big numbers',
      unit: 'count',
      better: 'neither',
      source: 'numbers above ten',
      valueWhenEmpty: 0,
      counts: (value) => value > 10,
      value: (values) => values.length,
    });
    expect(count([1])).toMatchObject({ value: 0, sample: 0 });
    expect(count([1, 11])).toMatchObject({ value: 1, sample: 1 });
  });

  test('of a share tells how many it is made of, and others do not', () => {
    const size = metric<number>({
      key: 'size',
      label: 'Size',
      unit: 'count',
      better: 'neither',
      source: 'numbers',
      minSample: 2,
      counts: () => true,
      value: (values) => Math.max(...values),
    });
    expect(changeFailure.countPart([production('pass'), production('fail')])).toBe(1);
    expect(size.countPart([1, 2])).toBeNull();
    expect([size([1]).value, size([1, 2]).value]).toEqual([null, 2]);
  });

  test('never computes a value of nothing', () => {
    const fragile = metric<number>({
      key: 'first',
      label: 'First',
      unit: 'count',
      better: 'neither',
      source: 'numbers',
      counts: () => false,
      value: () => {
        throw new Error('asked for the value of nothing');
      },
    });
    expect(fragile([1, 2]).value).toBeNull();
  });

  test('carries its declaration', () => {
    const { key, label, unit, better, source, definition } = changeFailure;
    expect({ key, label, unit, better, source, definition }).toEqual({
      key: 'change_failure',
      label: 'Change failure',
      unit: 'percent',
      better: 'lower',
      source: 'finished production deliveries',
      definition: null,
    });
  });

  test('opens its evidence with a reason for everything excluded', () => {
    const [passed, open, elsewhere] = [production('pass'), production('open'), { ...production('pass') }];
    elsewhere.environment = 'staging';
    expect(changeFailure.evidence([passed, open, elsewhere])).toEqual({
      counted: [passed],
      excluded: [
        { fact: open, reason: 'still open' },
        { fact: elsewhere, reason: 'not among finished production deliveries' },
      ],
    });
  });
});
