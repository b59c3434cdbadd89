import type { Insertable, Selectable } from 'kysely';
import type {
  AdvisorPullRequests,
  OpenedPullRequest,
  TrackedPullRequest,
  WantedPullRequest,
} from '../advisor/opened-pull-requests.ts';
import type { PullRequestAddress, PullRequestState } from '../codehost/pull-requests/states.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import { type Claimed, claimTtlMs, decideClaim } from '../platform/claims.ts';
import { appendAudit } from './audit.ts';
import type { Database, Queries, Tables } from './database.ts';
import { lockAdvisorPullRequests } from './locks.ts';

type Row = Selectable<Tables['advisor_pull_requests']>;

/** A pull request that was open when it was last read. */
export interface OpenPullRequest extends PullRequestAddress {
  operationId: string;
}

/** What the platform says of the pull requests that were opened from here. */
export interface PullRequestStates {
  /** Those that were open when they were last read, the oldest first. */
  open(): Promise<OpenPullRequest[]>;
  /** Stores it of one that is open; what was stored of another meanwhile stays. */
  become(operationId: string, state: PullRequestState): Promise<void>;
  /**
   * The same of an open one, of a repository by the platform's id, and the merge of a closed one, which was opened again;
   * false where there is none under this number.
   */
  close(repositoryId: number, number: number, state: PullRequestState): Promise<boolean>;
  /** The newest of each recommendation of repositories, by the platform's id of the repository and its own. */
  ofRepositories(repositoryIds: readonly number[]): Promise<Map<number, Map<string, TrackedPullRequest>>>;
}

/** Pull requests that people open from here, shared by all processes. Of their texts the title alone is stored. */
export const advisorPullRequests = (
  database: Database,
  known: (repository: Repository) => Promise<number>,
): AdvisorPullRequests & PullRequestStates => ({
  async claim(wanted, now) {
    const repoId = await known(wanted.repository);
    return database.transaction(async (queries) => {
      await lockAdvisorPullRequests(queries, wanted.userId);
      const recent = await forgetOlder(queries, wanted.userId, now - claimTtlMs);
      const claim = decideClaim<OpenedPullRequest, WantedPullRequest>(recent.map(toClaimed), wanted, now);
      if (claim.kind === 'own') await putClaim(queries, repoId, claim.claimed);
      return claim;
    });
  },
  done: ({ operationId }, { createdAt: openedAt, ids, proposed, ...made }, note) =>
    database.transaction(async (queries) => {
      const { numUpdatedRows } = await queries.db
        .updateTable('advisor_pull_requests')
        .set({ ...made, openedAt, ids: [...ids], proposed: [...proposed] })
        .where('operationId', '=', operationId)
        .where('number', 'is', null)
        .executeTakeFirstOrThrow();
      if (note && numUpdatedRows > 0n) await appendAudit(queries, note.entry, note.now);
    }),
  async released({ operationId, leaseUntil }) {
    await database.db
      .deleteFrom('advisor_pull_requests')
      .where('operationId', '=', operationId)
      .where('leaseUntil', '=', leaseUntil)
      .where('number', 'is', null)
      .execute();
  },
  async unsure({ operationId, leaseUntil }, now) {
    await database.db
      .updateTable('advisor_pull_requests')
      .set({ leaseUntil: now })
      .where('operationId', '=', operationId)
      .where('leaseUntil', '=', leaseUntil)
      .where('number', 'is', null)
      .execute();
  },
  list: async (repositoryId) => (await listOpened(database, [repositoryId])).get(repositoryId) ?? new Map(),
  ofRepositories: (repositoryIds) => listOpened(database, repositoryIds),
  async open() {
    const rows = await database.db
      .selectFrom('advisor_pull_requests as opened')
      .innerJoin('repos', 'repos.id', 'opened.repoId')
      .where('opened.state', '=', 'open')
      .where('opened.number', 'is not', null)
      .select(['opened.operationId', 'opened.number', 'repos.owner', 'repos.name as repo', 'repos.codehostRepoId'])
      .orderBy('opened.openedAt')
      .execute();
    return rows.flatMap(({ number, codehostRepoId: repositoryId, ...row }) =>
      number === null ? [] : { ...row, number, repositoryId },
    );
  },
  async become(operationId, { state, mergedAt, mergeCommit }) {
    await database.db
      .updateTable('advisor_pull_requests')
      .set({ state, mergedAt, mergeCommit })
      .where('operationId', '=', operationId)
      .where('state', '=', 'open')
      .execute();
  },
  async close(repositoryId, number, { state, mergedAt, mergeCommit }) {
    const { numUpdatedRows } = await database.db
      .updateTable('advisor_pull_requests')
      .set({ state, mergedAt, mergeCommit })
      .where('number', '=', number)
      .where('state', 'in', state === 'merged' ? ['open', 'closed'] : ['open'])
      .where('repoId', 'in', ({ selectFrom }) =>
        selectFrom('repos').select('repos.id').where('repos.codehostRepoId', '=', repositoryId),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },
});

/** A later one of the same recommendation stands in the place of an earlier one. */
async function listOpened(
  { db }: Queries,
  repositoryIds: readonly number[],
): Promise<Map<number, Map<string, TrackedPullRequest>>> {
  if (repositoryIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('advisor_pull_requests')
    .innerJoin('repos', 'repos.id', 'advisor_pull_requests.repoId')
    .where('repos.codehostRepoId', 'in', [...repositoryIds])
    .where('advisor_pull_requests.number', 'is not', null)
    .selectAll('advisor_pull_requests')
    .select('repos.codehostRepoId')
    .orderBy('advisor_pull_requests.openedAt')
    .execute();
  const opened = new Map<number, Map<string, TrackedPullRequest>>();
  for (const { codehostRepoId, ...row } of rows) {
    const made = toOpened(row);
    if (!made) continue;
    const { state, mergedAt, mergeCommit } = row;
    const ofRepository = opened.get(codehostRepoId) ?? new Map<string, TrackedPullRequest>();
    opened.set(codehostRepoId, ofRepository);
    for (const id of row.ids) ofRepository.set(id, { ...made, state, mergedAt, mergeCommit });
  }
  return opened;
}

/** The claims of an account that still count. One that came to nothing goes; a pull request stays without its key. */
async function forgetOlder({ db }: Queries, userId: number, since: number): Promise<Row[]> {
  await db
    .deleteFrom('advisor_pull_requests')
    .where('userId', '=', userId)
    .where('claimedAt', '<=', since)
    .where('number', 'is', null)
    .execute();
  await db
    .updateTable('advisor_pull_requests')
    .set({ idempotencyKey: null })
    .where('userId', '=', userId)
    .where('claimedAt', '<=', since)
    .where('idempotencyKey', 'is not', null)
    .execute();
  return db
    .selectFrom('advisor_pull_requests')
    .selectAll()
    .where('userId', '=', userId)
    .where('claimedAt', '>', since)
    .execute();
}

const toClaimed = (row: Row): Claimed<OpenedPullRequest> => ({
  operationId: row.operationId,
  userId: row.userId,
  key: row.idempotencyKey,
  requestHash: row.requestHash,
  subjectHash: row.subjectHash,
  claimedAt: row.claimedAt,
  leaseUntil: row.leaseUntil,
  made: toOpened(row),
});

function toOpened(row: Row): OpenedPullRequest | null {
  const { number, htmlUrl, openedAt, branch, baseBranch, baseCommit, commit, isDraft, title, ids, proposed } = row;
  if (number === null || htmlUrl === null || openedAt === null || branch === null) return null;
  if (baseBranch === null || baseCommit === null || commit === null) return null;
  if (isDraft === null || title === null) return null;
  return {
    number,
    htmlUrl,
    createdAt: openedAt,
    branch,
    baseBranch,
    baseCommit,
    commit,
    isDraft,
    title,
    ids,
    proposed: proposed ?? [],
  };
}

async function putClaim(
  { db }: Queries,
  repoId: number,
  claimed: Claimed<OpenedPullRequest, WantedPullRequest>,
): Promise<void> {
  const row: Insertable<Tables['advisor_pull_requests']> = {
    operationId: claimed.operationId,
    repoId,
    userId: claimed.userId,
    userLogin: claimed.login,
    idempotencyKey: claimed.key,
    requestHash: claimed.requestHash,
    subjectHash: claimed.subjectHash,
    ids: [...claimed.ids],
    baseBlobs: claimed.baseBlobs,
    claimedAt: claimed.claimedAt,
    leaseUntil: claimed.leaseUntil,
  };
  await db
    .insertInto('advisor_pull_requests')
    .values(row)
    .onConflict((conflict) => conflict.column('operationId').doUpdateSet({ leaseUntil: claimed.leaseUntil }))
    .execute();
}
