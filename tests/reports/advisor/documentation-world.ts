import type { Store } from '../../../server/store/orm.ts';
import { aWorkflow } from '../../codehost-double/builders.ts';
import { aCommit, aFile, anActor, aPullRequest } from '../../codehost-double/delivery-builders.ts';
import type { Double } from '../../codehost-double/double.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aJob, aRun, day, hour, minute } from '../../metrics/worlds.ts';
import { repository } from '../../store/world.ts';

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

const id = 90_904;

/** 30 days with a pull request of two files each, documentation alone on every other day. */
const listChanges = (now: number) =>
  Array.from({ length: 30 }, (_unused, index) => {
    const createdAt = Math.floor(now / day) * day - (30 - index) * day + 9 * hour;
    const files = index % 2 === 0 ? ['README.md', 'docs/guide.txt'] : ['README.md', 'src/app.ts'];
    const commit = aCommit(createdAt - hour, anActor('ann'), `Change ${index}`, {
      files: files.map((one) => aFile(one)),
    });
    return { index, createdAt, commit };
  });

/** The repository octo/words on the platform. */
export function addWords(double: Double, now: number): void {
  double.addRepository({
    name: 'octo/words',
    facts: { id },
    files: new Map([['.github/workflows/ci.yml', text]]),
    workflows: [aWorkflow('octo', 'words', { id: 7401, path: '.github/workflows/ci.yml', createdAt: 0 })],
  });
  const { pullRequests } = repositoryOf(double.world, 'octo/words');
  for (const { index, createdAt, commit } of listChanges(now))
    pullRequests.push(aPullRequest(now, { number: index + 1, createdAt, commits: [commit], changedFiles: 2 }));
}

/** What is stored of it: a run of six minutes of each pull request. */
export async function storeWords(store: Store, now: number): Promise<void> {
  const known = { ...repository(id, 'words'), owner: 'octo' };
  const repoId = await store.repositories.track(known, 'ann', now);
  const runs = listChanges(now).map(({ index, createdAt, commit }) => {
    const parts = { event: 'pull_request', headBranch: `branch-${index}`, headSha: commit.sha, workflowId: 7401 };
    return aRun({ ...parts, id: 94_000 + index, createdAt, updatedAt: createdAt + 6 * minute });
  });
  await store.runs.ingest(repoId, runs, { syncedAt: now });
  await store.jobs.attempts.store(
    known,
    runs.map(({ id: runId, createdAt, updatedAt }) => ({
      runId,
      attempt: 1,
      detail: 'full' as const,
      jobs: [aJob({ id: runId * 10, runId, name: 'test', createdAt, startedAt: createdAt, completedAt: updatedAt })],
    })),
    now,
  );
}
