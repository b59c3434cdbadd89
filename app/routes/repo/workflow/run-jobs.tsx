import { count, figures } from '../../../../server/domain/quantity.ts';
import { Waterfall, type WaterfallRow } from '../../../charts/waterfall.tsx';
import { runStatus } from '../../../components/badge.tsx';
import { Empty } from '../../../components/notice.tsx';
import type { RunJob } from './operations.ts';

/** The jobs and steps of one run as a waterfall, with the same times as a table. */
export function RunJobs({ jobs, now, zone }: { jobs: readonly RunJob[]; now: number; zone: string }) {
  if (jobs.length === 0) return <Empty cause="No jobs available for this run." />;
  const failed = jobs.filter((job) => runStatus(job.status, job.conclusion).status === 'fail');
  return (
    <Waterfall
      title={`Attempt ${jobs[0]?.run_attempt ?? 1}`}
      summary={`${count(jobs.length, 'job')}, ${figures(failed.length)} failed${failed.length ? `: ${failed.map(({ name }) => name).join(', ')}` : ''}.`}
      sample={count(jobs.length, 'job')}
      rows={jobs.map(row)}
      zone={zone}
      now={now}
    />
  );
}

const row = (job: RunJob): WaterfallRow => ({
  name: job.name,
  ...describeJobs(job),
  queuedAt: job.created_at,
  startedAt: job.started_at,
  completedAt: job.completed_at,
  ...(job.html_url !== '#' && { href: job.html_url }),
  steps: job.steps.map((step) => ({
    name: step.name,
    ...describeJobs(step),
    queuedAt: null,
    startedAt: step.started_at,
    completedAt: step.completed_at,
  })),
});

function describeJobs({ status, conclusion }: { status: string; conclusion: string | null }) {
  const { status: outcome, word } = runStatus(status, conclusion);
  return { outcome, word };
}
