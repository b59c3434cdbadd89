import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { readGrants } from './dependencies.ts';
import { readJudged } from './judged.ts';
import { toPlanAnswer } from './plan-answer.ts';
import type { PlanFilter } from './plan-filter.ts';
import type { Plan } from './plan-schema.ts';
import { type AdvisorScopeInput, listVisible, scopeOf } from './scope.ts';

export interface PlanInput extends AdvisorScopeInput, PlanFilter {
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
  const { limit, page, repository, kind, state } = input;
  const terms = { limit, page, repository, kind, state, ...(await readGrants(context)) };
  return {
    scope: { org: null, owner: null, repo: null, ...scope },
    ...toPlanAnswer(planned, terms),
    asOf: asOf.length === 0 ? null : Math.min(...asOf),
    partial,
    generatedAt: context.services.clock.now(),
    dataSource: 'mixed',
  };
}
