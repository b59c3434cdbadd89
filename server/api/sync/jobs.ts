import { z } from 'zod';
import { actionLedger } from '../../../jobs/action-ledger.ts';
import { advisorVerdicts } from '../../../jobs/advisor-verdicts.ts';
import { aiComparison } from '../../../jobs/ai-comparison.ts';
import { commitFacts } from '../../../jobs/commit-facts.ts';
import type { Job } from '../../../jobs/job.ts';
import { prFacts } from '../../../jobs/pr-facts.ts';
import { runsSync } from '../../../jobs/runs-sync.ts';
import { isDaily, nextDue } from '../../../jobs/slots.ts';
import { jobs, scheduledJobs } from '../../../jobs/timetable.ts';
import type { Context, Services } from '../../access/context.ts';
import { administrator } from '../../access/rules.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../../metrics/kernel/window.ts';
import { instant } from '../../reports/kernel/instants.ts';
import type { JobHistory, JobRunRecord } from '../../store/job-runs.ts';
import { operation } from '../operation.ts';
import { clamped } from '../parameters.ts';
import type { Domain } from '../wire.ts';
import { cronSync, cronSyncCommits, cronSyncPullRequests } from './cron.ts';

/** A job that did not come to its end for so long beyond its own rhythm is missing: 36 hours where it is due daily. */
const graceMs = 12 * hourMs;

const JobRun = z
  .object({
    slot: z.string().meta({ description: 'What the run is for; of a daily job its UTC date.' }),
    trigger: z.enum(['internal', 'http', 'manual']).meta({
      description: 'The timetable of the service, another scheduler at its cron address, or a person.',
    }),
    started_at: instant,
    finished_at: instant.nullable(),
    status: z.enum(['running', 'done', 'partial', 'failed', 'aborted']).meta({
      description: '`partial`: something is left. `aborted`: its process was gone.',
    }),
    resume_at: instant.nullable().meta({ description: 'When the job resumes, if it waits for GitHub.' }),
    summary: z.record(z.string(), z.number()),
  })
  .meta({ id: 'JobRun' });

const reasons = ['no_database', 'no_service_token', 'scheduler_off', 'scheduler_external'] as const;

const ScheduledJob = z
  .object({
    name: z.string(),
    title: z.string(),
    does: z.string(),
    schedule: z.string().meta({ description: 'Cron pattern, UTC; with six fields the first is seconds.' }),
    next_due: instant.nullable().meta({ description: 'null: not by this service.' }),
    enabled: z.boolean(),
    why_not: z.enum(reasons).nullable(),
    cron_path: z.string().nullable().meta({ description: 'Where another scheduler starts it.' }),
    keeps_runs: z.boolean().meta({ description: 'false for a moment’s work of every process, which leaves no row.' }),
    overdue: z.boolean().meta({
      description: 'It is expected, and did not come to its end for 36 hours, or 12 hours beyond a longer rhythm.',
    }),
    remaining: z.int().nullable().meta({ description: 'Repositories that the last run left; null: unknown.' }),
    last_run: JobRun.nullable(),
    runs: z.array(JobRun).meta({ description: 'The newest first.' }),
  })
  .meta({ id: 'ScheduledJob' });

export const ScheduledJobs = z
  .object({ scheduler: z.enum(['internal', 'external', 'off']), jobs: z.array(ScheduledJob), limit: z.int() })
  .meta({ id: 'ScheduledJobs' });

export const getScheduledJobs = operation({
  method: 'GET',
  path: '/api/jobs',
  summary: 'What happens by itself: when it is due, what its last runs did, what is left, and whether it is missing',
  access: administrator,
  input: z.object({ limit: clamped(1, 50, 10).meta({ description: 'Runs of each job.' }) }),
  output: ScheduledJobs,
  rows: (answer) => answer.jobs.map(({ runs: _, ...job }) => job),
  run: scheduled,
});

async function scheduled({ limit }: { limit: number }, { services }: Context): Promise<Domain<typeof ScheduledJobs>> {
  const { store, env } = services;
  const overdue = await overdueJobs(services);
  const readJobStatus = async (job: Job) => {
    const [runs = [], scheduledRuns = []] = await Promise.all([
      store?.jobRuns.latest(job.name, limit),
      // The one under way, and the one before.
      store?.jobRuns.latestScheduled(job.name, 2),
    ]);
    return toScheduledJob(job, { services, runs, scheduledRuns, overdue: overdue.includes(job) });
  };
  return { scheduler: env.SCHEDULER, jobs: await Promise.all(jobs.map(readJobStatus)), limit };
}

interface Known {
  services: Services;
  runs: readonly JobRunRecord[];
  /** Without what a person started, which is about fewer repositories. */
  scheduledRuns: readonly JobRunRecord[];
  overdue: boolean;
}

function toScheduledJob(job: Job, { services, runs, scheduledRuns, overdue }: Known): Domain<typeof ScheduledJob> {
  const { name, title, does, schedule } = job;
  const why = whyNot(job, services);
  return {
    name,
    title,
    does,
    schedule,
    nextDue: why === null ? nextDue(schedule, services.clock.now()) : null,
    enabled: why === null,
    whyNot: why,
    cronPath: cronPaths.get(name) ?? null,
    keepsRuns: job.everywhere !== true,
    overdue,
    remaining: scheduledRuns.find(({ status }) => status !== 'running')?.summary.remaining ?? null,
    lastRun: scheduledRuns[0] ?? null,
    runs,
  };
}

const cronPaths = new Map<string, string>([
  [runsSync.name, cronSync.path],
  [prFacts.name, cronSyncPullRequests.path],
  [commitFacts.name, cronSyncCommits.path],
  [actionLedger.name, cronSync.path],
  [advisorVerdicts.name, cronSync.path],
  [aiComparison.name, cronSyncCommits.path],
]);

/** Why this service does not start a job by itself; null where it does. */
function whyNot(job: Job, services: Services): (typeof reasons)[number] | null {
  if (scheduledJobs(services, [job]).length > 0) return null;
  const { store, env } = services;
  if (!store) return 'no_database';
  if (job.needsToken && !env.CODEHOST_TOKEN) return 'no_service_token';
  return env.SCHEDULER === 'off' ? 'scheduler_off' : 'scheduler_external';
}

/** The jobs that this service, or its external scheduler, should have finished by now. */
export async function overdueJobs(services: Services): Promise<Job[]> {
  const names = expectedJobs(services).map(({ name }) => name);
  return findOverdue(services, (await services.store?.jobRuns.histories(names)) ?? []);
}

function expectedJobs(services: Services): Job[] {
  const isStartedElsewhere = ({ name }: Job) => cronPaths.has(name) && services.env.CRON_SECRET !== undefined;
  return jobs.filter((job) => {
    const why = job.everywhere ? 'leaves no rows' : whyNot(job, services);
    return why === null || (why === 'scheduler_external' && isStartedElsewhere(job));
  });
}

/** The same by what is known of the runs of these jobs, or of more. */
export function findOverdue(services: Services, known: readonly JobHistory[]): Job[] {
  const now = services.clock.now();
  const expected = expectedJobs(services);
  const histories = known.filter(({ job }) => expected.some(({ name }) => name === job));
  const first = histories.flatMap(({ firstStartedAt: at }) => at ?? []);
  // Of a job that never ended nothing is missing before any has run for that long.
  const begun = first.length > 0 ? Math.min(...first) : now;
  return expected.filter((job) => {
    const last = histories.find((one) => one.job === job.name)?.lastEndedAt ?? begun;
    return now - last > computeIntervalMs(job, now) + graceMs;
  });
}

/** How long lies between two due times, a day at least. */
function computeIntervalMs({ schedule }: Job, now: Instant): number {
  const next = isDaily(schedule) ? nextDue(schedule, now) : null;
  const after = next === null ? null : nextDue(schedule, next);
  return next === null || after === null ? dayMs : after - next;
}
