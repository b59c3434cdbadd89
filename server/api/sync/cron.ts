import { z } from 'zod';
import { actionLedger } from '../../../jobs/action-ledger.ts';
import { advisorVerdicts } from '../../../jobs/advisor-verdicts.ts';
import { aiComparison } from '../../../jobs/ai-comparison.ts';
import { catchUp } from '../../../jobs/catch-up.ts';
import { type CommitFactsReport, commitFacts } from '../../../jobs/commit-facts.ts';
import type { Job, JobOutcome } from '../../../jobs/job.ts';
import { type PullRequestFactsReport, prFacts } from '../../../jobs/pr-facts.ts';
import { type JobStart, runJob, runSlot } from '../../../jobs/run-job.ts';
import { type RunsSyncReport, runsSync } from '../../../jobs/runs-sync.ts';
import { latestSlot, slotAt } from '../../../jobs/slots.ts';
import type { Context, Services } from '../../access/context.ts';
import { cronBearer } from '../../access/rules.ts';
import type { Evaluation } from '../../alerts/evaluate.ts';
import { stopwatch } from '../../platform/clock.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { operation } from '../operation.ts';
import { SyncedRepository } from './sync.ts';

const Skipped = z.object({
  ok: z.literal(true),
  skipped: z.literal('already_running').meta({ description: 'Another process is at it.' }),
  started_at: instant.nullable(),
});

const done = {
  ok: z.literal(true),
  partial: z.boolean().meta({ description: 'true while anything is left to read; the next run goes on with it.' }),
  duration_ms: z.int(),
};

export const NightlySync = z
  .union([
    z.object({
      ...done,
      repos_tracked: z.int(),
      repos_synced: z.int(),
      repos_failed: z.int(),
      repos_remaining: z.int(),
      results: z.array(SyncedRepository),
      digest: z.object({ destinations_notified: z.int(), events_included: z.int(), failures: z.int() }),
      leadership_digest: z.union([
        z.object({ rules_processed: z.int(), sent: z.int(), failures: z.int() }),
        z.object({ skipped: z.literal(true).meta({ description: 'No weekly email is due.' }) }),
      ]),
    }),
    Skipped,
  ])
  .meta({ id: 'NightlySync' });

export const cronSync = operation({
  method: 'GET',
  path: '/api/cron/sync',
  summary: 'Run the nightly synchronization of workflow runs now',
  access: cronBearer,
  input: z.object({}),
  output: NightlySync,
  async run(_input, context) {
    const { services } = context;
    beginInBackground(actionLedger, halfDays, services);
    const elapsed = stopwatch(services.clock);
    const answer = await run(runsSync, context, runsAnswer);
    if (services.env.SCHEDULER !== 'internal') await runVerdicts(services, hardStopMs - elapsed());
    return answer;
  },
});

/** Looks at recommended pull requests in the time that is left; what does not fit, the next call goes on with. */
async function runVerdicts(services: Services, leftMs: number): Promise<void> {
  const shortened = inTimeLeft(advisorVerdicts, leftMs);
  if (shortened) await runJob(shortened, services, startOf(shortened, services));
}

/** One request to the platform, with storing its answer, ends within so many seconds. */
const requestSeconds = 10;

/** A job that ends in the time that is left, if it has more; null where not even one request fits. */
export function inTimeLeft<Report>(job: Job<Report>, leftMs: number): Job<Report> | null {
  const hardSeconds = Math.min(job.hardSeconds, Math.floor(leftMs / 1000));
  const seconds = Math.min(job.seconds, hardSeconds - requestSeconds);
  return seconds > 0 ? { ...job, seconds, hardSeconds } : null;
}

/**
 * Where another scheduler calls, some work is done beside what it asks for: once in each slot, such as half a day, so that
 * a daily call that comes a little earlier than the day before is not taken for the same.
 */
function beginInBackground(job: Job, schedule: string, services: Services): void {
  const { env, store, clock, log, background, stopping } = services;
  const slot = latestSlot(schedule, clock.now());
  if (env.SCHEDULER !== 'external' || !store || !env.CODEHOST_TOKEN || !slot) return;
  background.begin(async () => {
    await runSlot(job, slot, services, stopping).catch((error: unknown) =>
      log.error({ err: error, job: job.name }, 'work that is due failed'),
    );
  });
}

const halfDays = '17 5,17 * * *';

const runsAnswer = ({ tracked, remaining, results, digests, leadership }: RunsSyncReport) => {
  const tally = (...statuses: string[]) => results.filter((one) => statuses.includes(one.status)).length;
  return {
    reposTracked: tracked,
    reposSynced: tally('ok', 'partial'),
    reposFailed: tally('error'),
    reposRemaining: remaining,
    results,
    digest: {
      destinationsNotified: digests.destinations,
      eventsIncluded: digests.events,
      failures: digests.failures,
    },
    leadershipDigest: leadership
      ? { rulesProcessed: leadership.rules, sent: leadership.sent, failures: leadership.failures }
      : { skipped: true as const },
  };
};

export const NightlyPullRequests = z
  .union([
    z.object({
      ...done,
      repos_in_scope: z.int(),
      repos_done: z.int(),
      repos_remaining: z.int(),
      prs_upserted: z.int(),
      reviews_upserted: z.int(),
      rules_evaluated: z.int(),
      alerts_fired: z.int(),
    }),
    Skipped,
  ])
  .meta({ id: 'NightlyPullRequests' });

export const cronSyncPullRequests = operation({
  method: 'GET',
  path: '/api/cron/sync-pr-facts',
  summary: 'Run the nightly reading of pull requests now',
  access: cronBearer,
  input: z.object({}),
  output: NightlyPullRequests,
  run: (_input, context) => run(prFacts, context, pullRequestsAnswer),
});

const alertTotals = ({ evaluated, fired }: Evaluation) => ({ rulesEvaluated: evaluated, alertsFired: fired });

const pullRequestsAnswer = ({ inScope, done, remaining, upserted, reviews, rules }: PullRequestFactsReport) => ({
  reposInScope: inScope,
  reposDone: done,
  reposRemaining: remaining,
  prsUpserted: upserted,
  reviewsUpserted: reviews,
  ...alertTotals(rules),
});

export const NightlyCommits = z
  .union([
    z.object({
      ...done,
      repos_done: z.int(),
      repos_remaining: z.int(),
      prs_synced: z.int(),
      commits_upserted: z.int(),
      prs_truncated: z.int().meta({ description: 'Pull requests with more commits than were read.' }),
      rules_evaluated: z.int(),
      alerts_fired: z.int(),
      budget_exhausted: z.boolean(),
    }),
    Skipped,
  ])
  .meta({ id: 'NightlyCommits' });

export const cronSyncCommits = operation({
  method: 'GET',
  path: '/api/cron/sync-commit-facts',
  summary: 'Run the nightly reading of commits of pull requests now',
  access: cronBearer,
  input: z.object({}),
  output: NightlyCommits,
  async run(_input, context) {
    const answer = await run(commitFacts, context, commitsAnswer);
    beginInBackground(aiComparison, halfDays, context.services);
    return answer;
  },
});

const commitsAnswer = ({ done, remaining, prs, commits, truncated, rules, budgetExhausted }: CommitFactsReport) => ({
  reposDone: done,
  reposRemaining: remaining,
  prsSynced: prs,
  commitsUpserted: commits,
  prsTruncated: truncated,
  ...alertTotals(rules),
  budgetExhausted,
});

/** A call ends by then: whoever calls gives up after 300 seconds. */
const hardStopMs = 290_000;

/**
 * Runs a job now, whatever its slot, and answers what came of it. Where nothing runs by itself, alerts and messages that
 * are due go out with the call, also when the job itself cannot run.
 */
async function run<Report, Answer extends object>(
  job: Job<Report>,
  { services }: Context,
  answer: (report: Report) => Answer,
) {
  const elapsed = stopwatch(services.clock);
  const end = await runJob(job, services, startOf(job, services)).finally(() =>
    services.env.SCHEDULER === 'off' ? catchUp(services, hardStopMs - elapsed()) : undefined,
  );
  if (!end) {
    const underWay = await services.store?.jobRuns.underWay(job.name);
    return { ok: true as const, skipped: 'already_running' as const, startedAt: underWay?.startedAt ?? null };
  }
  if (!end.outcome) throw end.error;
  return { ok: true as const, ...toSummary(end.outcome, end.durationMs), ...answer(end.outcome.report) };
}

const startOf = ({ schedule }: Job, { clock, stopping }: Context['services']): JobStart => ({
  slot: slotAt(schedule, clock.now()),
  trigger: 'http',
  stopping,
});

const toSummary = ({ partial }: JobOutcome, durationMs: number) => ({ partial, durationMs });
