import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import { type Concluded, conclude } from '../../metrics/kernel/comparison.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Interval } from '../../metrics/kernel/intervals.ts';
import { isLowSample } from '../../metrics/kernel/statistics.ts';
import { sampleCi } from '../ci/demo.ts';
import { findScope, type StoredScope } from '../ci/reading.ts';
import { coverWhole } from '../ci/scope-coverage.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { noteCanonicalName } from '../kernel/notes.ts';
import { isStored, type StoredWindows } from '../kernel/stored-coverage.ts';
import { assertOwner } from '../repositories/visibility.ts';
import { type Compared, type ComparedMetric, type ComparedSide, type Comparing, comparedBy } from './metrics.ts';
import { findLastPeriods, findNamedPeriods, type Period, type PeriodDays, type Periods } from './periods.ts';
import type { ComparisonReport } from './schema.ts';
import { toSeed } from './seed.ts';
import { type ComparedKind, findSource } from './source.ts';

type Answer = Domain<typeof ComparisonReport>;
type AnsweredMetric = Answer['metrics'][number];

export interface ComparisonInput extends Partial<PeriodDays> {
  owner: string;
  repo?: string | undefined;
  metrics: ComparedMetric[];
  days?: number | undefined;
}

const defaultDays = 30;

/** Two periods of a repository, or of the synchronized repositories of an owner, from stored facts alone. */
export async function comparePeriods(input: ComparisonInput, context: Context, reply: Reply): Promise<Answer> {
  const { owner, repo, metrics, days = defaultDays } = input;
  const calendar = await teamCalendar(context);
  const now = context.services.clock.now();
  const named = hasDays(input) ? findNamedPeriods(input, calendar, now) : null;
  const wanted = repo ? { repo: `${owner}/${repo}` } : { org: owner };
  const scope = await findScope(wanted, calendar, context, (items) => sampleCi(items, context));
  if (!repo && scope.visible === 0) await assertOwner(owner, context);
  if (repo) noteCanonicalName(reply, await context.codehost(), { owner, repo });
  const source = findSource(scope, context);
  const comparing = { source, scope, people: await peopleIn(context.services) };
  const sides = new Map<ComparedKind, Promise<Sides>>();
  const readSides = async (kind: ComparedKind) => {
    const stored = await source.windows(kind);
    return findSides(scope, stored, named ?? findLastPeriods(days, stored, now), now);
  };
  const answered = await Promise.all(
    metrics.map(async (metric) => {
      const compared = comparedBy[metric];
      const read = sides.get(compared.kind) ?? readSides(compared.kind);
      sides.set(compared.kind, read);
      return compareMetric(metric, compared, await read, { ...comparing, seed: seedOf(metric, input, days) });
    }),
  );
  const read = answered.flatMap(({ a, b }) => [a.asOf, b.asOf]).filter((at) => at !== null);
  return {
    owner,
    repo: repo ?? null,
    metrics: answered,
    reposIncluded: scope.repositories.size,
    reposVisible: scope.visible,
    timezone: calendar.timezone,
    generatedAt: Math.min(now, ...read),
    dataSource: 'database',
  };
}

const seedOf = (
  metric: ComparedMetric,
  { owner, repo = '', a_from, a_to, b_from, b_to }: ComparisonInput,
  days: number,
) => toSeed({ scope: `${owner}/${repo}`, metric, periods: a_from ? [a_from, a_to, b_from, b_to] : [days] });

const hasDays = (input: ComparisonInput): input is ComparisonInput & PeriodDays =>
  [input.a_from, input.a_to, input.b_from, input.b_to].every((day) => day !== undefined);

/** A side with how much of it is known. */
interface CoveredSide extends ComparedSide {
  coverage: AnsweredMetric['a']['coverage'];
  asOf: Instant | null;
}

interface Sides {
  a: CoveredSide;
  b: CoveredSide;
  /** Whether all synchronized repositories count on both sides. */
  isKnown: boolean;
}

function findSides(scope: StoredScope, stored: StoredWindows, { a, b }: Periods, now: Instant): Sides {
  const findSide = (period: Period): CoveredSide => {
    const { window } = period;
    const repoIds = [...scope.repositories.keys()].filter((id) => isStored(stored.get(id), window, now));
    const ends = repoIds.flatMap((id) => stored.get(id)?.to ?? []);
    return {
      period,
      repoIds,
      coverage: coverWhole(scope, { stored, window, now }).coverage,
      asOf: ends.length === 0 ? null : Math.min(...ends),
    };
  };
  const sides = { a: findSide(a), b: findSide(b) };
  const all = scope.repositories.size;
  return { ...sides, isKnown: all > 0 && sides.a.repoIds.length === all && sides.b.repoIds.length === all };
}

async function compareMetric(
  metric: ComparedMetric,
  { label, unit, better, digits, compare }: Compared,
  { a, b, isKnown }: Sides,
  comparing: Comparing,
): Promise<AnsweredMetric> {
  const concluded = conclude(await compare(a, b, comparing), { digits, isKnown });
  const { difference, verdict } = concluded;
  return {
    metric,
    label,
    better,
    a: answerSide(a, concluded.a, unit),
    b: answerSide(b, concluded.b, unit),
    difference: { ...difference, interval: withLevel(difference.interval) },
    verdict,
  };
}

/** Where no repository counts, nothing is known, which is no count of 0. */
function answerSide(
  { period, repoIds, coverage, asOf }: CoveredSide,
  { value, n, interval }: Concluded['a'],
  unit: Compared['unit'],
): AnsweredMetric['a'] {
  const isStoredAnywhere = repoIds.length > 0;
  return {
    value: isStoredAnywhere ? value : null,
    unit,
    n,
    lowSample: isLowSample(n),
    interval: isStoredAnywhere ? withLevel(interval) : null,
    missing: findMissing(isStoredAnywhere, value),
    window: period.window,
    coverage,
    asOf,
  };
}

function findMissing(isStoredAnywhere: boolean, value: number | null): AnsweredMetric['a']['missing'] {
  if (!isStoredAnywhere) return 'not_stored';
  return value === null ? 'no_items' : null;
}

const withLevel = (interval: Interval | null) => interval && { ...interval, level: 0.95 as const };
