import { aWorkflow } from '../../codehost-double/builders.ts';
import { aJob, aRun, day, hour, minute } from '../../metrics/worlds.ts';
import { repository } from '../../store/world.ts';
import type { Service } from '../../support/service.ts';

const text = `name: CI
on: pull_request
permissions: {}
jobs:
  test:
    runs-on: \${{ matrix.os }}
    timeout-minutes: 20
    strategy:
      matrix:
        os: [ubuntu-24.04, macos-15]
        node: [20, 22, 24]
    steps:
      - run: make test
`;

/** The repository octo/cells: 30 days with seven runs of a matrix each, none of which failed. */
export async function storeMatrix({ double, app, clock }: Service): Promise<void> {
  const { store } = app.services;
  const id = 90_902;
  const known = { ...repository(id, 'cells'), owner: 'octo' };
  if (!store) throw new Error('no store');
  double.addRepository({
    name: 'octo/cells',
    facts: { id },
    files: new Map([['.github/workflows/ci.yml', text]]),
    workflows: [aWorkflow('octo', 'cells', { id: 7201, path: '.github/workflows/ci.yml', createdAt: 0 })],
  });
  const midnight = Math.floor(clock.now() / day) * day;
  const repoId = await store.repositories.track(known, 'ann', clock.now());
  const runs = Array.from({ length: 210 }, (_unused, index) => {
    const createdAt = midnight - (30 - Math.floor(index / 7)) * day + (8 + (index % 7)) * hour;
    const parts = { event: 'pull_request', headBranch: `branch-${index}`, workflowId: 7201 };
    return aRun({ ...parts, id: 92_000 + index, createdAt, updatedAt: createdAt + 6 * minute });
  });
  await store.runs.ingest(repoId, runs, { syncedAt: clock.now() });
  await store.jobs.attempts.store(
    known,
    runs.map(({ id: runId, createdAt: startedAt }) => {
      const jobs = [3, 6].flatMap((minutes, system) =>
        [20, 22, 24].map((node, index) => {
          const os = system === 0 ? 'ubuntu-24.04' : 'macos-15';
          const times = { createdAt: startedAt, startedAt, completedAt: startedAt + minutes * minute };
          const jobId = runId * 10 + system * 3 + index;
          return aJob({ ...times, id: jobId, runId, name: `test (${os}, ${node})`, labels: [os] });
        }),
      );
      return { runId, attempt: 1, detail: 'full' as const, jobs };
    }),
    clock.now(),
  );
}
