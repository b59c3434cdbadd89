import { expect, expectTypeOf, test } from 'vitest';
import { type CamelCase, camelCase, fromWire } from '../../server/domain/wire.ts';

test('names lose their underscores, in types too', () => {
  expect(['failure_rate', 'p95_queue_ms', 'last_30_days', 'commitsMeasured', 'repo'].map(camelCase)).toEqual([
    'failureRate',
    'p95QueueMs',
    'last30Days',
    'commitsMeasured',
    'repo',
  ]);
  expectTypeOf<
    CamelCase<{ last_30_days: number; by_queue: { p95_queue_ms?: number }[]; commitsMeasured: null; raw: unknown }>
  >().toEqualTypeOf<{
    last30Days: number;
    byQueue: readonly { p95QueueMs?: number }[];
    commitsMeasured: null;
    raw: unknown;
  }>();
});

test('parameters are read by the names of the domain, without those that are undefined', () => {
  const given = { owner_note: null, window_hours: 24, min_sample: undefined };
  expect(fromWire(given)).toEqual({ ownerNote: null, windowHours: 24 });
});
