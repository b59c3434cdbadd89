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
import { type ComparedRepository, listCells, type MarkedScope } from './cells.ts';
import { countOfAgent, minOfAgent } from './comparison.ts';
import type { ComparisonScope, ComparisonSource } from './compute-comparison.ts';
import { findMonths } from './months.ts';
import { renewComparison } from './stored-comparison.ts';

export interface Renewal {
  computed: number;
  failed: number;
  /** Those that failed within the hour, or that somebody else computes. */
  waiting: number;
  /** Scopes that are left for the next time. */
  remaining: number;
}

const nothingRenewed: Renewal = { computed: 0, failed: 0, waiting: 0, remaining: 0 };

/**
 * Computes what is requested most, of organizations and repositories as whoever sees all of them sees them: the last six
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
  const source = { services, store, codehost, calendar, mayLeaveOut: true };
  const now = clock.now();
  const tableVersion = markTableVersion(setting.value, { timezone: calendar.timezone, botLogins: env.BOT_LOGINS });
  const about = { months: findMonths({}, now, calendar), tableVersion, now, calendar };
  const renewal = { ...nothingRenewed };
  for (const scope of await listScopes(about, setting.value, source)) {
    if (!mayContinue()) {
      renewal.remaining++;
      continue;
    }
    try {
      const outcome = await renewComparison(scope, source);
      if (outcome !== 'fresh') renewal[outcome]++;
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
  about: Pick<MarkedScope, 'months' | 'tableVersion' | 'now' | 'calendar'>,
  { repositories_excluded }: AiAuthorshipSettings,
  { store, services: { facts } }: Pick<ComparisonSource, 'store' | 'services'>,
): Promise<ComparisonScope[]> {
  const excluded = new Set(repositories_excluded.map((name) => name.toLowerCase()));
  const tracked = (await store.repositories.tracked()).filter((one) => !excluded.has(nameKey(one)));
  const readings = await store.pullRequestMarks.readings(tracked.map(({ codehostId }) => codehostId));
  const read = tracked.filter(({ codehostId }) => readings.get(codehostId)?.readThrough).map(toCompared);
  const scopes: ComparisonScope[] = [];
  for (const own of Map.groupBy(read, ({ owner }) => owner.toLowerCase()).values()) {
    const all = await store.pullRequestMarks.groups(
      own.map(({ id }) => id),
      about.months,
    );
    for (const repositories of own.length === 1 ? [own] : [own, ...own.map((one) => [one])]) {
      const ids = new Set(repositories.map(({ id }) => id));
      const groups = all.filter(({ repositoryId }) => ids.has(repositoryId));
      const rest = all.filter(({ repositoryId }) => !ids.has(repositoryId));
      const marked: MarkedScope = { ...about, readings, repositories, groups, rest };
      for (const compared of worthComparing(groups)) {
        const comparable = await listCells(marked, compared, facts);
        const { agent } = compared;
        const isEnough = agent === null || countOfAgent(marked, comparable, agent) >= minOfAgent;
        if (comparable.cells.length > 0 && isEnough)
          scopes.push({ cells: comparable.cells, tableVersion: about.tableVersion, ...compared });
      }
    }
  }
  return scopes;
}

const toCompared = ({
  codehostId,
  owner,
  repo,
  defaultBranch,
  private: isPrivate,
}: KnownRepository): ComparedRepository => ({
  id: codehostId,
  owner,
  repo,
  defaultBranch,
  private: isPrivate,
});

function worthComparing(groups: readonly MarkedGroup[]): ComparedClass[] {
  const authored = groups.filter((one) => one.class === 'agent_authored');
  const assisted = groups.filter((one) => one.class === 'ai_assisted');
  const agents = new Set(authored.flatMap(({ agent }) => agent ?? []));
  const isWorth = (own: readonly MarkedGroup[]) => countPullRequests(own) >= minMarked;
  return [
    ...(isWorth(authored) ? [{ class: 'agent_authored' as const, agent: null }] : []),
    ...(isWorth(assisted) ? [{ class: 'ai_assisted' as const, agent: null }] : []),
    ...[...agents].map((agent) => ({ class: 'agent_authored' as const, agent })),
  ];
}
