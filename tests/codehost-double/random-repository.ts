import fc from 'fast-check';
import { between, pickOne } from '../../server/demo/random.ts';
import type { Instant, WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { alertSources } from '../../server/metrics/security/security-alerts.ts';
import { happening, movingRepository } from '../api/moving-world.ts';
import { jobWorlds } from '../metrics/job-worlds.ts';
import { worlds } from '../metrics/worlds.ts';
import type { Service } from '../support/service.ts';
import { aWorkflow } from './builders.ts';
import { shaOf } from './delivery-builders.ts';
import { chance } from './random-values.ts';
import { sourceErrors } from './security.ts';
import type { DoubleRepository } from './world.ts';

export interface RandomRepository {
  owner: string;
  repo: string;
  workflowIds: readonly number[];
  runIds: readonly number[];
  environments: readonly string[];
}

const minute = 60_000;
const day = 86_400_000;

/**
 * A repository of octo in which anything may have happened: pull requests, reviews, issues, deployments and releases of
 * people, bots and deleted accounts, runs with re-runs and jobs of any kind, alerts; or nothing. The same for a seed.
 */
export function addRandomRepository(
  service: Service,
  seed: number,
  visibility?: 'private' | 'public',
): RandomRepository {
  const random = randomStream('repository', seed);
  const { double, clock } = service;
  const { name, repository, happen } = movingRepository(service, seed, pickOne(random, [0, 12, 40]));
  const isEmpty = chance(random, 0.05);
  if (isEmpty) Object.assign(repository, { empty: true, commits: [], workflows: [], workflowFiles: [] });
  for (const one of sampled(fc.array(happening, { maxLength: 40, size: 'max' }), seed)) {
    clock.advance(20 * minute);
    happen(one, clock.now());
  }
  if (!isEmpty) addRuns(service, name, repository, seed);
  addAlerts(service, name, random, clock.now());
  double.setVisibility(name, visibility ?? pickOne(random, ['private', 'public'] as const));
  return {
    owner: repository.facts.owner,
    repo: repository.facts.repo,
    workflowIds: repository.workflows.map(({ id }) => id),
    runIds: [...repository.runs.keys()],
    environments: ['production', 'staging'],
  };
}

const sampled = <Value>(arbitrary: fc.Arbitrary<Value>, seed: number): Value =>
  fc.sample(arbitrary, { seed, numRuns: 1 })[0] as Value;

/** Attempts of two workflows, with jobs that overlap, wait, fail, or were taken over by a re-run. */
function addRuns({ double, clock }: Service, name: string, repository: DoubleRepository, seed: number): void {
  const { owner, repo, id } = repository.facts;
  repository.workflows.push(
    aWorkflow(owner, repo, {
      id: id * 10 + 2,
      createdAt: clock.now() - 90 * day,
      name: 'Deploy',
      path: '.github/workflows/deploy.yml',
    }),
  );
  const world = sampled(worlds, seed);
  const later = clock.now() - world.now;
  const known = sampled(jobWorlds, seed).map(({ jobs }) => jobs.map(asReported));
  const byId = new Map([7, 8].map((workflowId, index) => [workflowId, repository.workflows[index]]));
  for (const [index, attempt] of world.attempts.entries()) {
    const workflow = byId.get(attempt.workflowId);
    const startedAt = (attempt.startedAt ?? attempt.createdAt) + later;
    if (!workflow || startedAt > clock.now()) continue;
    const run = double.putRun(name, {
      ...attempt,
      id: id * 1000 + attempt.id,
      workflowId: workflow.id,
      workflowName: workflow.name,
      headSha: shaOf(`${id} ${attempt.headSha}`),
      createdAt: attempt.createdAt + later,
      startedAt,
      updatedAt: Math.min(clock.now(), (attempt.updatedAt ?? startedAt) + later),
    });
    const jobs = known[index % (known.length + 1)] ?? (ofRunsAlone.has(run.conclusion) ? [] : null);
    if (jobs)
      double.putJobs(
        name,
        run.id,
        run.attempt,
        jobs.map((job, place) => ofRun(job, run, place)),
      );
  }
}

/** Of runs alone the platform says that they are stale, or that they could not start. */
const ofRunsAlone = new Set<WorkflowJob['conclusion']>(['stale', 'startup_failure']);

const asReported = (job: WorkflowJob): WorkflowJob => ({
  ...job,
  conclusion: ofRunsAlone.has(job.conclusion) ? 'failure' : job.conclusion,
});

/** A job that was made for another run. */
function ofRun(
  job: WorkflowJob,
  run: { id: number; attempt: number; startedAt: Instant | null },
  place: number,
): WorkflowJob {
  const later = (run.startedAt ?? 0) - (job.startedAt ?? 0);
  const moved = (at: Instant | null) => (at === null ? null : at + later);
  const times = <Timed extends { startedAt: Instant | null; completedAt: Instant | null }>(one: Timed) => ({
    ...one,
    startedAt: moved(one.startedAt),
    completedAt: moved(one.completedAt),
  });
  return {
    ...times(job),
    id: (run.id * 10 + run.attempt) * 10 + place,
    runId: run.id,
    attempt: run.attempt,
    createdAt: moved(job.createdAt),
    steps: job.steps.map(times),
  };
}

function addAlerts({ double }: Service, name: string, random: RandomStream, now: Instant): void {
  for (const source of alertSources) {
    if (chance(random, 0.2)) double.rejectAlerts(name, source, pickOne(random, Object.values(sourceErrors)));
    for (let number = between(random, 0, 9); number > 0; number--) {
      const createdAt = now - between(random, 1, 200) * day;
      const endedAt = chance(random, 0.4) ? createdAt + day : null;
      const severity = pickOne(random, ['critical', 'high', 'medium', 'low'] as const);
      // Code scanning has words of its own for how much a rule matters.
      const words = source === 'code_scanning' ? { severityWord: 'error', securityLevel: severity } : {};
      double.putAlert(name, { source, number, createdAt, endedAt, severity, ...words });
    }
  }
}
