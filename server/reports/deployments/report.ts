import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import {
  areStatusesKnown,
  coveredWindow,
  deploymentFailureRate,
  deploymentsPerDay,
  getDeploymentResult,
} from '../../metrics/delivery/deployments.ts';
import {
  countFinished,
  type EnvironmentFigures,
  type RecentDeployment,
  recentDeployments,
} from '../../metrics/delivery/environments.ts';
import { findOutages, timeToRestore } from '../../metrics/delivery/restores.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { rateInterval } from '../../metrics/kernel/intervals.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { dayMs, inUnit, isWithin, type Window } from '../../metrics/kernel/window.ts';
import { roundedInterval } from '../delivery/labels.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { toCoverage } from '../kernel/coverage.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { type Deployments, maxDeployments, readDeployments } from './facts.ts';
import type { DeploymentsReport } from './schema.ts';
import { type DeployedIn, judgeDeployments } from './verdicts.ts';

type Answer = Domain<typeof DeploymentsReport>;

/** Deployments as the platform recorded them. Denied access is an error, never "none". */
export async function deploymentsReport(input: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const [facts, calendar] = await Promise.all([repositoryFacts(input, context, reply), teamCalendar(context)]);
  const deployments = await readDeployments(facts, calendar);
  const { figures, scope, set, partial } = deployments;
  const { source, productionEnvironment: environment, tiers } = figures;
  const covered = coveredWindow({ ...scope, environment: '' });
  const age = set.newestAt === null ? null : roundTo(inUnit(scope.window.to - set.newestAt, dayMs), 1);
  if (partial) reply.headers.set('X-Partial', 'true');
  return {
    repo: `${facts.repository.owner}/${facts.repository.repo}`,
    source,
    productionEnvironment: environment,
    productionCandidates: figures.productionCandidates,
    ...headline(figures.production),
    tiers,
    byEnvironment: figures.byEnvironment.map(environmentItem),
    recent: recentDeployments(set.items, scope.window).map(recentItem),
    days: calendar.daysBetween(covered.from, covered.to),
    byDay: listDays(deployments, scope.window),
    byDayBefore: deployments.before && listDays(deployments, deployments.before),
    last7Days: lastWeek(deployments),
    periodBefore: earlier(deployments),
    allTimeCount: set.total,
    newestDeploymentAt: set.newestAt,
    newestDeploymentAgeDays: age,
    periodDays: 30,
    coversFrom: covered.from,
    ...coverage(deployments),
    timezone: calendar.timezone,
    generatedAt: set.asOf,
    dataSource: set.source,
  };
}

function headline(production: EnvironmentFigures | null) {
  return {
    totalDeployments: production?.total ?? 0,
    successful: production ? production.success : 0,
    failed: production ? production.failed : 0,
    inconclusive: production ? production.inconclusive : 0,
    deploysPerDay: production?.deploysPerDay ?? null,
    changeFailureRatePct: production?.failureRatePct ?? null,
    mttrHours: production?.mttrHours ?? null,
    mttrSamples: production?.mttrSamples ?? 0,
  };
}

function environmentItem(figures: EnvironmentFigures): Answer['byEnvironment'][number] {
  const [failed, finished] = [figures.failed, countFinished(figures)];
  const interval = failed === null || finished === null ? null : rateInterval(failed, finished);
  return { ...figures, failureRateInterval: roundedInterval(interval, 1) };
}

const recentItem = ({ deployment, ...result }: RecentDeployment): Answer['recent'][number] => ({
  ...deployment,
  ...result,
  creator: deployment.creator?.login ?? null,
  creatorIsBot: deployment.creator?.isBot ?? null,
  creatorUnread: deployment.isCreatorUnread ?? false,
});

/** Outcomes per day and environment, environments beyond the first twenty under the name of their row. */
function listDays({ set, figures, scope }: Deployments, window: Window): Answer['byDay'] {
  const listed = new Set(figures.byEnvironment.map(({ environment }) => environment));
  const rest = figures.byEnvironment.find(({ isRest }) => isRest)?.environment;
  const days = new Map<string, Answer['byDay'][number]>();
  const own = set.items.filter(({ createdAt }) => isWithin(createdAt, window));
  for (const deployment of own.toSorted((one, other) => one.createdAt - other.createdAt)) {
    const outcome = getDeploymentResult(deployment).outcome ?? 'unread';
    const environment = listed.has(deployment.environment) ? deployment.environment : (rest ?? deployment.environment);
    const date = scope.calendar.getDay(deployment.createdAt);
    const key = `${date} ${environment}`;
    const day = days.get(key) ?? { date, environment, success: 0, failed: 0, inconclusive: 0, unread: 0 };
    day[outcome] += 1;
    days.set(key, day);
  }
  return [...days.values()];
}

function lastWeek({ recent, figures, scope }: Deployments): Answer['last7Days'] {
  const since = scope.window.to - 7 * dayMs;
  if (figures.production === null || (scope.coveredFrom ?? 0) > since) return null;
  const own = recent.filter((each) => each.environment === figures.productionEnvironment && each.createdAt >= since);
  if (!areStatusesKnown(own)) return null;
  const outcomes = own.map((each) => getDeploymentResult(each).outcome);
  return {
    successful: outcomes.filter((outcome) => outcome === 'success').length,
    failed: outcomes.filter((outcome) => outcome === 'failed').length,
  };
}

/** Production in the equally long window before. */
function earlier({ set, figures, before, scope: current, partial }: Deployments): Answer['periodBefore'] {
  if (before === null || figures.productionEnvironment === null) return null;
  const scope = { window: before, environment: figures.productionEnvironment };
  const deployments = set.items.filter(({ environment }) => environment === scope.environment);
  const own = deployments.filter(({ createdAt }) => isWithin(createdAt, before));
  if (!areStatusesKnown(own)) return null;
  const failureRate = deploymentFailureRate(scope);
  const { counted: finished } = failureRate.evidence(own);
  const { value: restore, sample: restored } = timeToRestore()(findOutages(deployments, before));
  const verdicts = judge({ set, figures, before, scope: current, partial });
  return {
    finished: finished.length,
    failed: failureRate.countPart(finished) ?? 0,
    deploysPerDay: deploymentsPerDay(scope)(own).value,
    changeFailureRatePct: failureRate.reduce(finished),
    mttrHours: restore,
    mttrSamples: restored,
    deploysPerDayVerdict: verdicts.deploysPerDay,
    changeFailureRateVerdict: verdicts.changeFailureRate,
    timeToRestoreVerdict: verdicts.timeToRestore,
  };
}

function judge({ set, figures, before, scope, partial }: Omit<Deployments, 'recent'>) {
  const production = set.items.filter(({ environment }) => environment === figures.productionEnvironment);
  const toSide = (window: Window): DeployedIn => ({
    window,
    deployments: production.filter(({ createdAt }) => isWithin(createdAt, window)),
    outages: findOutages(production, window),
  });
  const now = toSide(scope.window);
  const isKnown = before !== null && !partial && areStatusesKnown(now.deployments);
  return judgeDeployments([now], isKnown ? [toSide(before)] : null, scope.calendar);
}

function coverage({ recent, partial, set }: Deployments) {
  const isCapped = set.capped;
  return {
    partial,
    coverage: toCoverage({
      read: recent.length,
      expected: partial ? null : recent.length,
      cap: isCapped ? maxDeployments : null,
      reasons: partial ? [isCapped ? 'page_cap' : 'sub_fetch_failed'] : [],
    }),
  };
}
