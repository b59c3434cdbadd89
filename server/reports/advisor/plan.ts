import type { Context } from '../../access/context.ts';
import type { Dependencies } from '../../api/operation.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { type FieldProblem, invalidRequest } from '../../platform/problem.ts';
import { dependOnOwner, dependOnRepository, untilWindowsMove } from '../kernel/dependencies.ts';
import { assertOwner, listVisibleRepositories, visibleRepository } from '../repositories/visibility.ts';
import { readJudged } from './judged.ts';
import { toPlanAnswer } from './plan-answer.ts';
import type { Plan } from './plan-schema.ts';
import { seesSecurity, showsCost } from './report.ts';

export interface PlanInput {
  org?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
  limit: number;
  page: number;
}

/**
 * What the open recommendations of a repository, or of those of an organization that the caller sees, come to together,
 * as each was judged last. The answer requests nothing but the proof of what may be seen.
 */
export async function plan(input: PlanInput, context: Context): Promise<Domain<typeof Plan>> {
  const scope = scopeOf(input);
  // Without a database this throws before any request to the platform.
  const store = context.isDemo ? null : context.store;
  const { items, partial } = await listVisible(scope, context);
  const { planned, asOf } = await readJudged(items, store, context);
  const terms = { limit: input.limit, page: input.page, ...(await readGrants(context)) };
  return {
    scope: { org: null, owner: null, repo: null, ...scope },
    ...toPlanAnswer(planned, terms),
    asOf: asOf.length === 0 ? null : Math.min(...asOf),
    partial,
    generatedAt: context.services.clock.now(),
    dataSource: 'mixed',
  };
}

/** Whether the caller may see what things cost, and findings about security. */
const readGrants = async (context: Context) => ({
  mayCost: await showsCost(context),
  seesSecurity: await seesSecurity(context),
});

/** What a plan is made of: what is stored of the repositories, as far as the features of the caller show it. */
export async function dependOnPlan(input: PlanInput, context: Context): Promise<Dependencies> {
  const scope = scopeOf(input);
  const until = untilWindowsMove(context.services.clock.now());
  const { sees, ...dependencies } = await ('org' in scope
    ? dependOnOwner(scope.org, context, until)
    : dependOnRepository(scope, context, until));
  return { ...dependencies, sees: `${sees} ${JSON.stringify(await readGrants(context))}` };
}

type Scope = { org: string } | RepositoryName;

/** @throws Problem `invalid_request` unless either an organization or a repository is named. */
function scopeOf(input: PlanInput): Scope {
  const { org, owner, repo } = input;
  if (org !== undefined && owner === undefined && repo === undefined) return { org };
  if (org === undefined && owner !== undefined && repo !== undefined) return { owner, repo };
  throw invalidRequest([unclearScope(input)]);
}

/** Why input does not say what the plan is of. */
function unclearScope({ org, owner, repo }: PlanInput): FieldProblem {
  if (org !== undefined) return { field: 'org', reason: 'invalid', message: 'org excludes owner and repo.' };
  if (owner === undefined && repo === undefined)
    return { field: 'org', reason: 'missing', message: 'org is missing, or owner and repo are.' };
  const field = owner === undefined ? 'owner' : 'repo';
  return { field, reason: 'missing', message: `${field} is missing.` };
}

async function listVisible(scope: Scope, context: Context): Promise<{ items: Repository[]; partial: boolean }> {
  if (!('org' in scope)) return { items: [await visibleRepository(scope, context)], partial: false };
  const { items, partial } = await listVisibleRepositories(scope.org, context);
  if (items.length === 0) await assertOwner(scope.org, context);
  return { items, partial };
}
