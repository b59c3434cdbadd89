import type { Context, Reply } from '../../access/context.ts';
import { judgePlan } from '../../advisor/judge.ts';
import type { Dependencies } from '../../api/operation.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { type FieldProblem, invalidRequest } from '../../platform/problem.ts';
import { dependOnOwner, dependOnReadings, untilWindowsMove } from '../kernel/dependencies.ts';
import { readDismissals } from './dismissals.ts';
import { organizationPlan } from './organization-plan.ts';
import { toPlanAnswer } from './plan-answer.ts';
import type { Plan } from './plan-schema.ts';
import { readAdvice } from './reading.ts';
import { seesSecurity, showsCost, usualDays } from './report.ts';

type Answer = Domain<typeof Plan>;

export interface PlanInput {
  org?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
  limit: number;
}

/** What the open recommendations of a repository, or of those of an organization, come to together. */
export function plan(input: PlanInput, context: Context, reply: Reply): Promise<Answer> {
  const { org, owner, repo, limit } = input;
  const name = repositoryOf(input);
  if (org !== undefined && owner === undefined && repo === undefined) return organizationPlan({ org, limit }, context);
  if (org === undefined && name !== null) return repositoryPlan({ ...name, limit }, context, reply);
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

/** What a plan is made of. */
export async function dependOnPlan(input: PlanInput, context: Context): Promise<Dependencies | null> {
  const name = repositoryOf(input);
  if (name !== null) return dependOnReadings(name, context);
  return input.org === undefined
    ? null
    : dependOnOwner(input.org, context, untilWindowsMove(context.services.clock.now()));
}

/** The repository that a plan is of; null where an organization is meant. */
function repositoryOf({ owner, repo }: PlanInput): RepositoryName | null {
  return owner === undefined || repo === undefined ? null : { owner, repo };
}

async function repositoryPlan(
  { limit, ...name }: RepositoryName & { limit: number },
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const advice = await readAdvice({ ...name, days: usualDays }, context, reply);
  const { repository, files } = advice;
  const dismissals = await readDismissals(repository, context);
  const open = advice.recommendations.filter(({ id, reasons }) => reasons.length === 0 && !dismissals.has(id));
  const { id, owner, repo } = repository;
  const planned = { id, owner, repo, plan: judgePlan({ ...advice, recommendations: open }) };
  const terms = { limit, mayCost: await showsCost(context), seesSecurity: await seesSecurity(context) };
  return {
    scope: { org: null, owner, repo },
    ...toPlanAnswer([planned], terms),
    asOf: files.asOf,
    partial: files.partial || files.files.some(({ text }) => text === null),
    generatedAt: files.asOf,
    dataSource: 'mixed',
  };
}
