import type { ProposedChange } from '../advisor/verdict/proposed.ts';
import type { Verdict, VerdictState } from '../advisor/verdict/verdict.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database, Queries } from './database.ts';

/** A repository with changes to look at, as the database knows it. */
export interface JudgedRepository {
  repoId: number;
  owner: string;
  repo: string;
  /** The platform's. */
  repositoryId: number;
  htmlUrl: string;
  defaultBranch: string | null;
}

export interface MergedPullRequest extends JudgedRepository {
  operationId: string;
  mergedAt: Instant;
  proposed: readonly ProposedChange[];
}

export interface StoredVerdict {
  /** null where nobody opened a pull request from here. */
  operationId: string | null;
  /** The platform's id of the repository. */
  repositoryId: number;
  change: ProposedChange;
  verdict: Verdict;
  /** null where nobody opened one from here. */
  pullRequest: { number: number; htmlUrl: string } | null;
  /** With which it came to the default branch; null where the platform does not say. */
  commit: string | null;
}

const repositoryColumns = [
  'repos.owner',
  'repos.name',
  'repos.codehostRepoId',
  'repos.htmlUrl',
  'repos.defaultBranch',
] as const;

const toJudged = <Row extends { name: string; codehostRepoId: number }>({ name, codehostRepoId, ...row }: Row) => ({
  ...row,
  repo: name,
  repositoryId: codehostRepoId,
});

/** What came of recommended changes that were merged. */
export const advisorVerdicts = (database: Database) => ({
  /** Merged pull requests of which nothing is followed yet, the oldest first. */
  async unbegun(): Promise<MergedPullRequest[]> {
    const rows = await database.db
      .selectFrom('advisor_pull_requests')
      .innerJoin('repos', 'repos.id', 'advisor_pull_requests.repoId')
      .select([
        'advisor_pull_requests.repoId',
        'advisor_pull_requests.operationId',
        'advisor_pull_requests.mergedAt',
        'advisor_pull_requests.proposed',
      ])
      .select(repositoryColumns)
      .where('advisor_pull_requests.state', '=', 'merged')
      .where('advisor_pull_requests.proposed', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('advisor_verdicts')
              .select('advisor_verdicts.id')
              .whereRef('advisor_verdicts.operationId', '=', 'advisor_pull_requests.operationId'),
          ),
        ),
      )
      .orderBy('advisor_pull_requests.mergedAt')
      .execute();
    return rows.flatMap(({ mergedAt, proposed, ...row }) =>
      mergedAt === null || proposed === null ? [] : { ...toJudged(row), mergedAt, proposed },
    );
  },
  /** Repositories with something to look at by now. */
  async due(now: Instant): Promise<JudgedRepository[]> {
    const rows = await database.db
      .selectFrom('advisor_verdicts')
      .innerJoin('repos', 'repos.id', 'advisor_verdicts.repoId')
      .select('advisor_verdicts.repoId')
      .select(repositoryColumns)
      .distinct()
      .where('advisor_verdicts.nextLook', '<=', now)
      .execute();
    return rows.map(toJudged);
  },
  /** Those of the repositories, which are known by the platform's ids. The newest merge first. */
  async list(repositoryIds: readonly number[]): Promise<StoredVerdict[]> {
    if (repositoryIds.length === 0) return [];
    const rows = await database.db
      .selectFrom('advisor_verdicts')
      .innerJoin('repos', 'repos.id', 'advisor_verdicts.repoId')
      .leftJoin('advisor_pull_requests', 'advisor_pull_requests.operationId', 'advisor_verdicts.operationId')
      .select(['advisor_verdicts.operationId', 'advisor_verdicts.change', 'advisor_verdicts.verdict'])
      .select('advisor_verdicts.commit')
      .select(['advisor_pull_requests.number', 'advisor_pull_requests.htmlUrl', 'advisor_pull_requests.mergeCommit'])
      .select('repos.codehostRepoId')
      .where('repos.codehostRepoId', 'in', [...repositoryIds])
      .orderBy('advisor_verdicts.id')
      .execute();
    return rows
      .map(({ codehostRepoId: repositoryId, number, htmlUrl, mergeCommit, commit, ...row }) => ({
        ...row,
        repositoryId,
        pullRequest: number === null || htmlUrl === null ? null : { number, htmlUrl },
        commit: commit ?? mergeCommit,
      }))
      .sort((one, other) => other.verdict.startAt - one.verdict.startAt);
  },
  /** Stores the result of a change, in the place of the one before. */
  put: (repoId: number, stored: KeptVerdict, now: Instant): Promise<void> => put(database, { repoId, stored, now }),
  /**
   * Stores that of a change that was just merged. What was decided of an earlier one of the same recommendation stays on
   * record, and is not looked at any more.
   */
  begin: (repoId: number, stored: KeptVerdict, now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      await archive(queries, { repoId, id: stored.change.id, now });
      await put(queries, { repoId, stored, now });
    }),
});

type KeptVerdict = Pick<StoredVerdict, 'operationId' | 'commit' | 'change' | 'verdict'>;

async function put(
  { db }: Queries,
  {
    repoId,
    stored: { operationId, commit, change, verdict },
    now,
  }: { repoId: number; stored: KeptVerdict; now: Instant },
): Promise<void> {
  const { state, nextLook } = verdict;
  const ofCommit = operationId === null ? commit : null;
  const values = { operationId, commit: ofCommit, change, verdict, state, nextLook, updatedAt: now };
  await db
    .insertInto('advisor_verdicts')
    .values({ repoId, id: change.id, ...values })
    .onConflict((conflict) => conflict.columns(['repoId', 'id']).doUpdateSet(values))
    .execute();
}

const decided: VerdictState[] = ['kept', 'lost', 'not_kept', 'no_effect', 'measured'];

/** Gives a decided result the key of a past one, with the day of its merge. */
async function archive(
  { db }: Queries,
  { repoId, id, now }: { repoId: number; id: string; now: Instant },
): Promise<void> {
  const past = await db
    .selectFrom('advisor_verdicts')
    .select('verdict')
    .where('repoId', '=', repoId)
    .where('id', '=', id)
    .where('state', 'in', decided)
    .executeTakeFirst();
  if (!past) return;
  const { startAt } = past.verdict;
  await db
    .updateTable('advisor_verdicts')
    .set({
      id: `${id} ${new Date(startAt).toISOString()}`,
      verdict: { ...past.verdict, nextLook: null, withdrawnAt: now },
      nextLook: null,
      updatedAt: now,
    })
    .where('repoId', '=', repoId)
    .where('id', '=', id)
    .execute();
}
