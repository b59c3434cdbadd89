import { beforeAll, expect, test } from 'vitest';
import { advisor } from '../../../server/settings/advisor.ts';
import { storedService } from '../../api/stored.ts';
import { aWorkflow } from '../../codehost-double/builders.ts';
import { aCommit, aFile, anActor, aPullRequest } from '../../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aJob, aRun, day, hour, minute } from '../../metrics/worlds.ts';
import { repository } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Service } from '../../support/service.ts';

const text = `name: CI
on: pull_request
permissions: {}
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - run: make test
`;

/** The repository octo/words: 30 days with a pull request of two files each, documentation alone on every other day. */
async function storeWords({ double, app, clock }: Service): Promise<void> {
  const { store } = app.services;
  const id = 90_904;
  const known = { ...repository(id, 'words'), owner: 'octo' };
  if (!store) throw new Error('no store');
  double.addRepository({
    name: 'octo/words',
    facts: { id },
    files: new Map([['.github/workflows/ci.yml', text]]),
    workflows: [aWorkflow('octo', 'words', { id: 7401, path: '.github/workflows/ci.yml', createdAt: 0 })],
  });
  const midnight = Math.floor(clock.now() / day) * day;
  const repoId = await store.repositories.track(known, 'ann', clock.now());
  const runs = Array.from({ length: 30 }, (_unused, index) => {
    const createdAt = midnight - (30 - index) * day + 9 * hour;
    const files = index % 2 === 0 ? ['README.md', 'docs/guide.txt'] : ['README.md', 'src/app.ts'];
    const commit = aCommit(createdAt - hour, anActor('ann'), `Change ${index}`, {
      files: files.map((one) => aFile(one)),
    });
    const proposed = aPullRequest(clock.now(), { number: index + 1, createdAt, commits: [commit], changedFiles: 2 });
    repositoryOf(double.world, 'octo/words').pullRequests.push(proposed);
    const parts = { event: 'pull_request', headBranch: `branch-${index}`, headSha: commit.sha, workflowId: 7401 };
    return aRun({ ...parts, id: 94_000 + index, createdAt, updatedAt: createdAt + 6 * minute });
  });
  await store.runs.ingest(repoId, runs, { syncedAt: clock.now() });
  await store.jobs.attempts.store(
    known,
    runs.map(({ id: runId, createdAt, updatedAt }) => ({
      runId,
      attempt: 1,
      detail: 'full' as const,
      jobs: [aJob({ id: runId * 10, runId, name: 'test', createdAt, startedAt: createdAt, completedAt: updatedAt })],
    })),
    clock.now(),
  );
}

aDatabase((database) => {
  const visit = storedService(database);
  const ask = (query = '') =>
    visit.service.ask('GET', `/api/advisor/recommendations?owner=octo&repo=words&kind=ADV-04${query}`, {
      as: 'token-ann',
    });

  beforeAll(() => storeWords(visit.service));

  test('no pull requests are read while it is not looked for', async () => {
    const { service } = visit;
    const save = (kinds_off: string[]) =>
      service.ask('PUT', '/api/settings/advisor', { as: 'token-ann', body: { ...advisor.fallback, kinds_off } });
    const reads = () => service.double.requests.filter(({ operation }) => operation === 'ChangedFiles').length;
    expect((await save(['ADV-04'])).status).toBe(200);
    expect([(await ask()).status, reads()]).toEqual([200, 0]);
    expect((await save([])).status).toBe(200);
    expect([(await ask()).status, reads()]).toEqual([200, 2]);
  });

  test('runs for documentation alone are found by the files of pull requests, none of which is told', async () => {
    const { body } = await ask();
    expect(body.recommendations).toMatchObject([
      {
        anchor: 'on.paths-ignore',
        finding: { text: '15 of 30 runs were for changes of documentation alone.' },
        effect: { predicted: true, history: { minutes_before: 180, minutes_after: 90, reduction_pct: 50 } },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/README|guide/);
  });

  test('a check that pull requests need excludes it', async () => {
    repositoryOf(visit.service.double.world, 'octo/words').requiredChecks.byRules.push('test');
    visit.service.clock.advance(6 * 3_600_000);
    const { body } = await ask();
    expect(body.recommendations).toEqual([]);
    expect(body.not_offered).toMatchObject([{ kind: 'ADV-04', reasons: [{ code: 'required_check' }] }]);
  });

  test('pull requests that cannot be read leave the others as they are', async () => {
    visit.service.clock.advance(3_600_000);
    visit.service.double.fault(
      { path: '/graphql', times: 4 },
      { kind: 'failing_field', field: 'Repository.pullRequests', type: 'FORBIDDEN' },
    );
    const { status, body } = await ask('&state=all');
    expect([status, body.recommendations, body.not_offered]).toEqual([200, [], []]);
  });
});
