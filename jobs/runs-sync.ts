import { type DigestsSent, sendDailyDigests } from '../server/alerts/daily-digest.ts';
import {
  dueEmails,
  endingAt,
  type LeadershipReport,
  scoringMs,
  sendEmails,
  writeEmails,
} from '../server/alerts/leadership-emails.ts';
import { byOldestSync, collectAll } from '../server/sync/collect.ts';
import { runCollector } from '../server/sync/run-collector.ts';
import type { RepositorySync } from '../server/sync/sync-repository.ts';
import { type JobContext, job } from './job.ts';

export interface RunsSyncReport {
  tracked: number;
  remaining: number;
  results: RepositorySync[];
  digests: DigestsSent;
  /** null when no weekly email is due. */
  leadership: LeadershipReport | null;
}

export const runsSync = job<RunsSyncReport>({
  name: 'runs-sync',
  title: 'Workflow runs',
  does: 'Syncs new, changed and unfinished runs of every synced repository, and sends due emails.',
  schedule: '17 3 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    const repositories = await byOldestSync(runCollector.kind, context);
    const due = await dueEmails(context);
    const mailFrom = context.until - mailMs;
    const collecting = endingAt(due ? mailFrom - scoringMs : mailFrom, context);
    const { results, remaining, resumeAt } = await collectAll(runCollector, repositories, collecting).catch(
      async (error: unknown) => {
        // What was collected for the emails of a day needs nothing of the platform.
        await sendDigests(context);
        throw error;
      },
    );
    const written = due && (await writeEmails(due, endingAt(mailFrom, context)));
    const digests = await sendDigests(context);
    const leadership = due && written && (await sendEmails(due, written, context));
    const failed = results.filter(({ status }) => status === 'error').length;
    const left = remaining + results.filter(({ status }) => status === 'partial' || status === 'locked').length;
    const runs = results.reduce((sum, { synced }) => sum + synced, 0);
    const emails = digests.destinations + (leadership?.sent ?? 0);
    return {
      partial: left > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining: left, runs, emails },
      report: { tracked: repositories.length, remaining, results, digests, leadership },
    };
  },
});

/** The emails are not to wait for another night because reading took long. */
const mailMs = 30_000;

async function sendDigests({ services, mayContinue }: JobContext): Promise<DigestsSent> {
  const { store, log } = services;
  const none: DigestsSent = { destinations: 0, events: 0, failures: 0 };
  if (!store) return none;
  return sendDailyDigests({ ...services, store }, mayContinue).catch((error: unknown) => {
    log.error({ err: error }, 'the daily emails could not be sent');
    return { ...none, failures: 1 };
  });
}
