import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { sumKnown } from '../../metrics/cost/known-cost.ts';
import { type JobGroup, priceJobs, type Spend, toMonthly } from '../../metrics/cost/workflow-spend.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import type { StoredCosts } from '../../store/workflow-figures.ts';
import type { CiScope, CiSpend } from '../ci/reading.ts';
import { isCut } from '../kernel/period.ts';
import { largerRunnerLabels } from '../runners/report.ts';
import type { SpendGroup, SpendReport } from './schema.ts';

export type Row = Domain<typeof SpendReport>['rows'][number];

/** What a row is made of, before it is compared with the others. */
interface Part extends Pick<Row, 'name' | 'repo' | 'workflowId'> {
  spend: Pick<Spend, 'usd' | 'wastedUsd' | 'minutes' | 'unknownJobs'>;
  costed: number | null;
  completed: number | null;
}

/** A day with what its runs cost. */
export interface PricedDay {
  date: string;
  spend: Spend;
  costed: number;
  completed: number;
}

export interface SpendParts {
  scope: CiScope;
  spend: readonly CiSpend[];
  costs: StoredCosts;
  days: readonly PricedDay[];
}

/** The rows of a table: the most expensive first, of days the newest. */
export function listRows(by: SpendGroup, parts: SpendParts, context: Context): Row[] {
  const { dayCount, window, calendar } = parts.scope;
  const listed = listers[by](parts, context);
  const total = sum(listed.map(({ spend }) => spend.usd)) ?? 0;
  const rows = listed.map((part) => toRow(part, { total, days: by === 'day' ? 0 : dayCount }));
  if (by === 'day') return rows.map((row) => ({ ...row, partial: isCut(row.name, window, calendar) })).reverse();
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

/** Prices jobs of public and other repositories together. */
export function priceMixed(groups: readonly (JobGroup & { isPublic: boolean })[], context: Context): Spend {
  const labels = largerRunnerLabels(context.services.env);
  const parts = [true, false].flatMap((isPublic) => {
    const own = groups.filter((group) => group.isPublic === isPublic);
    return own.length === 0 ? [] : [priceJobs(own, { isPublic, largerRunnerLabels: labels })];
  });
  return { jobs: sum(parts.map(({ jobs }) => jobs)) ?? 0, ...addSpend(parts) };
}

export const addSpend = (parts: readonly Part['spend'][]): Part['spend'] => ({
  usd: addUsd(parts, ({ usd }) => usd),
  wastedUsd: addUsd(parts, ({ wastedUsd }) => wastedUsd),
  minutes: sum(parts.map(({ minutes }) => minutes)) ?? 0,
  unknownJobs: sum(parts.map(({ unknownJobs }) => unknownJobs)) ?? 0,
});

/** Parts without job data are left out, those without a known price are not. */
function addUsd(parts: readonly Part['spend'][], read: (part: Part['spend']) => number | null): number | null {
  const costed = parts.filter((part) => read(part) !== null || part.unknownJobs > 0);
  return costed.length === 0 ? null : sumKnown(costed.map(read));
}

/** null where nothing is known; the same for any order of the values. */
export function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + Math.round(value * 1e6), 0) / 1e6;
}

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

export const toCents = (value: number | null): number | null => (value === null ? null : roundTo(value, 2));

const nothing = { jobs: 0, unknownJobs: 0, minutes: 0, usd: 0, wastedUsd: 0 };

/** What each day cost, oldest first; runs without a job cost nothing, runs without job data are unknown. */
export const priceDays = ({ days }: StoredCosts, context: Context): PricedDay[] =>
  days.map(({ date, completed, costed, groups }) => ({
    date,
    completed,
    costed,
    spend: costed > 0 && groups.length === 0 ? nothing : priceMixed(groups, context),
  }));
