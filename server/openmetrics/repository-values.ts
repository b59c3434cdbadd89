// What a job computes of one repository for `/metrics`, from stored facts alone.
import type { Services } from '../access/context.ts';
import { countFinished } from '../metrics/delivery/environments.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { lastDaysWindow } from '../metrics/kernel/window.ts';
import type { People } from '../metrics/people/people.ts';
import type { Calendar } from '../metrics/people/workday-hours.ts';
import { cycleBreakdown } from '../metrics/pull-requests/cycle.ts';
import { computeRunFigures, type RunTally } from '../metrics/runs/run-figures.ts';
import type { MetricFamily } from '../platform/metric-family.ts';
import { totalCost } from '../reports/ci/costs.ts';
import { readSpend } from '../reports/ci/reading.ts';
import { lacksSince } from '../reports/delivery/facts.ts';
import { countEnded } from '../reports/delivery/report.ts';
import { readStoredDelivery, type StoredDelivery } from '../reports/delivery/stored.ts';
import { isReadInPart, storedShare } from '../reports/kernel/stored-coverage.ts';
import { toRepository } from '../reports/repositories/known.ts';
import type { RepositoryValue } from '../store/exported-values.ts';
import type { Store } from '../store/orm.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { repositoryFamilies as families, workflowFamilies } from './repository-families.ts';

/** What all repositories are computed with. */
export interface Reading {
  services: Services;
  store: Store;
  people: People;
  calendar: Calendar;
  now: Instant;
}

type Added = (
  family: MetricFamily<string>,
  labels: Record<string, string>,
  value: number | null,
  n: number | null,
) => RepositoryValue[];

/** null is not known, and has no value. */
const valuesAsOf =
  (asOf: Instant): Added =>
  ({ name }, labels, value, n) =>
    value === null ? [] : [{ family: name, labels, value, n, asOf }];

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
/** Without what binary fractions add: 7 % are 0.07. */
const ratio = (percent: number | null): number | null =>
  percent === null ? null : Number((percent / 100).toPrecision(12));

/** Everything that is known of a repository; of what is not stored there is no value. */
export async function repositoryValues(known: KnownRepository, reading: Reading): Promise<RepositoryValue[]> {
  const [delivery, runs] = await Promise.all([deliveryValues(known, reading), runValues(known, reading)]);
  return [...delivery, ...runs];
}

async function deliveryValues(known: KnownRepository, { services, ...reading }: Reading): Promise<RepositoryValue[]> {
  const stored = await readStoredDelivery({
    ...reading,
    factRepository: services.facts,
    repository: toRepository(known),
  });
  if (!stored) return [];
  const add = valuesAsOf(stored.asOf);
  const { delivery } = stored;
  const { leadTime, mttr, changeFailureRate: failure } = delivery.estimate;
  const window = '90d';
  const { pickup } = cycleBreakdown(delivery.pullRequests.items, delivery.scope);
  const { merged, ended } = countEnded(delivery);
  const isPartial = lacksSince(delivery.pullRequests, delivery.scope.window.from);
  return [
    ...add(families.leadTime, { window, quantile_of: '0.5' }, seconds(leadTime.medianMs), leadTime.sampleSize),
    ...add(families.leadTime, { window, quantile_of: '0.95' }, seconds(leadTime.p95Ms), leadTime.sampleSize),
    ...add(families.changeFailure, { window, source: 'pull_requests' }, ratio(failure.rate), failure.total),
    ...add(families.restoreTime, { window, quantile_of: '0.5' }, seconds(mttr.medianMs), mttr.recoveries),
    ...add(families.merged, { window }, isPartial ? null : merged, null),
    ...add(families.firstReview, { window, quantile_of: '0.5' }, seconds(pickup.medianMs), pickup.sample),
    ...add(families.coverage, { window }, isPartial || ended === 0 ? null : 1, null),
    ...deploymentValues(stored, add),
  ];
}

function deploymentValues({ delivery, hasReleases, hasDeployments }: StoredDelivery, add: Added): RepositoryValue[] {
  const { deploymentFrequency: frequency, basis } = delivery.estimate;
  const total = hasReleases ? frequency.total : null;
  const known = hasDeployments && delivery.deployments?.partial === false ? delivery.deployments.figures : null;
  const production = known?.production ?? null;
  const window = '30d';
  return [
    ...add(families.deployments, { window: '90d', source: basis.deploymentFrequency }, total, null),
    ...add(families.deployments, { window, source: 'deployments' }, production?.success ?? null, null),
    ...add(
      families.changeFailure,
      { window, source: 'deployments' },
      ratio(production?.failureRatePct ?? null),
      production && countFinished(production),
    ),
  ];
}

const runDays = 30;

async function runValues(
  known: KnownRepository,
  { services, store, calendar, now }: Reading,
): Promise<RepositoryValue[]> {
  const window = lastDaysWindow(runDays, now);
  const [tally, stored, coverage] = await Promise.all([
    store.workflowFigures.tally([known.id], window),
    store.workflowFigures.storedWindows([known.id]),
    store.trends.coverage([known.id]),
  ]);
  const { syncedThrough } = coverage;
  if (syncedThrough === null) return [];
  const add = valuesAsOf(syncedThrough);
  const age = add(families.age, {}, syncedThrough / 1000, null);
  if (tally.total.runs === 0 && !isReadInPart(stored, window)) return age;
  const isPublic = !known.private;
  const scope = {
    source: { ...store.workflowFigures, syncedThrough: async () => syncedThrough },
    repositories: new Map([
      [known.id, { id: known.id, name: `${known.owner}/${known.repo}`, isPublic, defaultBranch: known.defaultBranch }],
    ]),
    calendar,
  };
  const spend = await readSpend(scope, { tally, window, days: runDays }, { services });
  const cost = totalCost(spend, null, tally.total.completed);
  const labels = { window: `${runDays}d` };
  return [
    ...age,
    ...add(families.coverage, labels, storedShare(stored.get(known.id), window, now), null),
    ...tallyValues(tally.total, labels, add),
    ...add(families.cost, { ...labels, basis: 'estimated' }, cost.costPerMonth, cost.costSample),
    ...(services.env.METRICS_WORKFLOWS
      ? tally.workflows.flatMap((one) => workflowValues(one, { workflow_id: String(one.workflowId), ...labels }, add))
      : []),
  ];
}

function tallyValues(tally: RunTally, labels: { window: string }, add: Added): RepositoryValue[] {
  const { medianMs, p90Ms, durationSample, queueWaitMs, queueWaitP90Ms, queueWaitSample } = computeRunFigures(
    tally,
    null,
  );
  const { passed, failed, completed } = tally;
  return [
    ...add(families.runs, { ...labels, conclusion_class: 'pass' }, passed, null),
    ...add(families.runs, { ...labels, conclusion_class: 'fail' }, failed, null),
    ...add(families.runs, { ...labels, conclusion_class: 'void' }, completed - passed - failed, null),
    ...add(families.success, labels, successRatio(tally), passed + failed),
    ...add(families.duration, { ...labels, quantile_of: '0.5' }, seconds(medianMs), durationSample),
    ...add(families.duration, { ...labels, quantile_of: '0.9' }, seconds(p90Ms), durationSample),
    ...add(families.queue, { ...labels, quantile_of: '0.5' }, seconds(queueWaitMs), queueWaitSample),
    ...add(families.queue, { ...labels, quantile_of: '0.9' }, seconds(queueWaitP90Ms), queueWaitSample),
  ];
}

function workflowValues(tally: RunTally, labels: { workflow_id: string; window: string }, add: Added) {
  const { medianMs, p90Ms } = computeRunFigures(tally, null);
  return [
    ...add(workflowFamilies.success, labels, successRatio(tally), null),
    ...add(workflowFamilies.duration, { ...labels, quantile_of: '0.5' }, seconds(medianMs), null),
    ...add(workflowFamilies.duration, { ...labels, quantile_of: '0.9' }, seconds(p90Ms), null),
  ];
}

const successRatio = ({ passed, failed }: RunTally) => (passed + failed === 0 ? null : passed / (passed + failed));
