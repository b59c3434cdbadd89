import type { Shared } from './measurement.ts';
import type { Reader } from './reader.ts';
import type { Params } from './tool.ts';

/** The page of a repository, or one below it. */
export const repositoryPage = ({ owner, repo }: { owner: string; repo: string }, below = ''): string =>
  `/repos/${owner}/${repo}${below}`;

export const sharedOf = ({ context }: Reader, explained: Params, page: string): Shared => ({
  appUrl: context.services.env.APP_URL,
  explained,
  page,
});
