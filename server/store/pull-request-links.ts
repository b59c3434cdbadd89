import type { PullRequestLink } from '../metrics/ai-authorship/links.ts';
import type { Queries } from './database.ts';

export interface StoredLink extends PullRequestLink {
  /** Of the pull request that names another one. */
  number: number;
}

/** That a pull request names another one by its number. */
export interface ResolvedLink extends Pick<StoredLink, 'number' | 'kind'> {
  target: number;
}

/** Stores the links of some pull requests in the place of those that they had. */
export async function putLinks(
  { db }: Queries,
  repoId: number,
  numbers: readonly number[],
  links: readonly StoredLink[],
): Promise<void> {
  if (numbers.length === 0) return;
  await db
    .deleteFrom('pr_links')
    .where('repoId', '=', repoId)
    .where('number', 'in', [...numbers])
    .execute();
  if (links.length === 0) return;
  await db
    .insertInto('pr_links')
    .values(links.map((one) => ({ repoId, ...one })))
    .execute();
}

/** Those of a repository, by the platform's id; a commit is that of a merge, or none of a pull request. */
export async function listLinks({ db }: Queries, repositoryId: number): Promise<ResolvedLink[]> {
  const links = await db
    .selectFrom('pr_links')
    .innerJoin('repos', 'repos.id', 'pr_links.repoId')
    .where('repos.codehostRepoId', '=', repositoryId)
    .select(['pr_links.number', 'pr_links.kind', 'pr_links.target'])
    .execute();
  const byCommit = links.some(({ target }) => !target.startsWith('#')) ? await listMerges(db, repositoryId) : [];
  return links.flatMap(({ target, ...link }) => {
    if (target.startsWith('#')) return { ...link, target: Number(target.slice(1)) };
    const merged = byCommit.find(({ mergeSha }) => mergeSha?.startsWith(target));
    return merged ? { ...link, target: merged.number } : [];
  });
}

const listMerges = (db: Queries['db'], repositoryId: number) =>
  db
    .selectFrom('pr_marks')
    .innerJoin('repos', 'repos.id', 'pr_marks.repoId')
    .where('repos.codehostRepoId', '=', repositoryId)
    .where('pr_marks.mergeSha', 'is not', null)
    .select(['pr_marks.number', 'pr_marks.mergeSha'])
    .execute();
