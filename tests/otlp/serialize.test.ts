import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { attemptResource, attemptSpan } from '../../server/otlp/attempt-spans.ts';
import { jobSpans } from '../../server/otlp/job-spans.ts';
import { readPartialSuccess, schemaUrl, serializeSpans } from '../../server/otlp/serialize.ts';
import { at, facts, job, options, step } from './facts.ts';

const again = { ...facts, attempt: 2, startedAt: at('10:00:01'), conclusion: 'failure' as const };
const spans = [attemptSpan(again, options), ...jobSpans(again, { ...job, steps: [step] })];
const attempts = [{ resource: attemptResource(again, options), spans }];

test('the bytes of a request are pinned', () => {
  const body = serializeSpans(attempts, 'http/protobuf', '1.0.0');
  expect(createHash('sha256').update(body).digest('hex')).toBe(
    '47076e091ca1f0e7fec22f4b5ab45dc06eca29da90ae0ba7a725620013874aca',
  );
  expect(serializeSpans(attempts, 'http/protobuf', '1.0.0')).toEqual(body);
});

test('JSON has hexadecimal ids, whole nanoseconds and the schema', () => {
  const { resourceSpans } = JSON.parse(Buffer.from(serializeSpans(attempts, 'http/json')).toString('utf8'));
  expect(resourceSpans).toHaveLength(1);
  const [{ scopeSpans, schemaUrl: ofResource }] = resourceSpans;
  expect([ofResource, scopeSpans[0].schemaUrl]).toEqual([schemaUrl, schemaUrl]);
  expect(scopeSpans[0].scope).toMatchObject({ name: 'delivery-analytics' });
  const [root, run] = scopeSpans[0].spans;
  expect(root).toMatchObject({
    traceId: '8491f9746bf90d20be1f16a554d55ccb',
    spanId: '840786cf38191648',
    kind: 2,
    status: { code: 2 },
    startTimeUnixNano: `${at('10:00:01')}000000`,
    endTimeUnixNano: `${at('10:01:05')}000000`,
  });
  expect(root).not.toHaveProperty('parentSpanId');
  expect(root.links).toMatchObject([
    {
      traceId: '7c1c6c0eecceaa7896b130410ca225a5',
      spanId: '36154665262f9818',
      attributes: [{ key: 'das.link', value: { stringValue: 'previous_attempt' } }],
    },
  ]);
  expect(run).toMatchObject({ kind: 1, parentSpanId: root.spanId, status: { code: 0 } });
});

test('spans that a receiver did not take are counted', () => {
  // Field 1 of the answer: rejected_spans = 3, error_message = "no".
  const answer = Buffer.from([0x0a, 0x06, 0x08, 0x03, 0x12, 0x02, 0x6e, 0x6f]);
  expect(readPartialSuccess(answer, 'http/protobuf')).toEqual({ rejectedSpans: 3, message: 'no' });
  expect(readPartialSuccess(Buffer.from('{"partialSuccess":{"rejectedSpans":"3"}}'), 'http/json')).toEqual({
    rejectedSpans: 3,
    message: '',
  });
  for (const whole of [[], [0x0a, 0x00]]) expect(readPartialSuccess(Buffer.from(whole), 'http/protobuf')).toBeNull();
  expect(readPartialSuccess(Buffer.from('{}'), 'http/json')).toBeNull();
});
