import { expect, expectTypeOf, test } from 'vitest';
import { fromWire, toWire } from '../../server/domain/wire.ts';

const queue = { p95QueueMs: 1200, mean: null as number | null };
const runner = { runnerName: 'runner 1', failureRate: 12, labels: ['self-hosted'], byQueue: [queue] };

test('keys are written in snake_case, values and lists stay as they are', () => {
  expect(toWire(runner)).toEqual({
    runner_name: 'runner 1',
    failure_rate: 12,
    labels: ['self-hosted'],
    by_queue: [{ p95_queue_ms: 1200, mean: null }],
  });
});

test('the type has the same keys', () => {
  expectTypeOf(toWire(runner)).toEqualTypeOf<{
    runner_name: string;
    failure_rate: number;
    labels: string[];
    by_queue: { p95_queue_ms: number; mean: number | null }[];
  }>();
});

test('parameters are read back by the names of the domain, without those that are undefined', () => {
  const given = { owner_note: null, window_hours: 24, min_sample: undefined };
  expect(fromWire<{ ownerNote: string | null; windowHours: number; minSample: number }>(given)).toEqual({
    ownerNote: null,
    windowHours: 24,
  });
});
