import { affiliation, type DoubleRepository, type DoubleToken, type DoubleWorld } from './world.ts';

/** What a fine-grained token may write only where it was granted. */
export type WritePermission = 'contents' | 'pull_requests' | 'workflows';

/** Whether the account may push to the repository. */
export const mayPush = (world: DoubleWorld, { login }: DoubleToken, repository: DoubleRepository): boolean =>
  affiliation(world, login, repository) !== null;

/** Whether a token may write there, by its scopes or by what it was granted. */
export function mayWrite(
  world: DoubleWorld,
  token: DoubleToken,
  repository: DoubleRepository,
  permission: WritePermission,
): boolean {
  if (!mayPush(world, token, repository)) return false;
  if (token.scopes === null) return !(token.lacks ?? []).includes(permission);
  if (permission === 'workflows') return token.scopes.includes('workflow');
  return token.scopes.includes('repo') || (!repository.facts.private && token.scopes.includes('public_repo'));
}

/** The platform's sentence about a workflow file that a token may not change. */
export const workflowRefusal = ({ scopes }: DoubleToken, path: string): string =>
  scopes === null
    ? 'Resource not accessible by personal access token'
    : `refusing to allow an OAuth App to create or update workflow \`${path}\` without \`workflow\` scope`;
