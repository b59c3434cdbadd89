import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs, isWithin } from '../metrics/kernel/window.ts';
import { isAlarming, isReadable, type LedgerRow, maxGapMs } from '../metrics/security/ref-ledger.ts';
import type { RefOnDay } from '../store/observed-uses.ts';
import type { Store } from '../store/orm.ts';
import {
  type AlertFacts,
  alertMetric,
  type Evaluation,
  getWindow,
  type Moment,
  type Range,
  unknown,
} from './metric.ts';

/** What metrics of actions are judged from. */
interface ActionFacts extends AlertFacts {
  /** Refs that can move, by the day on which the repository used them. */
  uses: ReadonlyMap<string, readonly RefOnDay[]>;
  /** Days on which it was read what the repository uses, oldest first. */
  days: readonly string[];
  /** Oldest first. */
  histories: ReadonlyMap<number, readonly LedgerRow[]>;
}

/** Alarming moves that were seen in the window, of refs that the repository uses directly or in turn, each once. */
export const actionTagsMoved = alertMetric({
  key: 'action_tags_moved',
  definition:
    'Alarming moves seen in the window, of tags and branches of actions and reusable workflows that the workflows of the default branch use, directly or in turn: a tag or branch was force-moved, a full version tag or the tag of an immutable release moved, the name passed to another repository, the new commit is on no branch, or a tag returned to a suspicious commit. A move counts when it is known to be alarming. Observed nightly.',
  label: 'Action tags moved',
  unit: 'count',
  group: 'ci',
  dataSource: 'actions',
  minSample: 1,
  // They are observed once a night.
  shortestHours: 24,
  load: readUses,
  measure: countAlarmingMoves,
});

interface SeenMove {
  used: RefOnDay;
  row: LedgerRow;
}

function countAlarmingMoves({ uses, days, histories }: ActionFacts, at: Moment): Evaluation {
  const day = days.findLast((one) => one <= toDay(at.now));
  if (day === undefined || day < toDay(at.now - maxGapMs))
    return unknown('It was not read in the last 26 hours which actions are used.');
  const seen = (uses.get(day) ?? []).map((used) => ({ used, rows: rowsUntil(histories.get(used.refId), at.now) }));
  if (seen.length === 0) return { value: 0, sample: 0, isNone: true };
  const readable = seen.filter(({ rows }) => rows.some(isReadable));
  const isOld = (row: LedgerRow | undefined) => (row?.observedTo ?? 0) < at.now - maxGapMs;
  if (seen.some(({ rows }) => isOld(rows.at(-1))) || readable.some(({ rows }) => isOld(rows.findLast(isReadable))))
    return unknown('Not every tag and branch was observed in the last 26 hours.');
  if (readable.length === 0) return unknown('None of the tags and branches could be read.');
  const window = getWindow(at);
  const moves = readable.flatMap(({ used, rows }) =>
    rows.flatMap((row): SeenMove[] =>
      row.previousCommit !== null && isWithin(knownAt(row, at.now), window) ? [{ used, row }] : [],
    ),
  );
  const alarming = moves
    .filter(({ row }) => isAlarming(row) && !isOpen(row, at.now))
    .sort((one, other) => one.row.observedFrom - other.row.observedFrom);
  const open = moves.filter(({ row }) => isOpen(row, at.now)).length;
  const newest = alarming.at(-1);
  return {
    value: alarming.length,
    sample: readable.length,
    ...(newest && { details: toDetails(newest) }),
    ...(open > 0 && { incomplete: `${open} of ${moves.length} moves could not be compared yet.` }),
  };
}

/** Whether it was not known yet at an instant if a move is alarming. */
const isOpen = (row: LedgerRow, now: Instant): boolean => isAlarming(row) === null || (row.judgedAt ?? 0) > now;

/** A move that was judged a night late counts from then on. */
const knownAt = (row: LedgerRow, now: Instant): Instant =>
  isOpen(row, now) ? row.observedFrom : (row.judgedAt ?? row.observedFrom);

const rowsUntil = (rows: readonly LedgerRow[] | undefined, now: Instant) =>
  (rows ?? []).filter(({ observedFrom }) => observedFrom <= now);

const toDay = (at: Instant) => new Date(at).toISOString().slice(0, 10);

/**
 * What only a private repository says is named by the use in a workflow file that leads to it; where refs of a private
 * repository lead is not reported.
 */
function toDetails({ used, row }: SeenMove) {
  const verdict = { class: row.moveClass ?? '', why: row.alarm ?? '', workflows: used.workflows };
  if (used.hiddenBehind !== null) return { used_by: used.hiddenBehind, ...verdict };
  if (used.isPrivate) return { action: used.actionKey, ref: used.ref, ...verdict };
  const commits = { from: shortCommit(row.previousCommit), to: shortCommit(row.commit) };
  return { action: used.actionKey, ref: used.ref, ...commits, ...verdict };
}

const shortCommit = (commit: string | null) => (commit ?? '').slice(0, 12);

async function readUses({ repoId, from, until, windowHours }: Range, store: Store): Promise<ActionFacts> {
  const since = from - windowHours * hourMs - maxGapMs;
  const refs = await store.observedUses.movableRefs(repoId, toDay(since));
  const days = await store.observedUses.days(repoId, toDay(since));
  const histories = await store.observedUses.histories([...new Set(refs.map(({ refId }) => refId))], since);
  const [first] = days;
  return {
    uses: Map.groupBy(refs, ({ day }) => day),
    days,
    histories,
    // In the first night there is nothing to compare with.
    knownFrom: first === undefined ? until : Date.parse(first) + dayMs,
    endings: [],
  };
}
