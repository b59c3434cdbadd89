import { Problem } from '../../platform/problem.ts';
import type { PlainError } from '../client/failures.ts';

/** What somebody's token lacks to open a pull request. */
export type MissingPermission =
  | 'repo'
  | 'workflow'
  | 'workflows:write'
  | 'contents:write'
  | 'pull_requests:write'
  | 'push';

/** null for what says nothing of permissions or rules. */
export function explainDenial({ status, message }: PlainError, permission: MissingPermission): null {
  if (isRule(message)) throw refusedByRule(message);
  if (status === 422)
    throw new Problem('upstream_rejected', 'GitHub rejected the request.', { details: { upstream_status: 422 } });
  if (/archived/i.test(message)) throw new Problem('archived', 'The repository is archived.');
  throw missing([permission]);
}

export const isRule = (message: string) =>
  /rule violations|protected|must be made through a pull request/i.test(message);

/** The platform's own sentence, on one line and cut. */
export const refusedByRule = (message: string) =>
  new Problem(
    'branch_refused',
    `A rule of the repository refuses the branch: ${message.replace(/\s+/g, ' ').slice(0, 200)}`,
  );

/** The error of a token that may not do what is needed. */
export const missing = (permissions: readonly MissingPermission[]) =>
  new Problem('missing_permission', 'The token lacks a permission that the pull request needs.', {
    details: { missing: permissions, how: howToGrant(permissions) },
  });

function howToGrant(permissions: readonly MissingPermission[]): string {
  if (permissions.includes('push')) return 'Ask for write access to the repository, or download the patch.';
  const names = permissions.map((one) => grants[one]);
  return `Grant the token ${[...new Set(names)].join(', ')}, or download the patch.`;
}

const grants: Record<MissingPermission, string> = {
  repo: 'the scope repo',
  workflow: 'the scope workflow',
  'workflows:write': 'Workflows: write',
  'contents:write': 'Contents: write',
  'pull_requests:write': 'Pull requests: write',
  push: 'write access',
};
