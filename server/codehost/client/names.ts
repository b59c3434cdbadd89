import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';

/** How a repository is compared: without regard to case. */
export const nameKey = (name: RepositoryName): string => `${name.owner}/${name.repo}`.toLowerCase();

/** Whether the platform can have a repository of this name. */
export const isPossibleName = ({ owner, repo }: RepositoryName): boolean =>
  accountPattern.test(owner) && repositoryPattern.test(repo) && !/^\.{1,2}$/.test(repo);

/** Route parameters of a repository. A name the platform cannot have is `not_found`, without a request. */
export function repositoryParams(name: RepositoryName): { owner: string; repo: string } {
  if (!isPossibleName(name)) throw noSuchName();
  return { owner: name.owner, repo: name.repo };
}

/** Route parameters of an organization, with the same guard. */
export function organizationParams(org: string): { org: string } {
  if (!accountPattern.test(org)) throw noSuchName();
  return { org };
}

/** Route parameters of an account; a bot's login ends in `[bot]`. */
export function accountParams(login: string): { login: string } {
  if (!accountPattern.test(login.replace(/\[bot\]$/i, ''))) throw noSuchName();
  return { login };
}

const accountPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/;
const repositoryPattern = /^[A-Za-z0-9._-]{1,100}$/;
const noSuchName = () => new Problem('not_found', 'Repository or organization not found on GitHub.');
