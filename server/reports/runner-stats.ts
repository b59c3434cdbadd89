import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { RepositoryName } from '../metrics/facts.ts';
import { type RunnerFigures, runnersOf } from '../metrics/runners.ts';
import { largerRunnerLabels } from '../settings/runner-labels.ts';
import { iso } from './instants.ts';
import { readJobs } from './job-stats-reading.ts';
import { noteCanonicalName, noteListing } from './notes.ts';
import type { RunnerStatsReport } from './runner-stats-schema.ts';

type Answer = z.input<typeof RunnerStatsReport>;

interface RunnerStatsInput extends RepositoryName {
  per_page: number;
}

/** What the newest completed runs of a repository ran on, over all its workflows, each run by its latest attempt. */
export async function runnerStatsReport(
  { owner, repo, per_page: count }: RunnerStatsInput,
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const codehost = await context.codehost();
  const [repository, listing] = await Promise.all([
    codehost.repositories.get({ owner, repo }),
    codehost.runs.recent({ owner, repo }, 0, 1),
  ]);
  noteCanonicalName(reply, codehost, { owner, repo });
  const runs = listing.items.filter(({ status }) => status === 'completed').slice(0, count);
  const { attempts, coverage, source } = await readJobs(repository, runs, 'full', context);
  noteListing(reply, { ...listing, partial: !coverage.complete });
  const jobs = attempts.flatMap((one) => one.jobs);
  const labels = largerRunnerLabels(context.services.env);
  const terms = { isPublic: repository.visibility === 'public', largerRunnerLabels: labels };
  const { runners, totalJobs, unassignedJobs } = runnersOf(jobs, terms);
  return {
    runners: runners.map(runnerItem),
    ...{ total_runs: runs.length, fetched_runs: attempts.length },
    ...{ total_jobs: totalJobs, unassigned_jobs: unassignedJobs, unique_runners: runners.length },
    ...{ coverage, partial: !coverage.complete },
    generated_at: iso(listing.asOf),
    data_source: source,
  };
}

const runnerItem = (one: RunnerFigures): Answer['runners'][number] => ({
  ...{ runner_name: one.name, runner_group_name: one.group, kind: one.kind, os: one.os, labels: one.labels },
  ...{ machines: one.machines, job_count: one.jobs },
  ...{ success: one.success, failure: one.failure, failure_rate: one.failureRate },
  ...{ sample: one.sample, avg_duration_ms: one.avgMs, p95_duration_ms: one.p95Ms, low_sample: one.lowSample },
  busy_minutes: one.busyMinutes,
  ...{ queue_p50_ms: one.queueP50Ms, queue_p95_ms: one.queueP95Ms, queue_sample: one.queueSample },
  est_cost: one.estCost,
});
