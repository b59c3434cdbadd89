import type { Instant } from '../metrics/kernel/facts.ts';
import type { Window } from '../metrics/kernel/window.ts';
import type { MergeRecord } from '../metrics/pull-requests/pull-requests.ts';
import type { Queries } from './database.ts';

/** The pull requests of several repositories that were merged in a window. */
export interface MergedOfRepositories {
  /** Those of the repositories of which every merge since the begin of the window is stored, by the database's own id. */
  complete: { repoId: number; through: Instant }[];
  /** Of these repositories alone. */
  pullRequests: (MergeRecord & { repoId: number })[];
}

/** Reads what several repositories merged, in two statements. */
export const mergedPullRequests =
  ({ db }: Queries) =>
  async (repoIds: readonly number[], { from, to }: Window): Promise<MergedOfRepositories> => {
    const complete = await db
      .selectFrom('fact_sync_state')
      .select(['repoId', 'through'])
      .where(({ eb, fn }) => eb('repoId', '=', fn.any(eb.val([...repoIds]))))
      .where('kind', '=', 'pull_requests')
      .where('floor', '<=', from)
      .execute();
    const rows = await db
      .selectFrom('pr_facts')
      .leftJoin('accounts', 'accounts.id', 'pr_facts.authorId')
      .select(['pr_facts.repoId', 'pr_facts.number', 'pr_facts.createdAt', 'pr_facts.mergedAt', 'pr_facts.htmlUrl'])
      .select(['accounts.login', 'accounts.avatarUrl', 'accounts.isBot'])
      .where(({ eb, fn }) => eb('pr_facts.repoId', '=', fn.any(eb.val(complete.map(({ repoId }) => repoId)))))
      .where('pr_facts.mergedAt', '>=', from)
      .where('pr_facts.mergedAt', '<=', to)
      .orderBy('pr_facts.mergedAt', 'desc')
      .orderBy('pr_facts.repoId')
      .orderBy('pr_facts.number', 'desc')
      .execute();
    const pullRequests = rows.map(({ login, avatarUrl, isBot, ...row }) => ({
      ...row,
      author: login === null ? null : { login, avatarUrl: avatarUrl ?? '', isBot: isBot === true },
      isAuthorUnread: false,
    }));
    return { complete, pullRequests };
  };
