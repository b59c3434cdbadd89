import { aWorkflow } from '../../codehost-double/builders.ts';
import { aJob, aRun, day, hour, minute } from '../../metrics/worlds.ts';
import { repository } from '../../store/world.ts';
import type { Service } from '../../support/service.ts';

export const workflowText = `name: CI
on: pull_request
jobs:
  test:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v6
      - run: shellcheck *.sh
`;

export const advised = { id: 90_900 };

/**
 * The repository octo/advised with one workflow file, and 30 days of its stored runs: on six of them a run was replaced
 * by a newer one.
 */
export async function storeAdvised({ double, app, clock }: Service): Promise<void> {
  const { store } = app.services;
  const known = { ...repository(advised.id, 'advised'), owner: 'octo' };
  if (!store) throw new Error('no store');
  double.addRepository({
    name: 'octo/advised',
    facts: { id: advised.id },
    files: new Map([['.github/workflows/ci.yml', workflowText]]),
    workflows: [aWorkflow('octo', 'advised', { id: 7001, path: '.github/workflows/ci.yml', createdAt: 0 })],
  });
  const midnight = Math.floor(clock.now() / day) * day;
  const repoId = await store.repositories.track(known, 'ann', clock.now());
  const runs = Array.from({ length: 30 }, (_unused, index) => index).flatMap((index) => {
    const createdAt = midnight - (30 - index) * day + 9 * hour;
    const parts = { event: 'pull_request', headBranch: `branch-${index}`, workflowId: 7001, headSha: 'a'.repeat(40) };
    const older = aRun({ ...parts, id: 90_000 + 2 * index, createdAt, updatedAt: createdAt + 10 * minute });
    const newer = aRun({ ...parts, id: 90_001 + 2 * index, createdAt: createdAt + 5 * minute });
    return index % 5 === 0 ? [older, newer] : [older];
  });
  await store.runs.ingest(repoId, runs, { syncedAt: clock.now() });
  await store.jobs.attempts.store(
    known,
    runs.map(({ id, createdAt, updatedAt }) => ({
      runId: id,
      attempt: 1,
      detail: 'full' as const,
      jobs: [aJob({ id: id * 10, runId: id, name: 'test', createdAt, startedAt: createdAt, completedAt: updatedAt })],
    })),
    clock.now(),
  );
}

/** What a plan answers once nothing is judged behind an answer any more. */
export async function settledPlan(service: Service, query: string, as: string) {
  const ask = () => service.ask('GET', `/api/advisor/plan?${query}`, { as });
  await ask();
  await service.app.services.background.ended();
  return ask();
}
