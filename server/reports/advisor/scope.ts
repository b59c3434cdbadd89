import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { org, owner, repo } from '../../api/parameters.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { type FieldProblem, invalidRequest } from '../../platform/problem.ts';
import { listOfKnownOwner, visibleRepository } from '../repositories/visibility.ts';
import { listAdvised } from './in-effect.ts';

export const recommendationId = z.string().regex(/^[0-9a-f]{16}$/, 'is not the id of a recommendation');

/** Parameters of what is answered of an organization, or of a repository. */
export const advisorScope = {
  org: org.optional(),
  owner: owner.optional(),
  repo: repo.optional(),
};

export interface AdvisorScopeInput {
  org?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

export type AdvisorScope = { org: string } | RepositoryName;

/** @throws Problem `invalid_request` unless either an organization or a repository is named. */
export function scopeOf(input: AdvisorScopeInput): AdvisorScope {
  const { org, owner, repo } = input;
  if (org !== undefined && owner === undefined && repo === undefined) return { org };
  if (org === undefined && owner !== undefined && repo !== undefined) return { owner, repo };
  throw invalidRequest([unclearScope(input)]);
}

/** Why input does not say what is wanted. */
function unclearScope({ org, owner, repo }: AdvisorScopeInput): FieldProblem {
  if (org !== undefined) return { field: 'org', reason: 'invalid', message: 'org excludes owner and repo.' };
  if (owner === undefined && repo === undefined)
    return { field: 'org', reason: 'missing', message: 'org is missing, or owner and repo are.' };
  const field = owner === undefined ? 'owner' : 'repo';
  return { field, reason: 'missing', message: `${field} is missing.` };
}

/** The repositories of a scope that the caller sees and recommendations are made for. */
export async function listVisible(
  scope: AdvisorScope,
  context: Context,
): Promise<{ items: Repository[]; partial: boolean }> {
  if (!('org' in scope)) return { items: [await visibleRepository(scope, context)], partial: false };
  const { items, partial } = await listOfKnownOwner(scope.org, context);
  return { items: await listAdvised(items, context), partial };
}
