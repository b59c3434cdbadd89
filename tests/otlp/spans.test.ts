import { expect, test } from 'vitest';
import { conclusions } from '../../server/metrics/kernel/facts.ts';
import { attemptResource, attemptSpan } from '../../server/otlp/attempt-spans.ts';
import { attemptSpanId, jobSpanId, queueSpanId, stepSpanId, traceId } from '../../server/otlp/ids.ts';
import { jobSpans } from '../../server/otlp/job-spans.ts';
import { at, facts, job, options, step } from './facts.ts';
import registry from './registry-1.44.0.json' with { type: 'json' };

const times = ({ startAt, endAt }: { startAt: number; endAt: number }) => [startAt, endAt];

test('the root of a first attempt starts when the run was created', () => {
  const root = attemptSpan(facts, options);
  expect(root).toMatchObject({ name: 'RUN Build', kind: 'server', parentSpanId: null, link: null, isError: false });
  expect(times(root)).toEqual([at('10:00:00'), at('10:01:05')]);
  expect(root.attributes).toEqual({
    'cicd.pipeline.action.name': 'RUN',
    'cicd.pipeline.result': 'success',
    'das.run.attempt': 1,
    'das.run.number': 12,
    'das.run.event': 'pull_request',
    'das.workflow.id': 7,
  });
});

test('V15: that of a later one when it was started, with a link to the one before', () => {
  const again = { ...facts, attempt: 2, createdAt: at('10:00:00', '2026-11-24'), startedAt: at('09:00:00') };
  const root = attemptSpan(again, options);
  expect(root.startAt).toBe(at('09:00:00'));
  expect(root.link).toEqual({ traceId: '7c1c6c0eecceaa7896b130410ca225a5', spanId: '36154665262f9818' });
  expect(root.traceId).toBe('8491f9746bf90d20be1f16a554d55ccb');
});

test('a job has its wait beside it and its steps below', () => {
  const [run, queue, tests, ...more] = jobSpans(facts, { ...job, steps: [step] });
  expect(run).toMatchObject({ name: 'test', spanId: jobSpanId(facts, job.id), parentSpanId: attemptSpanId(facts) });
  // The first step started later than the job.
  expect(run && times(run)).toEqual([at('10:00:10'), at('10:01:00')]);
  expect(queue).toMatchObject({
    name: 'queue test',
    spanId: queueSpanId(facts, job.id),
    parentSpanId: run?.parentSpanId,
  });
  expect(queue && times(queue)).toEqual([at('10:00:02'), at('10:00:10')]);
  expect(tests).toMatchObject({ name: 'Run tests', spanId: stepSpanId(facts, job.id, 3), parentSpanId: run?.spanId });
  expect(more).toEqual([]);
  expect(run?.attributes).toEqual({
    'cicd.pipeline.task.name': 'test',
    'cicd.pipeline.task.run.id': '399444496',
    'cicd.pipeline.task.run.url.full': job.htmlUrl,
    'cicd.pipeline.task.run.result': 'success',
    'cicd.worker.name': 'runner-1',
    'das.runner.labels': ['ubuntu-latest'],
    'das.queue.wait_ms': 8000,
    'das.job.detail': 'full',
  });
  expect(queue?.attributes).toEqual({
    'cicd.pipeline.run.state': 'pending',
    'cicd.pipeline.task.run.id': '399444496',
    'das.runner.group': 'Default',
  });
  expect(tests?.attributes).toMatchObject({
    'cicd.pipeline.task.run.id': '399444496/3',
    'cicd.pipeline.task.run.url.full': `${job.htmlUrl}#step:3:1`,
    'das.step.number': 3,
  });
});

test('V12: a job that was enqueued after it started has no wait', () => {
  const spans = jobSpans(facts, { ...job, createdAt: at('10:00:05') });
  expect(spans.map(({ name }) => name)).toEqual(['test']);
  expect(spans.map(times)).toEqual([[at('10:00:04'), at('10:01:00')]]);
  expect(spans[0]?.attributes).not.toHaveProperty('das.time.corrected');
});

test('V13: a skipped step that ended before it started has no length', () => {
  const skipped = { ...step, conclusion: 'skipped' as const, startedAt: at('10:00:30'), completedAt: at('10:00:29') };
  const span = jobSpans(facts, { ...job, steps: [skipped] }).at(-1);
  expect(span && times(span)).toEqual([at('10:00:30'), at('10:00:30')]);
  expect(span).toMatchObject({ isError: false });
  expect(span?.attributes).toMatchObject({ 'cicd.pipeline.task.run.result': 'skip', 'das.time.corrected': true });
});

test('V14: a step without times is where its job starts', () => {
  const span = jobSpans(facts, { ...job, steps: [{ ...step, startedAt: null, completedAt: null }] }).at(-1);
  expect(span && times(span)).toEqual([at('10:00:04'), at('10:00:04')]);
  expect(span?.attributes).toMatchObject({ 'das.time.corrected': true });
});

test('V16: jobs of the attempt before have no spans', () => {
  const again = { ...facts, attempt: 2, startedAt: at('09:00:00'), completedAt: at('09:04:05') };
  const carried = { ...job, id: 1, startedAt: at('07:58:00'), completedAt: at('08:03:00'), steps: [step] };
  const run = { ...job, id: 2, createdAt: at('09:00:01'), startedAt: at('09:00:10'), completedAt: at('09:04:00') };
  expect(times(attemptSpan(again, options))).toEqual([at('09:00:00'), at('09:04:05')]);
  expect(jobSpans(again, carried)).toEqual([]);
  expect(jobSpans(again, run).map(({ spanId }) => spanId)).toEqual([jobSpanId(again, 2), queueSpanId(again, 2)]);
  // In a first attempt nothing is carried over, whatever the clocks of the platform say.
  expect(jobSpans({ ...again, attempt: 1 }, carried)).not.toEqual([]);
});

test('a job known by its times alone has neither wait nor runner', () => {
  const read = { ...job, detail: 'times' as const, runnerName: null, runnerGroup: null, labels: [] };
  const spans = jobSpans(facts, read);
  expect(spans).toHaveLength(1);
  expect(spans[0]?.attributes).toMatchObject({ 'das.job.detail': 'times' });
  for (const key of ['cicd.worker.name', 'das.runner.labels', 'das.queue.wait_ms'])
    expect(spans[0]?.attributes).not.toHaveProperty(key);
});

test('a job that has not ended has no span yet', () => {
  expect(jobSpans(facts, { ...job, status: 'in_progress', completedAt: null, conclusion: null })).toEqual([]);
});

test.each([
  ['success', 'success', []],
  ['failure', 'failure', ['job_failure', 'step_failure', '_OTHER']],
  ['timed_out', 'timeout', ['timeout', 'timeout', 'timeout']],
  ['startup_failure', 'error', ['startup_failure', 'startup_failure', 'startup_failure']],
  ['cancelled', 'cancellation', []],
  ['skipped', 'skip', []],
  ['neutral', 'neutral', []],
  ['action_required', 'action_required', []],
  ['stale', 'stale', []],
] as const)('%s is %s', (conclusion, result, errors) => {
  const root = attemptSpan({ ...facts, conclusion }, options);
  const [run, , tests] = jobSpans(facts, { ...job, conclusion, steps: [{ ...step, conclusion }] });
  const spans = [root, run, tests];
  expect(root.attributes['cicd.pipeline.result']).toBe(result);
  expect(run?.attributes['cicd.pipeline.task.run.result']).toBe(result);
  expect(spans.flatMap((span) => span?.attributes['error.type'] ?? [])).toEqual(errors);
  expect(spans.map((span) => span?.isError)).toEqual(Array(3).fill(errors.length > 0));
});

test('names and values hold nothing that cannot be seen, and end somewhere', () => {
  const name = `a\u202eb${'c'.repeat(2000)}`;
  const hostile = { ...facts, workflowName: name, headBranch: name };
  expect(attemptSpan(hostile, options).name).toBe(`RUN ab${'c'.repeat(194)}`);
  expect(attemptResource(hostile, options)['vcs.ref.head.name']).toBe(`ab${'c'.repeat(1022)}`);
  expect(jobSpans(facts, { ...job, name: '\u200b' })[0]?.name).toBe('job 399444496');
});

test('a person is named only where the destination asks for it', () => {
  expect(JSON.stringify(attemptSpan(facts, options))).not.toContain('mona');
  expect(JSON.stringify(attemptResource(facts, { ...options, includeActor: true }))).not.toContain('mona');
  expect(attemptSpan(facts, { ...options, includeActor: true }).attributes['das.run.actor']).toBe('mona');
});

test('the resource names the run and its repository', () => {
  expect(attemptResource(facts, { ...options, serviceName: 'ci-{repo}' })).toEqual({
    'service.name': 'ci-hello',
    'cicd.pipeline.name': 'Build',
    'cicd.pipeline.run.id': '30433642',
    'cicd.pipeline.run.url.full': 'https://github.com/octo/hello/actions/runs/30433642/attempts/1',
    'vcs.provider.name': 'github',
    'vcs.owner.name': 'octo',
    'vcs.repository.name': 'hello',
    'vcs.repository.url.full': 'https://github.com/octo/hello',
    'vcs.ref.head.name': 'topic',
    'vcs.ref.head.revision': 'a'.repeat(40),
    'vcs.ref.head.type': 'branch',
  });
  expect(attemptResource({ ...facts, event: 'release' }, options)['vcs.ref.head.type']).toBe('tag');
  expect(attemptResource({ ...facts, event: 'push' }, options)).not.toHaveProperty('vcs.ref.head.type');
  expect(attemptResource({ ...facts, headBranch: null }, options)).not.toHaveProperty('vcs.ref.head.type');
});

test('every key is one of the semantic conventions 1.44.0, or our own', () => {
  const keys = new Set<string>();
  for (const conclusion of conclusions) {
    const again = { ...facts, attempt: 2, startedAt: null, conclusion };
    const run = { ...job, conclusion, steps: [{ ...step, conclusion, startedAt: null }] };
    for (const attributes of [
      attemptResource(again, options),
      ...[attemptSpan(again, { ...options, includeActor: true }), ...jobSpans(again, run)].map(
        (span) => span.attributes,
      ),
    ])
      for (const key of Object.keys(attributes)) keys.add(key);
  }
  const known = new Set([...registry, 'service.name', 'error.type']);
  expect([...keys].filter((key) => !known.has(key) && !key.startsWith('das.'))).toEqual([]);
  expect(keys.size).toBeGreaterThan(25);
  expect(known.has('cicd.pipeline.made_up')).toBe(false);
});

test('the trace of all spans is that of the attempt', () => {
  for (const span of jobSpans(facts, { ...job, steps: [step] })) expect(span.traceId).toBe(traceId(facts));
});
