import { type DigestsSent, sendDailyDigests } from '../server/alerts/daily-digest.ts';
import { type Collector, collectAll, inTurn } from './collect.ts';
import { type JobContext, job } from './job.ts';
import { dueLetters, endingAt, type LeadershipReport, scoringMs, sendLetters, writeLetters } from './leadership.ts';
import { type RepositorySync, syncRepository } from './sync-repository.ts';

export interface RunsSyncReport {
  tracked: number;
  remaining: number;
  results: RepositorySync[];
  digests: DigestsSent;
  /** null when no weekly letter is due. */
  leadership: LeadershipReport | null;
}

export const runsCollector: Collector<RepositorySync> = {
  kind: 'runs',
  queue: 'collect-runs',
  atOnce: 3,
  async collect(_known, repository, { services, store, codehost, mayGoOn }) {
    const result = await syncRepository(
      services,
      { codehost, store, trackedBy: 'nightly', source: 'cron' },
      repository,
      mayGoOn,
    );
    return result;
  },
  refused: (_known, collected) => ({
    ...{ synced: 0, totalInDb: 0, latestRunId: null, syncedThrough: null, alertsFired: 0 },
    ...collected,
  }),
};

export const runsSync = job<RunsSyncReport>({
  name: 'runs-sync',
  title: 'Workflow runs',
  does: 'Reads new, changed and unfinished runs of every tracked repository, and sends the letters that are due.',
  schedule: '17 3 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    const repositories = await inTurn(runsCollector.kind, context);
    const due = await dueLetters(context);
    const mailFrom = context.until - mailMs;
    const collecting = endingAt(due ? mailFrom - scoringMs : mailFrom, context);
    const { results, remaining, resumeAt } = await collectAll(runsCollector, repositories, collecting);
    const written = due && (await writeLetters(due, endingAt(mailFrom, context)));
    const digests = await sendDigests(context);
    const leadership = due && written && (await sendLetters(due, written, context));
    const failed = results.filter(({ status }) => status === 'error').length;
    const left = remaining + results.filter(({ status }) => status === 'partial' || status === 'locked').length;
    const runs = results.reduce((sum, { synced }) => sum + synced, 0);
    const letters = digests.destinations + (leadership?.sent ?? 0);
    return {
      partial: left > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining: left, runs, letters },
      report: { tracked: repositories.length, remaining, results, digests, leadership },
    };
  },
});

/** The letters are not to wait for another night because reading took long. */
const mailMs = 30_000;

async function sendDigests({ services, mayGoOn }: JobContext): Promise<DigestsSent> {
  const { store, log } = services;
  const none: DigestsSent = { destinations: 0, events: 0, failures: 0 };
  if (!store) return none;
  return sendDailyDigests({ ...services, store }, mayGoOn).catch((error: unknown) => {
    log.error({ err: error }, 'the daily letters could not be sent');
    return { ...none, failures: 1 };
  });
}
