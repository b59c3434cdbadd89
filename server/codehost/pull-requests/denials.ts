import { Problem } from '../../platform/problem.ts';

/** What somebody's token lacks to open a pull request: scopes of a classic one, permissions of a fine-grained one. */
export type MissingPermission =
  | 'repo'
  | 'workflow'
  | 'workflows:write'
  | 'contents:write'
  | 'pull_requests:write'
  | 'push';

/** Which of them a fine-grained token lacks, the platform does not say. */
export const fineGrainedPermissions: readonly MissingPermission[] = [
  'contents:write',
  'pull_requests:write',
  'workflows:write',
];

/**
 * Throws what a sentence of the platform says of rules, archives and permissions; null for every other. Sentences are
 * recognized by how they begin: further on they hold names of branches and paths.
 */
export function explainDenial(message: string): null {
  if (ruleSentence.test(message)) throw refusedByRule(message);
  if (/^Repository was archived/i.test(message)) throw archived();
  if (/^refusing to allow an? .{1,60}? to create or update workflow /i.test(message))
    throw missing(/ without `workflows` permission$/.test(message) ? fineGrainedPermissions : ['workflow']);
  if (/^Resource not accessible by /i.test(message)) throw missing(fineGrainedPermissions);
  if (/^Your token has not been granted the required scopes/i.test(message)) throw missing(['repo']);
  return null;
}

const ruleSentence =
  /^(?:Validation Failed )?(?:Repository rule violations found|Protected branch |Cannot (?:create|update) (?:ref|(?:this )?protected) |Changes must be made through a pull request|You're not authorized to push to this branch)/i;

/** The platform's own sentence, on one line and cut. */
const refusedByRule = (message: string) =>
  new Problem(
    'branch_refused',
    `A rule of the repository refuses the branch: ${message.replace(/\s+/g, ' ').slice(0, 200)}`,
  );

/** The error of a repository that takes no changes any more. */
export const archived = () => new Problem('archived', 'The repository is archived.');

/** The error of a token that may not do what is needed. */
export const missing = (permissions: readonly MissingPermission[]) =>
  new Problem('missing_permission', 'The token lacks a permission that the pull request needs.', {
    details: { missing: permissions, how: howToGrant(permissions) },
  });

function howToGrant(permissions: readonly MissingPermission[]): string {
  if (permissions.includes('push')) return 'Ask for write access to the repository, or download the patch.';
  if (permissions.includes('contents:write'))
    return 'Give the token the permissions Contents, Pull requests and Workflows, each to read and write, for this repository, or download the patch.';
  const scopes = permissions.map((scope) => `the scope ${scope}`);
  return `Give the token ${scopes.join(' and ')}, or download the patch.`;
}
