import { coversBegin, type Window } from '../metrics/kernel/window.ts';
import type { MergeRecord } from '../metrics/pull-requests/pull-requests.ts';
import type { Queries } from './database.ts';
import { pullRequestWindows } from './pull-request-windows.ts';

/** The pull requests of several repositories that were merged in a window. */
export interface MergedOfRepositories {
  /**
   * The window of which every merge is stored, by the database's own id; absent where none were ever read, empty where
   * the reading was stopped by its limit.
   */
  stored: Map<number, Window>;
  /** Those of them that are stored from the begin of the window on. */
  counted: number[];
  /** Of these repositories alone; of each as far as it was read. */
  pullRequests: (MergeRecord & { repoId: number })[];
}

/** Reads what several repositories merged, in two statements. */
export function mergedPullRequests(queries: Queries) {
  const { db } = queries;
  const readWindows = pullRequestWindows(queries);
  return async (repoIds: readonly number[], window: Window): Promise<MergedOfRepositories> => {
    const stored = await readWindows(repoIds);
    const counted = [...stored].filter(([, known]) => coversBegin(known, window)).map(([repoId]) => repoId);
    const rows = await db
      .selectFrom('pr_facts')
      .leftJoin('accounts', 'accounts.id', 'pr_facts.authorId')
      .select(['pr_facts.repoId', 'pr_facts.number', 'pr_facts.createdAt', 'pr_facts.mergedAt', 'pr_facts.htmlUrl'])
      .select(['accounts.login', 'accounts.avatarUrl', 'accounts.isBot'])
      .where(({ eb, fn }) => eb('pr_facts.repoId', '=', fn.any(eb.val(counted))))
      .where('pr_facts.mergedAt', '>=', window.from)
      .where('pr_facts.mergedAt', '<=', window.to)
      .orderBy('pr_facts.mergedAt', 'desc')
      .orderBy('pr_facts.repoId')
      .orderBy('pr_facts.number', 'desc')
      .execute();
    const pullRequests = rows.map(({ login, avatarUrl, isBot, ...row }) => ({
      ...row,
      author: login === null ? null : { login, avatarUrl: avatarUrl ?? '', isBot: isBot === true },
      isAuthorUnread: false,
    }));
    return { stored, counted, pullRequests };
  };
}
