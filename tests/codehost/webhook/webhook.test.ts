import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { eventReader } from '../../../server/codehost/webhook/events.ts';
import { Problem } from '../../../server/platform/problem.ts';
import { namedWorld } from '../../codehost-double/named-world.ts';
import { jobEvent, queueEvent, refEvent, runEvent } from '../../codehost-double/webhook.ts';
import { jobsOf, latestRuns, repositoryOf } from '../../codehost-double/world.ts';

type Examples = { name: string; examples: Record<string, unknown>[] }[];

const load = createRequire(import.meta.url);
const sources = ['api.github.com', 'ghes-31', 'ghes-32', 'ghes-33', 'ghes-34', 'ghes-35'];
const read = eventReader(['octo-robot']);
const named = {
  workflow_run: 'run',
  workflow_job: 'job',
  push: 'ref',
  create: 'ref',
  delete: 'ref',
  release: 'ref',
  ping: 'ping',
} as const;
const kindOf = (name: string, { action }: Record<string, unknown>) =>
  name === 'pull_request' && action === 'closed' ? 'closed' : (named[name as keyof typeof named] ?? 'skipped');
const id = (payload: Record<string, unknown>, key: string) => (payload[key] as { id: number }).id;

describe('the platform’s own examples of events', () => {
  test.each(sources)(
    'of %s are read where they tell of runs, jobs, refs and the end of a pull request, and skipped otherwise',
    (source) => {
      const all = load(`@octokit/webhooks-examples/${source}/index.json`) as Examples;
      expect(all.length).toBeGreaterThan(30);
      for (const { name, examples } of all)
        for (const payload of examples) {
          const announced = read(name, payload);
          expect([name, announced.kind]).toEqual([name, kindOf(name, payload)]);
          if (announced.kind !== 'run' && announced.kind !== 'job') continue;
          expect(announced.repository.id).toBe(id(payload, 'repository'));
          expect(announced.action).toBe(payload.action);
          const fact = announced.kind === 'run' ? announced.run : announced.job;
          expect(fact.id).toBe(id(payload, name));
          expect(Number.isInteger(fact.createdAt ?? 0)).toBe(true);
        }
    },
  );
});

describe('an event', () => {
  const repository = repositoryOf(namedWorld(), 'octo/web');
  const [run] = latestRuns(repository);
  if (!run) throw new Error('The world has no run');

  test('of a run is the same fact that a reading of the run gives, without addresses of people', () => {
    const payload = runEvent(repository, run);
    const announced = read('workflow_run', payload);
    const { id, attempt, status, conclusion, createdAt, updatedAt, headSha } = run;
    expect(announced).toMatchObject({ run: { id, attempt, status, conclusion, createdAt, updatedAt, headSha } });
    expect(announced).toMatchObject({ repository: { id: repository.facts.id, owner: 'octo', repo: 'web' } });
    expect(JSON.stringify(payload)).toContain('somebody@codehost.example');
    expect(JSON.stringify(announced)).not.toContain('somebody@codehost.example');
  });

  test('of a job is the same fact that a reading of the job gives', () => {
    const [job] = jobsOf(repository, run);
    if (!job) throw new Error('The run has no job');
    expect(read('workflow_job', jobEvent(repository, run, job))).toMatchObject({ kind: 'job', job });
  });

  test('of a merge queue is a notice of the pull request, at the time of its update', () => {
    const at = run.createdAt;
    expect(read('pull_request', queueEvent(repository, 7, { action: 'enqueued' }, at))).toMatchObject({
      kind: 'queue',
      notice: { kind: 'added', number: 7, at, baseBranch: 'main', isByBot: false, reason: null },
    });
    const left = queueEvent(repository, 7, { action: 'dequeued', reason: 'CI_FAILURE' }, at);
    expect(read('pull_request', left)).toMatchObject({ notice: { kind: 'removed', reason: 'ci_failure' } });
    expect(read('pull_request', { ...left, action: 'labeled' })).toEqual({ kind: 'skipped' });
  });

  test('of a ref tells from where to where it was pushed, or only that it changed', () => {
    const [before, after, tagObject] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
    const push = (more: object, ref = 'refs/tags/v1') =>
      read('push', { ...refEvent(repository, { ref, before, after }), ...more });
    const named = { repository: { id: repository.facts.id, owner: 'octo', repo: 'web' } };
    const notice = { ref: 'v1', isBranch: false, push: { before, after: { commit: after, tagObject: null } } };
    expect(push({})).toEqual({ kind: 'ref', action: 'push', ...named, notice });
    expect(push({ after: tagObject })).toMatchObject({ notice: { push: { after: { commit: after, tagObject } } } });
    expect(push({ head_commit: null })).toMatchObject({ notice: { ref: 'v1', push: null } });
    expect(push({}, 'refs/heads/release/1')).toMatchObject({ notice: { ref: 'release/1', isBranch: true } });
    expect(push({}, 'refs/notes/commits')).toEqual({ kind: 'skipped' });
    const created = {
      ref: 'v1',
      ref_type: 'tag',
      repository: refEvent(repository, { ref: '', before, after }).repository,
    };
    expect(read('create', created)).toEqual({
      kind: 'ref',
      action: 'create',
      ...named,
      notice: { ...notice, push: null },
    });
    expect(read('create', { ...created, ref: null, ref_type: 'repository' })).toEqual({ kind: 'skipped' });
  });

  test('knows the bots that are configured', () => {
    const actor = { login: 'octo-robot', avatarUrl: '#', isBot: false };
    expect(read('workflow_run', runEvent(repository, { ...run, actor }))).toMatchObject({
      run: { actor: { isBot: true } },
    });
  });

  test('without a repository is rejected by its field', () => {
    const { repository: _, ...payload } = runEvent(repository, run);
    expect(() => read('workflow_run', payload)).toThrow(Problem);
    expect(read('push', payload)).toEqual({ kind: 'skipped' });
  });
});
