import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { type JobGroup, type Spend, toMonthly } from '../../metrics/cost/workflow-spend.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import type { Day } from '../../metrics/people/workday-hours.ts';
import type { StoredCosts } from '../../store/workflow-figures.ts';
import { addSpend, type PricedDay, priceMixed, sum, toCents } from '../ci/day-costs.ts';
import type { CiScope, CiSpend } from '../ci/reading.ts';
import type { SpendGroup, SpendReport } from './schema.ts';

export type Row = Domain<typeof SpendReport>['rows'][number];

/** What a row is made of, before it is compared with the others. */
interface Part extends Pick<Row, 'name' | 'repo' | 'workflowId'> {
  spend: Pick<Spend, 'usd' | 'wastedUsd' | 'minutes' | 'unknownJobs'>;
  costed: number | null;
  completed: number | null;
}

export interface SpendParts {
  scope: CiScope;
  spend: readonly CiSpend[];
  costs: StoredCosts;
  days: readonly PricedDay[];
  /** Whether not all of a day is counted. */
  isPartial(day: Day): boolean;
}

/** The rows of a table: the most expensive first, of days the newest. */
export function listRows(by: SpendGroup, parts: SpendParts, context: Context): Row[] {
  const { dayCount } = parts.scope;
  const listed = listers[by](parts, context);
  const total = sum(listed.map(({ spend }) => spend.usd)) ?? 0;
  const rows = listed.map((part) => toRow(part, { total, days: by === 'day' ? 0 : dayCount }));
  if (by === 'day') return rows.map((row) => ({ ...row, partial: parts.isPartial(row.name) })).reverse();
  return rows.sort(
    (a, b) => (b.cost ?? -1) - (a.cost ?? -1) || (b.minutes ?? -1) - (a.minutes ?? -1) || (a.name < b.name ? -1 : 1),
  );
}

const listers: Record<SpendGroup, (parts: SpendParts, context: Context) => Part[]> = {
  workflow: ({ spend }) =>
    spend.map((one) => ({
      name: one.workflow ?? `Workflow ${one.workflowId}`,
      repo: one.repo,
      workflowId: one.workflowId,
      spend: one,
      costed: one.costedRuns,
      completed: one.completedRuns,
    })),
  repository: ({ spend }) =>
    [...Map.groupBy(spend, ({ repo }) => repo)].map(([repo, own]) => ({
      name: repo,
      repo,
      workflowId: null,
      spend: addSpend(own),
      costed: sum(own.map(({ costedRuns }) => costedRuns)),
      completed: sum(own.map(({ completedRuns }) => completedRuns)),
    })),
  runner: ({ scope, costs }, context) => {
    const jobs = costs.workflows.flatMap(({ repoId, groups }) =>
      groups.map((group) => ({ ...group, isPublic: scope.repositories.get(repoId)?.isPublic === true })),
    );
    return [...Map.groupBy(jobs, nameRunner)].map(([name, own]) => ({
      name,
      repo: null,
      workflowId: null,
      spend: priceMixed(own, context),
      costed: null,
      completed: null,
    }));
  },
  day: ({ days }) =>
    days.map(({ date, spend, costed, completed }) => ({
      name: date,
      repo: null,
      workflowId: null,
      spend,
      costed,
      completed,
    })),
};

/** The labels that a job requires; without any, the group that its runner was in. */
const nameRunner = ({ labels, runnerGroup }: JobGroup): string => labels.join(', ') || runnerGroup || 'No runner';

function toRow({ spend, ...part }: Part, { total, days }: { total: number; days: number }): Row {
  const { usd, wastedUsd, minutes, unknownJobs } = spend;
  const share = usd === null ? null : percent(usd, total);
  const reason = usd !== null ? null : unknownJobs > 0 ? 'unknown_runner' : 'no_job_data';
  return {
    name: part.name,
    repo: part.repo,
    workflowId: part.workflowId,
    cost: toCents(usd),
    wasted: toCents(wastedUsd),
    costPerMonth: toCents(toMonthly(usd, days)),
    wastedPerMonth: toCents(toMonthly(wastedUsd, days)),
    sharePct: share === null ? null : roundTo(share, 1),
    minutes: reason === 'no_job_data' ? null : minutes,
    costSample: part.costed,
    completedRuns: part.completed,
    unknownJobs,
    reason,
    partial: null,
  };
}
