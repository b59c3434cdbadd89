import type { Services } from '../access/context.ts';
import { duration, quantity } from '../domain/quantity.ts';
import { peopleIn } from '../identity/people.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { getOutcome } from '../metrics/kernel/outcome.ts';
import { lastDaysWindow } from '../metrics/kernel/window.ts';
import { computeRunFigures } from '../metrics/runs/run-figures.ts';
import { lacksSince } from '../reports/delivery/facts.ts';
import { readStoredDelivery } from '../reports/delivery/stored.ts';
import { teamCalendar } from '../reports/kernel/calendar.ts';
import { isReadInPart, isStored } from '../reports/kernel/stored-coverage.ts';
import { toRepository } from '../reports/repositories/known.ts';
import type { Store } from '../store/orm.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { type BadgeKindName, badgeKinds } from './badge-kinds.ts';

export interface BadgeValue {
  /** The value with its unit, in words; null where it is not known. */
  text: string | null;
  /** What was counted, where that differs between badges of the kind; null where its own label names it. */
  counted: 'releases' | 'merges' | null;
  tone: 'pass' | 'fail' | 'figure';
  /** How many items stand behind it; null where that says nothing. */
  n: number | null;
  /** Whether a part of its window is not stored. */
  isPartial: boolean;
  /** Until when the facts behind it are known. */
  asOf: Instant | null;
}

/** What a badge is about. */
export interface BadgeQuery {
  kind: BadgeKindName;
  repository: KnownRepository;
  workflowId: number | null;
  /** null is the default branch. */
  branch: string | null;
}

interface Reading {
  services: Services;
  store: Store;
  now: Instant;
}

const unknown: BadgeValue = { text: null, counted: null, tone: 'figure', n: null, isPartial: false, asOf: null };

/** The number of a badge from stored facts alone: GitHub is not called. */
export function readBadge(query: BadgeQuery, reading: Reading): Promise<BadgeValue> {
  switch (query.kind) {
    case 'workflow':
      return latestResult(query, reading);
    case 'success-rate':
    case 'duration':
    case 'queue':
      return runFigure(query, query.kind, reading);
    default:
      return deliveryFigure(query, query.kind, reading);
  }
}

async function latestResult({ repository, workflowId, branch }: BadgeQuery, { store, now }: Reading) {
  const wanted = branch ?? repository.defaultBranch;
  if (wanted === null) return unknown;
  const [latest, cursor] = await Promise.all([
    store.runs.conclusive(repository.id, { workflowId, branch: wanted }),
    store.cursors.get(repository.id),
  ]);
  if (!latest) return unknown;
  const hasPassed = getOutcome(latest) === 'pass';
  const age = duration(Math.max(0, now - (latest.completedAt ?? latest.createdAt)));
  return {
    text: `${hasPassed ? 'passed' : 'failed'} ${age} ago`,
    counted: null,
    tone: hasPassed ? ('pass' as const) : ('fail' as const),
    n: null,
    isPartial: false,
    asOf: cursor?.syncedThrough ?? null,
  };
}

/** As `GET /api/db/workflows` has it of the repository alone. */
async function runFigure(
  { repository }: BadgeQuery,
  kind: 'success-rate' | 'duration' | 'queue',
  { store, now }: Reading,
): Promise<BadgeValue> {
  const window = lastDaysWindow(badgeKinds[kind].days, now);
  const [tally, stored, { syncedThrough: asOf }] = await Promise.all([
    store.workflowFigures.tally([repository.id], window),
    store.workflowFigures.storedWindows([repository.id]),
    store.trends.coverage([repository.id]),
  ]);
  if (tally.total.runs === 0 && !isReadInPart(stored, window)) return unknown;
  const { failureRate, failureRateSample, p90Ms, durationSample, queueWaitP90Ms, queueWaitSample } = computeRunFigures(
    tally.total,
    null,
  );
  const figures = {
    'success-rate': figure(failureRate === null ? null : quantity(100 - failureRate, 'percent'), failureRateSample),
    duration: figure(withUnit('p90', p90Ms), durationSample),
    queue: figure(withUnit('p90', queueWaitP90Ms), queueWaitSample),
  };
  return { ...figures[kind], counted: null, isPartial: !isStored(stored.get(repository.id), window, now), asOf };
}

type DeliveryKind = Exclude<BadgeKindName, 'workflow' | 'success-rate' | 'duration' | 'queue'>;

/** As `GET /api/codehost/repo-dora` has it, as far as that rests on what is stored. */
async function deliveryFigure(
  { repository }: BadgeQuery,
  kind: DeliveryKind,
  { services, now }: Reading,
): Promise<BadgeValue> {
  const [people, calendar] = await Promise.all([peopleIn(services), teamCalendar({ services })]);
  const stored = await readStoredDelivery({
    factRepository: services.facts,
    repository: toRepository(repository),
    people,
    calendar,
    now,
  });
  if (!stored) return unknown;
  const { delivery, hasReleases, asOf } = stored;
  const { leadTime, deploymentFrequency, changeFailureRate, mttr, basis } = delivery.estimate;
  const { total, perDay } = deploymentFrequency;
  const isPartial = (of: 'pullRequests' | 'releases') => lacksSince(delivery[of], delivery.scope.window.from);
  const figures = {
    'lead-time': figure(withUnit('median', leadTime.medianMs), leadTime.sampleSize),
    'deploy-frequency': figure(
      hasReleases && perDay !== null ? quantity(perDay, 'per_day') : null,
      hasReleases ? total : null,
    ),
    'change-failure-rate': figure(
      changeFailureRate.rate === null ? null : quantity(changeFailureRate.rate, 'percent'),
      changeFailureRate.total,
    ),
    'time-to-restore': figure(withUnit('median', mttr.medianMs), mttr.recoveries),
    'coverage-of-data': coverage(isPartial('pullRequests')),
  };
  const frequencyOf = basis.deploymentFrequency === 'releases' ? ('releases' as const) : ('merges' as const);
  const counted = kind === 'deploy-frequency' ? frequencyOf : null;
  const rested = counted === 'releases' ? 'releases' : 'pullRequests';
  return { ...figures[kind], counted, isPartial: kind !== 'coverage-of-data' && isPartial(rested), asOf };
}

type Figure = Pick<BadgeValue, 'text' | 'tone' | 'n'>;

const figure = (text: string | null, n: number | null): Figure => ({ text, tone: 'figure', n });

const withUnit = (word: string, ms: number | null): string | null => (ms === null ? null : `${word} ${duration(ms)}`);

const coverage = (isPartial: boolean): Figure =>
  isPartial ? { text: 'incomplete', tone: 'fail', n: null } : { text: 'complete', tone: 'pass', n: null };
