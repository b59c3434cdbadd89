import type { Context } from '../../../access/context.ts';
import type { PullRequestBase } from '../../../codehost/pull-requests/base.ts';
import { type MissingPermission, missing } from '../../../codehost/pull-requests/denials.ts';

/**
 * Throws `missing_permission` where it is known before anything is written; contract of the advisor, section 7.4. A
 * fine-grained token shows none of its permissions: what it may do is seen by trying.
 */
export function assertMayWrite({ mayPush, scopes, isPublic }: PullRequestBase): void {
  if (!mayPush) throw missing(['push']);
  if (scopes === null) return;
  const mayChange = scopes.includes('repo') || (isPublic && scopes.includes('public_repo'));
  const lacking: MissingPermission[] = [];
  if (!mayChange) lacking.push('repo');
  if (!scopes.includes('workflow')) lacking.push('workflow');
  if (lacking.length > 0) throw missing(lacking);
}

/** Tokens of an app have permissions and no scopes, whatever they show. */
export const hideScopesOfApp = (base: PullRequestBase, { services: { env } }: Context): PullRequestBase =>
  env.MODE === 'organization' && env.OAUTH_SCOPES === 'none' ? { ...base, scopes: null } : base;
