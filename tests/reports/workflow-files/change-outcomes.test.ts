import { describe, expect, test } from 'vitest';
import type { Conclusion } from '../../../server/metrics/kernel/facts.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aWorkflow } from '../../codehost-double/builders.ts';
import { aCommit, aFile, anActor } from '../../codehost-double/delivery-builders.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Service } from '../../support/service.ts';

const hour = 3_600_000;
const query = 'owner=octo&repo=changing';
const path = `/api/codehost/workflow-change-outcomes?${query}`;
const file = (name: string) => aFile(`.github/workflows/${name}`);

/** A repository with the workflows ci and deploy; `at` puts commits and runs so many hours ago. */
function changing({ double, clock }: Service) {
  const workflow = (id: number, name: string) =>
    aWorkflow('octo', 'changing', {
      id,
      name,
      path: `.github/workflows/${name}.yml`,
      createdAt: clock.now() - 999 * hour,
    });
  const workflows = [workflow(801, 'ci'), workflow(802, 'deploy')];
  double.addRepository({ name: 'octo/changing', facts: { id: 90_801 }, workflows });
  let id = 0;
  return {
    commit(hours: number, message: string, ...names: string[]) {
      const commit = aCommit(clock.now() - hours * hour, anActor('ann'), message, { files: names.map(file) });
      double.addCommit('octo/changing', commit);
      return commit.sha;
    },
    remove(hours: number, message: string, name: string) {
      const files = [{ ...file(name), removed: true as const }];
      double.addCommit('octo/changing', aCommit(clock.now() - hours * hour, anActor('ann'), message, { files }));
    },
    run(hours: number, conclusion: Conclusion | null, parts: object = {}) {
      const createdAt = clock.now() - hours * hour;
      const status = conclusion === null ? 'in_progress' : 'completed';
      double.putRun('octo/changing', { id: ++id, workflowId: 801, createdAt, conclusion, status, ...parts });
    },
  };
}

interface Outcome {
  followed_by_failures: boolean | null;
  unknown: string | null;
  failures: { path: string; first_failed: { number: number }; failures: number; lasts: boolean }[];
}
const verdicts = ({ changes }: { changes: Outcome[] }) =>
  changes.map((one) => (one.followed_by_failures === null ? one.unknown : one.followed_by_failures));

describe('what came after changes of workflow files', () => {
  const visit = freshService();
  const ask = (more = '', as = 'token-ann') => visit.service.ask('GET', `${path}${more}`, { as });

  test('marks the change from which on runs failed twice or more, and reports from which runs it knows', async () => {
    const { commit, run } = changing(visit.service);
    commit(100, 'First', 'ci.yml');
    run(90, 'success');
    run(80, 'cancelled');
    const sha = commit(70, 'Test twice', 'ci.yml');
    run(69, 'cancelled');
    run(68, 'failure');
    run(67, 'skipped');
    run(66, 'timed_out');
    run(65, 'failure', { headBranch: 'topic' });
    run(64, 'success');
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    const ref = (number: number) => ({
      id: number,
      number,
      attempt: 1,
      url: `https://codehost.example/octo/changing/actions/runs/${number}`,
    });
    expect(body.changes[0]).toEqual({
      sha,
      committed_at: '2026-11-13T12:00:00.000Z',
      followed_by_failures: true,
      unknown: null,
      html_url: `https://codehost.example/octo/changing/commit/${sha}`,
      failures: [
        {
          path: '.github/workflows/ci.yml',
          passed_before: ref(1),
          first_failed: ref(4),
          failed_at: '2026-11-13T14:00:00.000Z',
          failures: 2,
          lasts: false,
        },
      ],
    });
    expect(body).toMatchObject({
      runs_source: 'live',
      runs_read: 7,
      runs_from: '2026-11-12T16:00:00.000Z',
      data_source: 'live',
      runs_through: '2026-11-16T10:00:00.000Z',
      default_branch: 'main',
      measurement: { value: 1, sample: 1 },
    });
    expect(headers.get('x-partial')).toBe('false');
    expect(visit.service.double.violations).toEqual([]);
  });

  test.each<[string, (Conclusion | null)[], (Conclusion | null)[], boolean | string]>([
    ['failed before already', ['success', 'failure'], ['failure', 'failure'], false],
    ['failed once', ['success'], ['failure', 'success', 'failure', 'failure'], false],
    ['failed later', ['success'], ['success', 'failure', 'failure'], false],
    ['failed and lasts', ['success'], ['failure', 'failure', 'failure'], true],
    ['did not run before', ['cancelled'], ['failure', 'failure'], 'no run before it is known'],
    ['passed, but perhaps not first', [], ['success', 'failure'], 'no run before it is known'],
    ['has not run since', ['success'], ['cancelled'], 'no run since is known'],
    ['ran once', ['success'], ['failure'], 'only one run since has ended, and failed'],
    ['is running', ['success'], [null, 'failure', 'failure'], 'a run around it has not ended'],
    ['never ran', [], [], 'no run of its workflow on the default branch is known'],
  ])('a workflow that %s', async (_name, before, after, verdict) => {
    const { commit, run } = changing(visit.service);
    for (const [index, conclusion] of before.entries()) run(90 - index, conclusion);
    commit(50, 'Change', 'ci.yml');
    for (const [index, conclusion] of after.entries()) run(40 - index, conclusion);
    expect(verdicts((await ask()).body)).toEqual([verdict]);
  });

  test('files are judged each by its own workflow, removed and strange ones by none', async () => {
    const { commit, remove, run } = changing(visit.service);
    run(90, 'success', { workflowId: 802 });
    run(89, 'success');
    commit(80, 'Both', 'ci.yml', 'deploy.yml');
    run(70, 'failure', { workflowId: 802 });
    run(69, 'success');
    run(68, 'failure', { workflowId: 802 });
    commit(40, 'Another', 'other.yml');
    remove(30, 'Gone', 'other.yml');
    const { body } = await ask();
    expect(verdicts(body)).toEqual([
      'it only removed files',
      'no run of its workflow on the default branch is known',
      true,
    ]);
    expect(body.changes[2].failures).toMatchObject([{ path: '.github/workflows/deploy.yml', lasts: true }]);
    expect(body.measurement).toMatchObject({ value: 1, sample: 1 });
  });

  test('when nothing can be said, none is not claimed', async () => {
    changing(visit.service).commit(50, 'Change', 'ci.yml');
    const { body } = await ask();
    expect(body).toMatchObject({ runs_read: 0, runs_from: null, measurement: { value: null, sample: 0 } });
    expect(
      (await visit.service.ask('GET', path.replace('changing', 'empty'), { as: 'token-ann' })).body.changes,
    ).toEqual([]);
  });

  test('is a table, and not reported to who cannot see the repository', async () => {
    changing(visit.service).commit(50, 'Change', 'ci.yml');
    expect((await ask('&format=csv')).text).toContain(
      'sha,committed_at,html_url,followed_by_failures,unknown,failures',
    );
    const { service } = visit;
    expectProblem(await service.ask('GET', path.replace('changing', 'secret'), { as: 'token-bo' }), 404, 'not_found');
    expectProblem(await service.ask('GET', path), 401, 'unauthenticated');
  });

  test('runs that cannot be read are an error, not a clean answer', async () => {
    changing(visit.service).commit(50, 'Change', 'ci.yml');
    const fault = { path: '/repos/octo/changing/actions/runs', times: 9 };
    visit.service.double.fault(fault, { kind: 'status', status: 403 });
    expectProblem(await ask(), 403, 'upstream_forbidden');
  });
});

aDatabase((database) => {
  const stored = storedService(database);

  test('stored runs tell of more than the newest hundred, for the request of the workflows', async () => {
    const { service, sync } = stored;
    const { commit, run } = changing(service);
    run(900, 'success');
    commit(800, 'Change', 'ci.yml');
    run(700, 'failure');
    run(699, 'failure');
    for (let hours = 600; hours > 490; hours--) run(hours, 'success');
    const ask = async () => (await service.ask('GET', path, { as: 'token-ann' })).body;
    expect(verdicts(await ask())).toEqual(['no run before it is known']);
    await sync(query);
    service.clock.advance(hour);
    service.double.requests.length = 0;
    const body = await ask();
    expect(verdicts(body)).toEqual([true]);
    expect(body).toMatchObject({ runs_source: 'kept', runs_read: 113, data_source: 'mixed' });
    const paid = service.double.requests.filter(({ cost, operation }) => cost > 0 && operation !== 'WorkflowChanges');
    expect(paid.map(({ operation }) => operation)).toEqual(['actions/list-repo-workflows']);

    // What came after the synchronization is not known, though some of it could be.
    commit(0.5, 'Later', 'ci.yml');
    run(0.1, 'failure');
    service.clock.advance(hour);
    expect(verdicts(await ask())).toEqual(['no run since is known', true]);
  });
});
