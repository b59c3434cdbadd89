import type { Store } from '../../../server/store/orm.ts';
import { aWorkflow } from '../../codehost-double/builders.ts';
import type { Double } from '../../codehost-double/double.ts';
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

const id = 90_905;

/** The private repository octo/sizes on the platform. */
export function addSizes(double: Double): void {
  double.addRepository({
    name: 'octo/sizes',
    facts: { id, private: true, visibility: 'private' },
    files: new Map([['.github/workflows/ci.yml', text]]),
    workflows: [aWorkflow('octo', 'sizes', { id: 7501, path: '.github/workflows/ci.yml', createdAt: 0 })],
  });
}

/** What is stored of it: two runs a day on 50 days, the first 20 of them on the small runner, which takes little longer. */
export async function storeSizes(store: Store, now: number): Promise<void> {
  const known = { ...repository(id, 'sizes'), owner: 'octo', private: true, visibility: 'private' as const };
  const repoId = await store.repositories.track(known, 'ann', now);
  const midnight = Math.floor(now / day) * day;
  const runs = Array.from({ length: 100 }, (_unused, index) => {
    const createdAt = midnight - (50 - Math.floor(index / 2)) * day + (9 + (index % 2)) * hour;
    const [label, minutes] = index < 40 ? ['ubuntu-slim', 12] : ['ubuntu-24.04', 10];
    // A second more in every other run, so that not all are the same.
    const updatedAt = createdAt + minutes * minute + (index % 2) * 1000;
    const parts = { event: 'pull_request', headBranch: `branch-${index}`, workflowId: 7501 };
    return { label, run: aRun({ ...parts, id: 95_000 + index, createdAt, updatedAt }) };
  });
  await store.runs.ingest(
    repoId,
    runs.map(({ run }) => run),
    { syncedAt: now },
  );
  await store.jobs.attempts.store(
    known,
    runs.map(({ label, run: { id: runId, createdAt, updatedAt } }) => ({
      runId,
      attempt: 1,
      detail: 'full' as const,
      jobs: [
        aJob({
          id: runId * 10,
          runId,
          name: 'test',
          labels: [label],
          createdAt,
          startedAt: createdAt,
          completedAt: updatedAt,
        }),
      ],
    })),
    now,
  );
}
