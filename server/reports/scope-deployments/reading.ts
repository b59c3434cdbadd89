import pMap from 'p-map';
import type { Context } from '../../access/context.ts';
import { readFacts } from '../../facts/facts.ts';
import { readStoredFacts } from '../../facts/stored-facts.ts';
import { peopleIn } from '../../identity/people.ts';
import { coveredWindow, findNamedProduction } from '../../metrics/delivery/deployments.ts';
import { findOutages, type Outage } from '../../metrics/delivery/restores.ts';
import type { ScopeDeployment } from '../../metrics/delivery/scope-deployments.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { isWithin, staleAfterMs, type Window } from '../../metrics/kernel/window.ts';
import { Problem } from '../../platform/problem.ts';
import { sampleCi } from '../ci/demo.ts';
import { findScope, type ScopeRepository, type StoredScope } from '../ci/reading.ts';
import { cover } from '../ci/scope-coverage.ts';
import { type DeploymentSource, type Deployments, readDeployments } from '../deployments/facts.ts';
import { teamCalendar } from '../kernel/calendar.ts';

export interface RepositoryDeployments {
  repository: ScopeRepository;
  /** null where they were never read, or not so far back. */
  known: Deployments | null;
  /** false where deployments show no environment that is named as production, and only the platform may tell which is. */
  isProductionKnown: boolean;
}

export interface ScopeReading {
  scope: StoredScope;
  repositories: RepositoryDeployments[];
  now: Instant;
}

/** The deployments of every repository of a scope as far as they are stored; the platform is not called for them. */
export async function readScopeDeployments(org: string | undefined, context: Context): Promise<ScopeReading> {
  const calendar = await teamCalendar(context);
  const scope = await findScope({ org }, calendar, context, (items) => sampleCi(items, context));
  const [people, now] = [await peopleIn(context.services), context.services.clock.now()];
  const repositories = await pMap(
    scope.repositories.values(),
    async (repository) => {
      const about = { repository: repository.onPlatform, people, now };
      return { repository, ...(await readOne(about, scope, context)) };
    },
    { concurrency: atOnce },
  );
  return { scope, repositories, now };
}

/** Each has statements and facts of its own, and a scope may have hundreds of repositories. */
const atOnce = 4;

type About = Omit<DeploymentSource, 'codehost' | 'read'>;

async function readOne(about: About, { calendar }: StoredScope, context: Context) {
  let isProductionKnown = true;
  const { services } = context;
  const codehost = await context.codehost();
  const source: DeploymentSource = {
    ...about,
    codehost: {
      deployments: {
        async productionEnvironments(name) {
          if (context.isDemo) return codehost.deployments.productionEnvironments(name);
          isProductionKnown = false;
          return [];
        },
      },
    },
    async read(kind, request) {
      const stored = { factRepository: services.facts, now: about.now };
      const set = context.isDemo
        ? await readFacts(
            { codehost, factRepository: services.facts, clock: services.clock },
            about.repository,
            kind,
            request,
          )
        : await readStoredFacts(stored, about.repository, kind, request);
      if (set === null) throw notStored();
      return set;
    },
  };
  try {
    const known = await readDeployments(source, calendar);
    return { known, isProductionKnown };
  } catch (error) {
    if (error instanceof Problem && error.code === 'upstream_unavailable') return { known: null, isProductionKnown };
    throw error;
  }
}

const notStored = () => new Problem('upstream_unavailable', 'Nothing of this is stored.');

/** Of which repositories deployments are counted. */
export const coverDeployments = ({ scope, repositories, now }: ScopeReading) => {
  const byId = new Map(repositories.map((one) => [one.repository.id, one]));
  return cover(scope, (id) => {
    const { known = null, isProductionKnown = true } = byId.get(id) ?? {};
    if (known === null) return { included: false, reason: 'not_yet_read' };
    if (!isProductionKnown) return { included: false, reason: 'sub_fetch_failed' };
    return { included: true, reason: findMissing({ known, isProductionKnown }, now) };
  });
};

type Read = Omit<RepositoryDeployments, 'repository' | 'known'> & { known: Deployments };

/** What figures of a counted repository lack; null where they are of all of its window. */
export function findMissing(one: Read, now: Instant): 'begin_missing' | 'end_missing' | 'sub_fetch_failed' | null {
  if (one.known.partial) return 'begin_missing';
  if (isOld(one.known, now)) return 'end_missing';
  return hasUnread(one) ? 'sub_fetch_failed' : null;
}

/** Whether statuses of a deployment to production could not be read: it may have failed. */
const hasUnread = (one: Read): boolean =>
  one.known.recent.some(({ environment, statuses }) => statuses === null && environment === getProduction(one));

/** Whether its window ends too long ago to be that of others. */
const isOld = ({ set }: Deployments, now: Instant): boolean => now - set.asOf > staleAfterMs;

/** Production of a repository, also of one that is quiet now; null where none is known. */
export function getProduction({ known, isProductionKnown }: Omit<RepositoryDeployments, 'repository'>): string | null {
  if (known === null || !isProductionKnown) return null;
  return known.figures.productionEnvironment ?? findNamedProduction(known.set.items, known.scope.window);
}

/** Whether something was deployed in a window, and nothing shows whether that was to production. */
export const isUndecided = (one: RepositoryDeployments, window: Window): boolean =>
  getProduction(one) === null && (one.known?.set.items ?? []).some(({ createdAt }) => isWithin(createdAt, window));

/** The deployments of a repository in a window. */
export function listDeployments(one: RepositoryDeployments, window: Window): ScopeDeployment[] {
  if (one.known === null) return [];
  const production = getProduction(one);
  const { from, to } = coveredWindow({ ...one.known.scope, window, environment: '' });
  return one.known.set.items
    .filter(({ createdAt }) => isWithin(createdAt, window))
    .map((deployment) => ({ deployment, production, coveredMs: to - from }));
}

/** Its streaks of failures in production that ended in a window, or were open at its end. */
export const listOutages = (one: RepositoryDeployments, window: Window): Outage[] =>
  findOutages(
    (one.known?.set.items ?? []).filter(({ environment }) => environment === getProduction(one)),
    window,
  );
