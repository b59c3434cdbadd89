import { setImmediate } from 'node:timers/promises';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs, minuteMs } from '../metrics/kernel/window.ts';
import type { Store } from '../store/orm.ts';
import { type SeriesPoint, thinSeries } from './back-test-series.ts';
import { computeQuietHours, type Judgement, judge } from './judge.ts';
import type { AlertFacts, AlertMetric, Evaluation, Feed, MeasuredScope } from './metric.ts';
import { findAlertMetric } from './metrics.ts';

/** The part of a rule that decides when it fires. */
export interface ReplayedRule {
  threshold: number;
  windowHours: number;
  /** Beside the metric's own; null where the rule requires no more. */
  minSample: number | null;
}

/** What a rule would have measured at a moment, and made of it. */
export interface ReplayedValue extends Evaluation {
  at: Instant;
  judgement: Judgement;
}

export interface Replay {
  fired: Instant[];
  values: ReplayedValue[];
}

/** What a rule would have done at these moments, given oldest first: the value, and when it would have fired. */
export function replay<Facts>(
  { threshold, windowHours, minSample }: ReplayedRule,
  metric: Pick<AlertMetric<Facts>, 'minSample' | 'measure' | 'dataSource'>,
  facts: Facts,
  instants: readonly Instant[],
  firedBefore: Instant | null = null,
): Replay {
  const done: Replay = { fired: [], values: [] };
  const needed = Math.max(metric.minSample, minSample ?? 0);
  const quietHours = computeQuietHours(windowHours, metric.dataSource);
  for (const now of instants) {
    const evaluation = metric.measure(facts, { now, windowHours });
    const lastFiredAt = done.fired.at(-1) ?? firedBefore;
    const judgement = judge({ threshold, minSample: needed, quietHours, lastFiredAt }, evaluation, now);
    if (judgement.fires) done.fired.push(now);
    done.values.push({ ...evaluation, at: now, judgement });
  }
  return done;
}

/**
 * When a rule would have been evaluated in a range whose facts are known: of runs, whenever one ended, once a minute at
 * most; of recommendations, whenever one was measured; of exposure, whenever logs were read; of merge queues, every five minutes; of all else, after each
 * night's reading. More than 2,000 moments are thinned evenly, and that is reported.
 */
export function listEvaluationInstants(
  { dataSource }: Pick<AlertMetric, 'dataSource'>,
  { endings, knownFrom }: AlertFacts,
  { from, until }: { from: Instant; until: Instant },
): { instants: Instant[]; thinned: boolean } {
  const first = Math.max(from, knownFrom);
  const all = isAtEndings(dataSource) ? pickLastPerMinute(endings) : listRegularInstants(dataSource, first, until);
  const known = all.filter((instant) => instant >= first && instant <= until);
  return known.length <= maxInstants
    ? { instants: known, thinned: false }
    : { instants: evenly(known, maxInstants), thinned: true };
}

/** What a rule would have done in the last 90 days. */
export interface BackTest {
  /** How often it would have fired. */
  last30: number;
  last90: number;
  /** When, newest first, at most 50. */
  fired: Instant[];
  /** The values behind it, oldest first, thinned for a chart. */
  series: SeriesPoint[];
  /** Moments that were judged. */
  evaluated: number;
  /** Nothing is known of what was before: the facts do not reach so far back. */
  coveredFrom: Instant;
  /** true when not every moment was judged, because there were too many. */
  thinned: boolean;
  /** Why the value of now cannot be reported. */
  incomplete?: string;
}

/**
 * Plays the last 90 days of a repository through a rule that may not exist yet.
 * @throws RangeError for a metric that no rule can watch.
 */
export async function backTest(
  { metric: key, ...rule }: ReplayedRule & { metric: string },
  scope: MeasuredScope,
  now: Instant,
  store: Store,
): Promise<BackTest> {
  const metric = findAlertMetric(key);
  if (metric === null) throw new RangeError(`No rule can watch ${key}.`);
  return backTestMetric(metric, rule, { scope, now, source: store });
}

/** The same of a known metric, wherever its facts are read from. */
export async function backTestMetric<Source>(
  metric: AlertMetric<AlertFacts, Source>,
  rule: ReplayedRule,
  { scope, now, source }: { scope: MeasuredScope; now: Instant; source: Source },
): Promise<BackTest> {
  const { windowHours } = rule;
  const range = { from: now - longestDays * dayMs, until: now };
  const facts = await metric.load({ ...scope, ...range, windowHours }, source);
  const { instants, thinned } = listEvaluationInstants(metric, facts, range);
  const fired: Instant[] = [];
  const values: ReplayedValue[] = [];
  for (let start = 0; start < instants.length; start += atOnce) {
    const some = instants.slice(start, start + atOnce);
    const replayed = replay(rule, metric, facts, some, fired.at(-1) ?? null);
    fired.push(...replayed.fired);
    values.push(...replayed.values);
    // Others are answered in between: a long window over many runs takes a second.
    await setImmediate();
  }
  const { incomplete } = metric.measure(facts, { now, windowHours });
  return {
    last30: fired.filter((at) => at >= now - 30 * dayMs).length,
    last90: fired.length,
    fired: fired.toReversed().slice(0, 50),
    series: thinSeries(values),
    evaluated: instants.length,
    coveredFrom: Math.min(now, Math.max(range.from, facts.knownFrom)),
    thinned,
    ...(incomplete !== undefined && { incomplete }),
  };
}

const longestDays = 90;
const maxInstants = 2000;
const atOnce = 50;

type EndingFeed = 'workflow-runs' | 'advisor-verdicts' | 'exposure';
type RegularFeed = Exclude<Feed, EndingFeed>;

const isAtEndings = (feed: Feed): feed is EndingFeed =>
  feed === 'workflow-runs' || feed === 'advisor-verdicts' || feed === 'exposure';

function listRegularInstants(feed: RegularFeed, first: Instant, until: Instant): Instant[] {
  if (feed !== 'merge-queue') return nights(nightlyAt[feed], first, until);
  const count = Math.max(0, Math.floor((until - first) / queueStepMs) + 1);
  return Array.from({ length: count }, (_, index) => until - (count - 1 - index) * queueStepMs);
}

const queueStepMs = 5 * minuteMs;

/** When the nightly readings begin, after midnight UTC. */
const nightlyAt: Record<Exclude<RegularFeed, 'merge-queue'>, number> = {
  'pull-requests': (4 * 60 + 17) * minuteMs,
  commits: (4 * 60 + 47) * minuteMs,
  // When it has ended.
  actions: (5 * 60 + 27) * minuteMs,
};

function nights(afterMidnight: number, from: Instant, until: Instant): Instant[] {
  const first = Math.ceil((from - afterMidnight) / dayMs);
  const count = Math.max(0, Math.floor((until - afterMidnight) / dayMs) - first + 1);
  return Array.from({ length: count }, (_, night) => (first + night) * dayMs + afterMidnight);
}

/** The last of each minute: it sees what the others saw. */
function pickLastPerMinute(instants: readonly Instant[]): Instant[] {
  return [...new Map(instants.map((instant) => [Math.floor(instant / minuteMs), instant])).values()];
}

/** The first, the last, and as many between them as there may be. */
function evenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = (items.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item);
}
