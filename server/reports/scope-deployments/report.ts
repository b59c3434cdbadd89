import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { getDeploymentResult } from '../../metrics/delivery/deployments.ts';
import type { Outage } from '../../metrics/delivery/restores.ts';
import {
  type ScopeDeployment,
  scopeDeployments,
  scopeDeploysPerDay,
  scopeFailureRate,
  scopeTimeToRestore,
} from '../../metrics/delivery/scope-deployments.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import type { Deployments } from '../deployments/facts.ts';
import { type DeployedIn, judgeDeployments } from '../deployments/verdicts.ts';
import { listDays } from './days.ts';
import {
  coverDeployments,
  findMissing,
  isUndecided,
  listDeployments,
  listOutages,
  type RepositoryDeployments,
  readScopeDeployments,
  type ScopeReading,
} from './reading.ts';
import type { ScopeDeployments } from './schema.ts';

type Answer = Domain<typeof ScopeDeployments>;
type Row = Answer['repositories'][number];

/** What the repositories of a scope deployed to production, from stored facts alone. */
export async function scopeDeploymentsReport({ org }: { org?: string | undefined }, context: Context): Promise<Answer> {
  return summarize(await readScopeDeployments(org, context), org ?? null);
}

/** The answer about what was read. */
export function summarize(reading: ScopeReading, org: string | null): Answer {
  const { scope, repositories, now } = reading;
  const covered = coverDeployments(reading);
  const counted = repositories.filter(({ known, isProductionKnown }) => known !== null && isProductionKnown);
  const rows = repositories.map((one) => toRow(one, now)).sort(byNeed);
  const read = rows.flatMap(({ asOf }) => asOf ?? []);
  const asOf = read.length === 0 ? null : Math.min(...read);
  const before = measure(counted, ({ known }) => known?.before ?? null);
  return {
    org,
    totals: measure(counted, ({ known }) => known?.scope.window ?? null) ?? unknown,
    totalsBefore: before,
    verdicts: judge(counted, before !== null, scope.calendar),
    days: listDays(counted, (known) => known.scope.window, scope.calendar),
    daysBefore: before && listDays(counted, (known) => known.before, scope.calendar),
    repositories: rows,
    failing: rows.filter(({ failingSince }) => failingSince !== null).length,
    periodDays: 30,
    covered,
    reposIncluded: scope.repositories.size,
    reposVisible: scope.visible,
    asOf,
    partial: !covered.coverage.complete,
    timezone: scope.calendar.timezone,
    generatedAt: asOf ?? now,
    dataSource: 'database',
  };
}

const byNeed = (a: Row, b: Row): number =>
  (a.failingSince ?? Number.POSITIVE_INFINITY) - (b.failingSince ?? Number.POSITIVE_INFINITY) ||
  (b.deployments ?? -1) - (a.deployments ?? -1) ||
  a.repo.localeCompare(b.repo, 'en');

function judge(counted: readonly RepositoryDeployments[], isCompared: boolean, calendar: Calendar) {
  const list = (getWindow: (known: Deployments) => Window | null) =>
    counted.flatMap((one): DeployedIn[] => {
      const window = one.known && getWindow(one.known);
      if (!window) return [];
      const toProduction = scopeDeployments.evidence(listDeployments(one, window)).counted;
      const deployments = toProduction.map(({ deployment }) => deployment);
      return [{ window, deployments, outages: listOutages(one, window) }];
    });
  const isWhole = counted.every(({ known }) => known?.partial === false);
  const earlier = isCompared && isWhole ? list(({ before }) => before) : null;
  return judgeDeployments(
    list(({ scope }) => scope.window),
    earlier,
    calendar,
  );
}

type Figures = Answer['totals'];

const unknown: Figures = {
  deployments: null,
  deploysPerDay: null,
  finished: null,
  failed: null,
  changeFailureRatePct: null,
  timeToRestoreHours: null,
  restoreSample: 0,
};

/** Repositories together, each in its window; null where it is not known of one of them, or there is no repository. */
function measure(
  repositories: readonly RepositoryDeployments[],
  getWindow: (one: RepositoryDeployments) => Window | null,
): Figures | null {
  const windows = repositories.map((one) => ({ one, window: getWindow(one) }));
  const known = windows.flatMap(({ one, window }) => (window ? [{ one, window }] : []));
  if (known.length === 0 || known.length < windows.length) return null;
  if (known.some(({ one, window }) => isUndecided(one, window))) return null;
  return computeFigures(
    known.flatMap(({ one, window }) => listDeployments(one, window)),
    known.flatMap(({ one, window }) => listOutages(one, window)),
  );
}

function computeFigures(deployments: readonly ScopeDeployment[], outages: readonly Outage[]): Figures {
  const rate = scopeFailureRate(deployments);
  const { counted: finished } = scopeFailureRate.evidence(deployments);
  const areKnown = deployments.every(
    ({ deployment, production }) =>
      deployment.environment !== production || getDeploymentResult(deployment).outcome !== null,
  );
  const restore = scopeTimeToRestore(outages);
  return {
    deployments: scopeDeployments(deployments).value,
    deploysPerDay: scopeDeploysPerDay(deployments).value,
    finished: areKnown ? finished.length : null,
    failed: areKnown ? scopeFailureRate.countPart(finished) : null,
    changeFailureRatePct: rate.value,
    timeToRestoreHours: restore.value,
    restoreSample: restore.sample,
  };
}

function toRow(one: RepositoryDeployments, now: Instant): Row {
  const { repository, known, isProductionKnown } = one;
  const isCounted = known !== null && isProductionKnown;
  const window = known?.scope.window;
  const outages = isCounted && window ? listOutages(one, window) : [];
  return {
    repo: repository.name,
    environment: isProductionKnown ? (known?.figures.productionEnvironment ?? null) : null,
    ...(isCounted && window ? computeFigures(listDeployments(one, window), outages) : unknown),
    failingSince: outages.find(({ restoredAt }) => restoredAt === null)?.failedAt ?? null,
    newestDeploymentAt: known?.set.newestAt ?? null,
    asOf: known?.set.asOf ?? null,
    partial: !isCounted || findMissing({ known, isProductionKnown }, now) !== null,
  };
}
