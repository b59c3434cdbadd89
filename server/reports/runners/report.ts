import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { LargerRunnerLabels } from '../../metrics/cost/runner-prices.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { groupByRunner, type RunnerFigures } from '../../metrics/runs/runners.ts';
import type { Env } from '../../platform/env.ts';
import { readJobs } from '../jobs/reading.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';
import type { RunnerStatsReport } from './schema.ts';

type Answer = Domain<typeof RunnerStatsReport>;

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
  const { runners, totalJobs, unassignedJobs } = groupByRunner(jobs, terms);
  return {
    runners: runners.map(runnerItem),
    totalRuns: runs.length,
    fetchedRuns: attempts.length,
    totalJobs,
    unassignedJobs,
    uniqueRunners: runners.length,
    coverage,
    partial: !coverage.complete,
    generatedAt: listing.asOf,
    dataSource: source,
  };
}

const runnerItem = (runner: RunnerFigures): Answer['runners'][number] => ({
  ...runner,
  avgDurationMs: runner.avgMs,
  p95DurationMs: runner.p95Ms,
});

/** What the labels of the organization's own larger runners are billed as. */
export const largerRunnerLabels = ({ RUNNER_LABELS }: Pick<Env, 'RUNNER_LABELS'>): LargerRunnerLabels =>
  Object.fromEntries(RUNNER_LABELS.map((text) => text.split('=') as [label: string, sku: string]));
