import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { member } from '../../server/access/rules.ts';
import { operation } from '../../server/api/operation.ts';
import { operations } from '../../server/api/registry.ts';
import { type Domain, toWire } from '../../server/api/wire.ts';
import { instant } from '../../server/reports/kernel/instants.ts';

const Queue = z.object({ p95_queue_ms: z.int(), mean: z.int().nullable() });
const Runner = z.object({
  runner_name: z.string(),
  last_30_days: z.int(),
  started_at: instant.nullable(),
  labels: z.array(z.string()),
  by_queue: z.array(Queue),
  note_text: z.string().optional(),
});

const runner: Domain<typeof Runner> = {
  runnerName: 'runner 1',
  last30Days: 12,
  startedAt: 0,
  labels: ['self_hosted'],
  byQueue: [{ p95QueueMs: 1200, mean: null }],
};

const written = {
  runner_name: 'runner 1',
  last_30_days: 12,
  started_at: 0,
  labels: ['self_hosted'],
  by_queue: [{ p95_queue_ms: 1200, mean: null }],
};

test('fields are written as the schema names them, values and lists stay as they are', () => {
  expect(toWire(Runner, runner)).toEqual(written);
  expect(toWire(Runner.nullable(), null)).toBeNull();
  expect(toWire(z.array(Runner), [runner])).toEqual([written]);
});

test('what a schema does not declare is left out, what is undefined too', () => {
  expect(toWire(Runner, { ...runner, secretKey: 'x', noteText: undefined })).toStrictEqual(written);
});

test('a field that is written in camelCase keeps its name', () => {
  const Habits = z.object({ commitsMeasured: z.int(), pull_requests: z.int() });
  expect(toWire(Habits, { commitsMeasured: 1, pullRequests: 2 })).toEqual({ commitsMeasured: 1, pull_requests: 2 });
});

test('keys that are names of things stay, and what they lead to is written', () => {
  const ByName = z.object({ by_name: z.record(z.string(), Queue), any_key: z.record(z.string(), z.number()) });
  const byName: Domain<typeof ByName> = {
    byName: { 'a_b/c_d': { p95QueueMs: 1, mean: 2 }, headSha: { p95QueueMs: 3, mean: null } },
    anyKey: { snake_case: 1, camelCase: 2 },
  };
  expect(toWire(ByName, byName)).toEqual({
    by_name: { 'a_b/c_d': { p95_queue_ms: 1, mean: 2 }, headSha: { p95_queue_ms: 3, mean: null } },
    any_key: { snake_case: 1, camelCase: 2 },
  });
});

test('keys that are declared one by one are fields', () => {
  const Bands = z.record(z.enum(['healthy', 'at_risk']), z.int());
  const bands: Domain<typeof Bands> = { healthy: 1, atRisk: 2 };
  expect(toWire(Bands, bands)).toEqual({ healthy: 1, at_risk: 2 });
});

test('free JSON stays as it is', () => {
  const Entry = z.object({ written_as: z.unknown() });
  expect(toWire(Entry, { writtenAs: { ownerNote: { mutedUntil: 1 } } })).toEqual({
    written_as: { ownerNote: { mutedUntil: 1 } },
  });
  const Document = z.looseObject({ openapi: z.string() });
  expect(toWire(Document, { openapi: '3.1', someThing: 1 })).toEqual({ openapi: '3.1', someThing: 1 });
});

test('of several shapes each keeps its own fields', () => {
  const Result = z.union([
    z.object({ is_ok: z.literal(true), rows: z.array(z.object({ run_id: z.int() })) }),
    z.object({ is_ok: z.literal(false), rows: z.array(z.object({ job_id: z.int() })), request_id: z.string() }),
  ]);
  expect(toWire(Result, { isOk: true, rows: [{ runId: 1 }] })).toEqual({ is_ok: true, rows: [{ run_id: 1 }] });
  expect(toWire(Result, { isOk: false, rows: [{ jobId: 2 }], requestId: 'r' })).toEqual({
    is_ok: false,
    rows: [{ job_id: 2 }],
    request_id: 'r',
  });
});

test('every answer that is declared can be written', () => {
  for (const { output } of operations) expect(() => toWire(output, null)).not.toThrow();
  expect(() =>
    toWire(
      z.lazy(() => z.object({})),
      null,
    ),
  ).toThrow('toWire()');
});

test('an operation returns what its schema declares', () => {
  expectTypeOf<Domain<typeof Queue>>().toEqualTypeOf<{ p95QueueMs: number; mean: number | null }>();
  expectTypeOf<Domain<typeof Runner>['startedAt']>().toEqualTypeOf<number | null>();
  const declared = {
    method: 'GET',
    path: '/api/queue',
    summary: 'A queue',
    access: member,
    input: z.object({}),
    output: Queue,
  } as const;
  operation({ ...declared, run: async () => ({ p95QueueMs: 1, mean: null }) });
  // @ts-expect-error a wrong name
  operation({ ...declared, run: async () => ({ p95QueueMillis: 1, mean: null }) });
  // @ts-expect-error the name that only the answer has
  operation({ ...declared, run: async () => ({ p95_queue_ms: 1, mean: null }) });
  // @ts-expect-error a wrong type
  operation({ ...declared, run: async () => ({ p95QueueMs: '1', mean: null }) });
});
