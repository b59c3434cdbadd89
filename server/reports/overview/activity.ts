import type { Context } from '../../access/context.ts';
import { readFacts } from '../../facts/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { coversBegin, type Window } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import type { MergedOfRepositories } from '../../store/merged-pull-requests.ts';
import type { RepositoryDailyCounts } from '../../store/trends.ts';
import { listAllRuns } from '../ci/demo.ts';
import type { CiScope, ScopeRepository } from '../ci/reading.ts';

/** The days of a repository that have runs. */
export type RepositoryRunDay = Pick<RepositoryDailyCounts, 'repoId' | 'date' | 'total' | 'success' | 'failure'>;

/** What happened in the repositories of a scope, by day and by merge. */
export interface Activity {
  listRunDays(window: Window): Promise<RepositoryRunDay[]>;
  listMerges(window: Window): Promise<MergedOfRepositories>;
}

export const activityOf = (scope: CiScope, context: Context): Activity =>
  context.isDemo ? sampleActivity(scope, context) : storedActivity(scope, context);

function storedActivity({ repositories, calendar }: CiScope, { store }: Context): Activity {
  const repoIds = [...repositories.keys()];
  return {
    listRunDays: ({ from, to }) =>
      store.trends.dailyByRepository(repoIds, {
        from: calendar.getDay(from),
        to: calendar.getDay(to),
        timezone: calendar.timezone,
      }),
    listMerges: (window) => store.mergedPullRequests(repoIds, window),
  };
}

/** The sample organization has no database: its days are those that a database would have. */
function sampleActivity({ source, repositories, calendar }: CiScope, context: Context): Activity {
  const all = [...repositories.values()];
  const repoIds = [...repositories.keys()];
  return {
    listRunDays: async (window) => {
      const days = await Promise.all(all.map((one) => countSampleDays(one, window, calendar, context)));
      return days.flat();
    },
    listMerges: async (window) => {
      const lists = await Promise.all(all.map((one) => listSampleMerges(one, window, context)));
      const stored = await source.storedWindows(repoIds);
      const counted = repoIds.filter((id) => coversBegin(stored.get(id), window));
      return { stored, counted, pullRequests: lists.flat().filter(({ repoId }) => counted.includes(repoId)) };
    },
  };
}

const toName = ({ name }: ScopeRepository) => {
  const [owner = '', repo = ''] = name.split('/');
  return { owner, repo };
};

async function countSampleDays(
  repository: ScopeRepository,
  window: Window,
  calendar: Calendar,
  context: Context,
): Promise<RepositoryRunDay[]> {
  const codehost = await context.codehost();
  const runs = await listAllRuns(codehost, await codehost.repositories.get(toName(repository)), window);
  const byDay = Map.groupBy(runs, ({ createdAt }) => calendar.getDay(createdAt));
  return [...byDay].map(([date, own]) => ({
    repoId: repository.id,
    date,
    total: own.length,
    success: own.filter((run) => getOutcome(run) === 'pass').length,
    failure: own.filter((run) => getOutcome(run) === 'fail').length,
  }));
}

async function listSampleMerges(repository: ScopeRepository, { from, to }: Window, context: Context) {
  const { services } = context;
  const codehost = await context.codehost();
  const source = { codehost, factRepository: services.facts, clock: services.clock };
  const known = await codehost.repositories.get(toName(repository));
  const { items } = await readFacts(source, known, 'pull_requests', { since: from, maxAgeMs: to - from });
  return items
    .filter(({ mergedAt }) => mergedAt !== null && mergedAt >= from && mergedAt <= to)
    .map((one) => ({ ...one, repoId: repository.id }));
}
