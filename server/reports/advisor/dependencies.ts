import type { Context } from '../../access/context.ts';
import type { Dependencies } from '../../api/operation.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { dependOnOwner, dependOnReadings, dependOnRepository, untilWindowsMove } from '../kernel/dependencies.ts';
import { seesSecurity, showsCost } from './report.ts';
import { type AdvisorScopeInput, scopeOf } from './scope.ts';

/** Whether the caller may see what things cost, and findings about security. */
export const readGrants = async (context: Context) => ({
  mayCost: await showsCost(context),
  seesSecurity: await seesSecurity(context),
});

const withGrants = async ({ sees, ...dependencies }: Dependencies, context: Context): Promise<Dependencies> => ({
  ...dependencies,
  sees: `${sees} ${JSON.stringify(await readGrants(context))}`,
});

/** What advice for a repository is made of, as far as the features of the caller show it. */
export async function dependOnAdvice(name: RepositoryName, context: Context): Promise<Dependencies | null> {
  const dependencies = await dependOnReadings(name, context);
  return dependencies && withGrants(dependencies, context);
}

/** What is stored of the repositories of a scope, as far as the features of the caller show it. */
export async function dependOnAdvisorScope(input: AdvisorScopeInput, context: Context): Promise<Dependencies> {
  const scope = scopeOf(input);
  const until = untilWindowsMove(context.services.clock.now());
  const dependencies = await ('org' in scope
    ? dependOnOwner(scope.org, context, until)
    : dependOnRepository(scope, context, until));
  return withGrants(dependencies, context);
}
