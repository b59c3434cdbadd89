import type { Download } from '../metrics/security/job-log.ts';
import { imagePrefix } from '../scan/action-uses.ts';
import { type Database, jsonb, type Queries } from './database.ts';

/** What logs of jobs name as downloaded. Repositories are named by the platform's ids. */
export const attemptDownloads = (database: Database) => ({
  /** Of these SHAs, those that a log of these repositories, or the record of a run, names as commits. */
  recordedCommits: (shas: readonly string[], repositoryIds: readonly number[]): Promise<Set<string>> =>
    recordedCommits(database, shas, repositoryIds),
  /** What these jobs downloaded of these actions, or at one of these commits or digests. */
  async downloads(
    jobIds: readonly number[],
    { actionKeys, commits }: { actionKeys: readonly string[]; commits: readonly string[] },
  ): Promise<(Download & { jobId: number })[]> {
    return database.db
      .selectFrom('action_downloads as own')
      .select(['own.jobId', 'own.actionKey', 'own.ref', 'own.commit', 'own.digest'])
      .select(['own.at', 'own.isInStep', 'own.isAtOtherTime'])
      .where(({ eb, fn, val }) => eb('own.jobId', '=', fn.any(val(jobIds))))
      .where(({ eb, or, fn, val }) =>
        or([
          eb('own.actionKey', '=', fn.any(val(actionKeys))),
          eb('own.commit', '=', fn.any(val(commits))),
          eb('own.digest', '=', fn.any(val(commits))),
        ]),
      )
      .execute();
  },
  /** All that these jobs downloaded. */
  allDownloads: (jobIds: readonly number[]): Promise<(Download & { jobId: number })[]> =>
    database.db
      .selectFrom('action_downloads')
      .select(['jobId', 'actionKey', 'ref', 'commit', 'digest', 'at', 'isInStep', 'isAtOtherTime'])
      .where(({ eb, fn, val }) => eb('jobId', '=', fn.any(val(jobIds))))
      .execute(),
  /** Those of these jobs that downloaded under a name, other than these, of which the ledger knows no id. */
  jobsOfUnknownNames: (jobIds: readonly number[], actionKeys: readonly string[]): Promise<Set<number>> =>
    jobsOfUnknownNames(database, jobIds, actionKeys),
});

/** What a step may have written itself says nothing of a SHA. */
async function recordedCommits(
  { db }: Queries,
  shas: readonly string[],
  repositoryIds: readonly number[],
): Promise<Set<string>> {
  if (shas.length === 0) return new Set();
  const downloaded = await db
    .selectFrom('action_downloads as own')
    .innerJoin('repos', 'repos.id', 'own.repoId')
    .select('own.commit')
    .distinct()
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .where(({ eb, fn, val }) => eb('own.commit', '=', fn.any(val(shas))))
    .where('own.isInStep', '=', false)
    .execute();
  const called = await db
    .selectFrom('attempt_logs as log')
    .innerJoin('repos', 'repos.id', 'log.repoId')
    .select('log.called')
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .where(({ eb, or }) => or(shas.map((commit) => eb('log.called', '@>', jsonb([{ commit }]) as never))))
    .limit(mostCalls)
    .execute();
  const named = [...downloaded, ...called.flatMap((one) => one.called ?? [])].map(({ commit }) => commit);
  return new Set(shas.filter((sha) => named.includes(sha)));
}

/** One names it as well as many. */
const mostCalls = 1000;

async function jobsOfUnknownNames(
  { db }: Queries,
  jobIds: readonly number[],
  actionKeys: readonly string[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('action_downloads as own')
    .select('own.jobId')
    .distinct()
    .where(({ eb, fn, val }) => eb('own.jobId', '=', fn.any(val(jobIds))))
    .where(({ eb, fn, not, val }) => not(eb('own.actionKey', '=', fn.any(val(actionKeys)))))
    // Images have no repository.
    .where('own.actionKey', 'not like', `${imagePrefix}%`)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('action_refs')
            .select('action_refs.id')
            .whereRef('action_refs.actionKey', '=', 'own.actionKey')
            .where('action_refs.codehostId', 'is not', null),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ jobId }) => jobId));
}
