import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { offers } from '../../access/decision.ts';
import { feature } from '../../access/rules.ts';
import type { Domain } from '../../api/wire.ts';
import { readFacts } from '../../facts/facts.ts';
import { getDeploymentResult, productionEnvironment } from '../../metrics/delivery/deployments.ts';
import type { Deployment } from '../../metrics/kernel/delivery-facts.ts';
import { dayMs, isWithin, lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import { deploymentDays as reportedDays } from '../deployments/facts.ts';
import { instant } from '../kernel/instants.ts';
import type { CiScope, ScopeRepository } from './reading.ts';

/** Deployments beside the days of runs. */
export const deploymentDays = z
  .array(
    z.object({
      first_at: instant.meta({ description: 'The first one of the day.' }),
      environment: z.string(),
      deployments: z.int(),
      failed: z.int().nullable().meta({ description: 'null where the status of any could not be read.' }),
    }),
  )
  .nullable()
  .meta({
    description:
      'Days of the window with deployments to production, as far as they are stored, oldest first; null where none were ever read, of more than one repository, and without the feature deployments.',
  });

const deployments = feature('deployments');

/** As many as a report of deployments knows. */
const knownDays = 61;

/** Deployments are of another feature than runs. */
const mayReadDeployments = async (context: Context): Promise<boolean> =>
  offers(deployments, context, await context.actor());

/** When the one repository of a scope was deployed to production; nothing is requested of the platform for it. */
export async function listDeploymentDays(
  { repositories, calendar, window }: Pick<CiScope, 'repositories' | 'calendar' | 'window'>,
  context: Context,
): Promise<Domain<typeof deploymentDays>> {
  const [only, ...others] = repositories.values();
  if (!only || others.length > 0 || !(await mayReadDeployments(context))) return null;
  // Which one is production shows in more than a short window.
  const read = { from: Math.min(window.from, window.to - knownDays * dayMs), to: window.to };
  const known = await (context.isDemo ? listSample(only, read, context) : listStored(only, read, context));
  if (known === null) return null;
  const { environment } = productionEnvironment(known, lastDaysWindow(reportedDays, window.to));
  const recent = known.filter(({ createdAt }) => isWithin(createdAt, window));
  const own = recent.filter((one) => one.environment === environment).sort((a, b) => a.createdAt - b.createdAt);
  const days = Map.groupBy(own, ({ createdAt }) => calendar.getDay(createdAt));
  return [...days.values()].flatMap((day) => {
    const [first] = day;
    return first === undefined
      ? []
      : [
          {
            firstAt: first.createdAt,
            environment: first.environment,
            deployments: day.length,
            failed: countFailed(day),
          },
        ];
  });
}

function countFailed(day: readonly Deployment[]): number | null {
  const outcomes = day.map((one) => getDeploymentResult(one).outcome);
  return outcomes.includes(null) ? null : outcomes.filter((outcome) => outcome === 'failed').length;
}

/** null where none were ever read. */
async function listStored({ id }: ScopeRepository, { from }: Window, { store, services: { facts } }: Context) {
  const codehostId = await store.repositories.findCodehostId(id);
  if (codehostId === null) return null;
  const states = await facts.syncStates({ id: codehostId });
  return states.some(({ kind }) => kind === 'deployments')
    ? facts.facts({ id: codehostId }, 'deployments', from)
    : null;
}

async function listSample({ name }: ScopeRepository, { from, to }: Window, context: Context) {
  const { services } = context;
  const [owner = '', repo = ''] = name.split('/');
  const codehost = await context.codehost();
  const source = { codehost, factRepository: services.facts, clock: services.clock };
  const known = await codehost.repositories.get({ owner, repo });
  const { items } = await readFacts(source, known, 'deployments', { since: from, maxAgeMs: to - from });
  return items;
}
