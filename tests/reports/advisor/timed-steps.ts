import { aWorkflow } from '../../codehost-double/builders.ts';
import { aJob, aRun, aStep, day, hour, minute, second } from '../../metrics/worlds.ts';
import { repository } from '../../store/world.ts';
import type { Service } from '../../support/service.ts';

export const timedText = `name: CI
on: pull_request
permissions: {}
jobs:
  lint:
    runs-on: ubuntu-24.04
    timeout-minutes: 9
    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0
          persist-credentials: false
      - run: shellcheck *.sh
      - uses: actions/upload-artifact@v4
        with:
          path: report
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 9
    steps:
      - uses: actions/checkout@v6
        with:
          persist-credentials: false
      - uses: actions/setup-node@v4
      - name: Install
        run: npm ci
`;

export const timed = { id: 90_901 };

const secondsOf = {
  lint: { 'Set up job': 2, 'Run actions/checkout@v6': 41, 'Run actions/upload-artifact@v4': 1 },
  test: { 'Set up job': 2, 'Run actions/checkout@v6': 3, Install: 27 },
};

/** The repository octo/timed with one workflow file, and 30 runs whose steps are stored with their times. */
export async function storeTimed({ double, app, clock }: Service): Promise<void> {
  const { store } = app.services;
  const known = { ...repository(timed.id, 'timed'), owner: 'octo' };
  if (!store) throw new Error('no store');
  double.addRepository({
    name: 'octo/timed',
    facts: { id: timed.id },
    files: new Map([
      ['.github/workflows/ci.yml', timedText],
      ['package-lock.json', '{}'],
    ]),
    cacheBytes: 5_000_000_000,
    workflows: [aWorkflow('octo', 'timed', { id: 7101, path: '.github/workflows/ci.yml', createdAt: 0 })],
  });
  const midnight = Math.floor(clock.now() / day) * day;
  const repoId = await store.repositories.track(known, 'ann', clock.now());
  const runs = Array.from({ length: 30 }, (_unused, index) => {
    const createdAt = midnight - (30 - index) * day + 9 * hour;
    const parts = { event: 'pull_request', headBranch: `branch-${index}`, workflowId: 7101 };
    return aRun({ ...parts, id: 91_000 + index, createdAt, updatedAt: createdAt + 2 * minute });
  });
  await store.runs.ingest(repoId, runs, { syncedAt: clock.now() });
  await store.jobs.attempts.store(
    known,
    runs.map(({ id, createdAt: startedAt, updatedAt: completedAt }) => {
      const times = { createdAt: startedAt, startedAt, completedAt };
      const jobs = Object.entries(secondsOf).map(([name, steps], index) =>
        aJob({ ...times, id: id * 10 + index, runId: id, name, steps: stepsFrom(steps, startedAt) }),
      );
      return { runId: id, attempt: 1, detail: 'full' as const, jobs };
    }),
    clock.now(),
  );
}

const stepsFrom = (secondsByName: Record<string, number>, startedAt: number) =>
  Object.entries(secondsByName).map(([name, seconds]) =>
    aStep({ name, startedAt, completedAt: startedAt + seconds * second }),
  );
