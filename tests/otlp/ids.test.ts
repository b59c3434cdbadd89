import { expect, test } from 'vitest';
import {
  attemptSpanId,
  jobSpanId,
  queueSpanId,
  stepSpanId,
  traceHost,
  traceId,
  withoutZero,
} from '../../server/otlp/ids.ts';

const first = { host: 'github.com', repoId: 1296269, runId: 30433642, attempt: 1 };
const second = { ...first, attempt: 2 };
const jobId = 399444496;

test('V7 and V9: each attempt is a trace with a root', () => {
  expect([traceId(first), traceId(second)]).toEqual([
    '7c1c6c0eecceaa7896b130410ca225a5',
    '8491f9746bf90d20be1f16a554d55ccb',
  ]);
  expect([attemptSpanId(first), attemptSpanId(second)]).toEqual(['36154665262f9818', '840786cf38191648']);
});

test('V8: run 12 attempt 34 is not run 123 attempt 4', () => {
  expect(traceId({ ...first, runId: 12, attempt: 34 })).toBe('1b20c8144bfb39b5c757c0e6522dc245');
  expect(traceId({ ...first, runId: 123, attempt: 4 })).toBe('e6141b714b1eba823d77122e96a15e76');
});

test('V10 and V11: jobs, their waits and their steps', () => {
  expect(jobSpanId(first, jobId)).toBe('0a6d80a8926cea28');
  expect(queueSpanId(first, jobId)).toBe('d36caf6fb54a55e7');
  expect([stepSpanId(first, jobId, 3), stepSpanId(first, jobId, 4)]).toEqual(['b067fe5f825ca5b8', 'c1185ded9f165ca5']);
});

test('the host has its port where one is written', () => {
  expect(traceHost('https://GitHub.com')).toBe('github.com');
  expect(traceHost('https://ghe.example.com:8443/')).toBe('ghe.example.com:8443');
});

test('an id of zeros alone ends in one', () => {
  expect(withoutZero('00000000')).toBe('00000001');
  expect(withoutZero('00000200')).toBe('00000200');
});
