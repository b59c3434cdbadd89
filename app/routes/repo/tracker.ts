import type { Context } from '../../../server/access/context.ts';

interface IssuesQuery {
  context: Context;
  params: Record<string, string | undefined>;
}

/**
 * Whether a link to the issues of a repository opens: not where its tracker is off. To be called after the panels of the
 * page, because it requests nothing of the platform: what proved that the reader may see the repository shows it.
 */
export async function hasTracker({ context, params: { owner = '', repo = '' } }: IssuesQuery): Promise<boolean> {
  const { repositories } = await context.codehost();
  return repositories.known({ owner, repo })?.hasIssues ?? true;
}
