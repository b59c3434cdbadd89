import type { Services } from '../../access/context.ts';
import type { ComparedClass } from '../../metrics/ai-authorship/comparison/gather.ts';
import { countPullRequests } from '../../metrics/ai-authorship/floors.ts';
import type { MarkedGroup } from '../../metrics/ai-authorship/groups.ts';
import { Problem } from '../../platform/problem.ts';
import { type AiAuthorshipSettings, aiAuthorship, markTableVersion } from '../../settings/ai-authorship.ts';
import { readSetting } from '../../settings/setting.ts';
import type { KnownRepository } from '../../store/repositories.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { nameKey } from '../repositories/visibility.ts';
import { minOfAgent } from './comparison.ts';
import {
  type ComparedRepository,
  type ComparisonScope,
  type ComparisonSource,
  computeComparison,
  keyOf,
} from './compute-comparison.ts';
import { isFresh } from './kept-comparison.ts';
import { findMonths } from './months.ts';

export interface Renewal {
  computed: number;
  failed: number;
  /** Scopes that are left for the next time. */
  remaining: number;
}

const nothingRenewed: Renewal = { computed: 0, failed: 0, remaining: 0 };

/**
 * Computes what is asked for most, of organizations and repositories as whoever sees all of them sees them: the last six
 * months, where no comparison of this week and this table of marks is stored.
 */
export async function renewComparisons(
  services: Services,
  codehost: ComparisonSource['codehost'],
  mayContinue: () => boolean,
): Promise<Renewal> {
  const { store, clock, env, log } = services;
  if (!store) throw new Error('Comparing needs a database.');
  const setting = await readSetting(aiAuthorship, store);
  if (!setting.databaseAvailable || !setting.value.enabled) return nothingRenewed;
  const calendar = await teamCalendar({ services });
  const source = { services, store, codehost, calendar };
  const about = {
    months: findMonths({}, clock.now(), calendar),
    tableVersion: markTableVersion(setting.value, { timezone: calendar.timezone, botLogins: env.BOT_LOGINS }),
  };
  const renewal = { ...nothingRenewed };
  for (const scope of await listScopes(about, setting.value, source)) {
    const key = keyOf(scope);
    const now = clock.now();
    if (isFresh(await store.aiComparisons.get(key), scope, now)) continue;
    if (!mayContinue()) {
      renewal.remaining++;
      continue;
    }
    try {
      const answer = await computeComparison(scope, source);
      await store.aiComparisons.put(key, { answer, tableVersion: scope.tableVersion, computedAt: now });
      renewal.computed++;
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthenticated')
        throw new Problem('service_token_missing', 'GitHub rejected the service token.');
      log.warn({ err: error }, 'marked pull requests could not be compared');
      renewal.failed++;
    }
  }
  return renewal;
}

/** Fewer marked pull requests are compared only where somebody asks. */
const minMarked = 30;

async function listScopes(
  about: Pick<ComparisonScope, 'months' | 'tableVersion'>,
  { repositories_excluded }: AiAuthorshipSettings,
  { store }: Pick<ComparisonSource, 'store'>,
): Promise<ComparisonScope[]> {
  const excluded = new Set(repositories_excluded.map((name) => name.toLowerCase()));
  const tracked = (await store.repositories.tracked()).filter((one) => !excluded.has(nameKey(one)));
  const readings = await store.pullRequestMarks.readings(tracked.map(({ codehostId }) => codehostId));
  const read = tracked.filter(({ codehostId }) => readings.get(codehostId)?.readThrough).map(toCompared);
  const scopes: ComparisonScope[] = [];
  for (const own of Map.groupBy(read, ({ owner }) => owner.toLowerCase()).values()) {
    const groups = await store.pullRequestMarks.groups(
      own.map(({ id }) => id),
      about.months,
    );
    for (const repositories of own.length === 1 ? [own] : [own, ...own.map((one) => [one])])
      for (const compared of worthComparing(groups, repositories)) scopes.push({ ...about, ...compared, repositories });
  }
  return scopes;
}

const toCompared = ({ codehostId, owner, repo, defaultBranch }: KnownRepository): ComparedRepository => ({
  id: codehostId,
  owner,
  repo,
  defaultBranch,
});

function worthComparing(groups: readonly MarkedGroup[], repositories: readonly ComparedRepository[]): ComparedClass[] {
  const ids = new Set(repositories.map(({ id }) => id));
  const own = groups.filter(({ repositoryId }) => ids.has(repositoryId));
  const authored = own.filter((one) => one.class === 'agent_authored');
  const byAgent = [...Map.groupBy(authored, ({ agent }) => agent)];
  return [
    ...(countPullRequests(authored) >= minMarked ? [{ class: 'agent_authored' as const, agent: null }] : []),
    ...(countPullRequests(own.filter((one) => one.class === 'ai_assisted')) >= minMarked
      ? [{ class: 'ai_assisted' as const, agent: null }]
      : []),
    ...byAgent.flatMap(([agent, some]) =>
      agent !== null && countPullRequests(some) >= minOfAgent ? [{ class: 'agent_authored' as const, agent }] : [],
    ),
  ];
}
