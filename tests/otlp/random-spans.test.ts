import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conclusions } from '../../server/metrics/kernel/facts.ts';
import { isCarriedOver, jobQueueWait } from '../../server/metrics/runs/jobs.ts';
import { type AttemptFacts, attemptResource, attemptSpan } from '../../server/otlp/attempt-spans.ts';
import { attemptSpanId, traceId } from '../../server/otlp/ids.ts';
import { type JobFacts, jobSpans } from '../../server/otlp/job-spans.ts';
import { serializeSpans } from '../../server/otlp/serialize.ts';
import type { PipelineSpan } from '../../server/otlp/span.ts';
import { rounds } from '../support/rounds.ts';
import { facts, job, options, step } from './facts.ts';
import registry from './registry-1.44.0.json' with { type: 'json' };

const known = new Set([...registry, 'service.name', 'error.type']);
const hour = 3_600_000;
/** Any instant of some hours, so that the order of two is left to chance. */
const instant = fc.integer({ min: facts.createdAt - hour, max: facts.createdAt + hour });
const mayBe = fc.option(instant);
const name = fc.oneof(fc.constantFrom('test', 'a', '\u202e\u200b', ''), fc.string({ unit: 'binary', maxLength: 300 }));
const conclusion = fc.constantFrom(...conclusions);

const steps = fc.array(fc.record({ name, conclusion: fc.option(conclusion), startedAt: mayBe, completedAt: mayBe }), {
  maxLength: 4,
});
const jobs = fc.array(
  fc.record({
    name,
    conclusion,
    status: fc.constantFrom('completed', 'completed', 'in_progress', 'queued'),
    createdAt: mayBe,
    startedAt: mayBe,
    completedAt: mayBe,
    runnerName: fc.option(name),
    labels: fc.array(name, { maxLength: 2 }),
    detail: fc.constantFrom('full' as const, 'times' as const),
    steps,
  }),
  { maxLength: 5 },
);
const world = fc.record({
  attempt: fc.integer({ min: 1, max: 4 }),
  workflowName: fc.option(name),
  conclusion: fc.option(conclusion),
  headBranch: fc.option(name),
  startedAt: mayBe,
  completedAt: instant,
  jobs,
});

/** What spans of an attempt, a job or a step have to say, and what more where they failed. */
const required = {
  attempt: ['cicd.pipeline.result', 'cicd.pipeline.action.name'],
  task: [
    'cicd.pipeline.task.name',
    'cicd.pipeline.task.run.id',
    'cicd.pipeline.task.run.url.full',
    'cicd.pipeline.task.run.result',
  ],
};

function lacking({ kind, name: called, isError, attributes }: PipelineSpan): string[] {
  const isQueue = attributes['cicd.pipeline.run.state'] === 'pending';
  const wanted = kind === 'server' ? required.attempt : isQueue ? [] : required.task;
  const has = (key: string) => attributes[key] !== undefined;
  return [
    ...wanted.filter((key) => !has(key)),
    ...(isError !== has('error.type') ? ['error.type'] : []),
    ...(called.trim() === '' ? ['a name'] : []),
  ];
}

test('in random worlds every attempt, job, known wait and step is one span with its parent, none negative', () => {
  let seen = 0;
  const check = fc.property(world, ({ jobs: made, ...changed }) => {
    const attempt: AttemptFacts = { ...facts, ...changed };
    const given = made.map(
      (one, index): JobFacts => ({
        ...job,
        ...one,
        id: job.id + index,
        attempt: attempt.attempt,
        steps: one.steps.map((part, number) => ({ ...step, ...part, number: number + 1 })),
      }),
    );
    const spans = [attemptSpan(attempt, options), ...given.flatMap((one) => jobSpans(attempt, one))];
    const sent = given.filter((one) => one.status === 'completed' && !isCarriedOver(attempt, one));
    const waits = sent.filter((one) => one.detail === 'full' && jobQueueWait(one) !== null).length;
    const inside = sent.reduce((sum, one) => sum + one.steps.length, 0);
    expect(spans).toHaveLength(1 + sent.length + waits + inside);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(spans.length);
    for (const span of spans) {
      expect(span.traceId).toBe(traceId(attempt));
      expect(span.endAt).toBeGreaterThanOrEqual(span.startAt);
      if (span.kind === 'internal') expect(ids.has(span.parentSpanId ?? '')).toBe(true);
      expect(lacking(span)).toEqual([]);
      const keys = Object.keys({ ...span.attributes, ...attemptResource(attempt, options) });
      expect(keys.filter((key) => !known.has(key) && !key.startsWith('das.'))).toEqual([]);
    }
    const before = { ...attempt, attempt: attempt.attempt - 1 };
    const linked = attempt.attempt > 1 ? { traceId: traceId(before), spanId: attemptSpanId(before) } : null;
    expect(spans[0]?.link).toEqual(linked);
    const [protobuf, again] = [1, 2].map(() =>
      serializeSpans([{ resource: attemptResource(attempt, options), spans }], 'http/protobuf'),
    );
    expect(protobuf).toEqual(again);
    seen += spans.length;
  });
  fc.assert(check, { numRuns: rounds('OTLP_WORLDS', 400, 4000) });
  expect(seen).toBeGreaterThan(1000);
});
