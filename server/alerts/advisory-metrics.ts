import type { Instant } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import { maxGapMs } from '../metrics/security/ref-ledger.ts';
import type { AdvisedSince, AdvisoryReading } from '../store/action-advisories.ts';
import type { RefOnDay } from '../store/observed-uses.ts';
import type { Store } from '../store/orm.ts';
import { type AlertFacts, alertMetric, type Evaluation, type Moment, type Range, unknown } from './metric.ts';

interface AdvisoryFacts extends AlertFacts {
  /** By the day on which the repository used them. */
  uses: ReadonlyMap<string, readonly RefOnDay[]>;
  /** Days on which it was read what the repository uses, oldest first. */
  days: readonly string[];
  /** Oldest first. */
  readings: readonly AdvisoryReading[];
  /** What affected each ref, oldest first. */
  advised: ReadonlyMap<number, readonly AdvisedSince[]>;
}

/** Published advisories that affect what the repository uses; contract of the three answers, section 1.7. */
export const openAdvisories = alertMetric({
  key: 'action_advisory_open',
  definition:
    'Published, not withdrawn advisories that affect a version of an action or reusable workflow that the workflows of the default branch use, directly or in turn, each once. The version is the one that the ref names; of a shortened tag, a branch or a commit SHA, the highest tag on its commit. Read nightly.',
  label: 'Open advisories about actions',
  unit: 'count',
  group: 'ci',
  dataSource: 'actions',
  minSample: 1,
  isPointInTime: true,
  load: readAdvised,
  measure: countAdvisories,
});

function countAdvisories({ uses, days, readings, advised }: AdvisoryFacts, { now }: Moment): Evaluation {
  const newestReading = readings.findLast(({ at }) => at <= now);
  if (newestReading === undefined || newestReading.at < now - maxGapMs)
    return unknown('Advisories about actions were not read in the last 26 hours.');
  const { at: reading, refIds } = newestReading;
  // What is used since that reading was not compared with it yet.
  const day = days.findLast((one) => one <= toDay(reading));
  if (day === undefined || day < toDay(now - maxGapMs))
    return unknown('It was not read in the last 26 hours which actions are used.');
  const used = uses.get(day) ?? [];
  if (used.length === 0) return { value: 0, sample: 0, isNone: true };
  const open = used.flatMap((ref) =>
    (advised.get(ref.refId) ?? [])
      .filter(({ observedFrom, observedTo }) => observedFrom <= reading && observedTo >= reading)
      .map((one) => ({ ref, one })),
  );
  const incomplete = used.every(({ refId }) => refIds.includes(refId)) ? undefined : unreadVersions;
  if (incomplete && open.length === 0) return unknown(incomplete);
  const newest = open.toSorted((first, other) => first.one.observedFrom - other.one.observedFrom).at(-1);
  return {
    value: new Set(open.map(({ one }) => one.advisoryId)).size,
    sample: used.length,
    ...(newest && { details: toDetails(newest.ref, newest.one) }),
    ...(incomplete && { incomplete }),
  };
}

const unreadVersions = 'Of some actions it could not be read which version is used.';

/** What only a private repository says is named by the use in a workflow file that leads to it. */
function toDetails(
  { hiddenBehind, actionKey, ref, workflows }: RefOnDay,
  { advisoryId }: AdvisedSince,
): NonNullable<Evaluation['details']> {
  if (hiddenBehind !== null) return { used_by: hiddenBehind, workflows };
  return { advisory: advisoryId, action: actionKey, ref, workflows };
}

const toDay = (at: Instant) => new Date(at).toISOString().slice(0, 10);

async function readAdvised({ repoId, from, until, windowHours }: Range, store: Store): Promise<AdvisoryFacts> {
  const since = from - windowHours * hourMs - maxGapMs;
  const refs = await store.observedUses.refs(repoId, toDay(since));
  const readings = await store.exposure.advisoryReadings(since);
  const rows = await store.exposure.advisoriesOf([...new Set(refs.map(({ refId }) => refId))], since);
  return {
    uses: Map.groupBy(refs, ({ day }) => day),
    days: await store.observedUses.days(repoId, toDay(since)),
    readings,
    advised: Map.groupBy(rows, ({ refId }) => refId),
    knownFrom: readings[0]?.at ?? until,
    endings: [],
  };
}
