import { expect, test } from 'vitest';
import { actionTagsMoved } from '../../server/alerts/action-metrics.ts';
import { listEvaluationInstants, replay } from '../../server/alerts/replay.ts';
import { findAlarm, type LedgerRow, recordTarget, toMoveClass } from '../../server/metrics/security/ref-ledger.ts';
import { isFullVersion } from '../../server/scan/action-versions.ts';
import { chance } from '../reports/exposure/verdict/worlds.ts';
import { day, hour, minute } from '../store/world.ts';

const begin = Date.UTC(2026, 2, 1);
const nights = 14;
const rule = { threshold: 1, windowHours: 24, minSample: null };
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

interface Move {
  at: number;
  comparison: 'ahead' | 'diverged' | 'behind';
  isOnBranch: boolean;
}

/** When a rule over a repository that uses one tag would have fired, by nightly observations of it. */
function fireIn(seed: number, tag: string, moves: readonly Move[]): number[] {
  const random = chance(seed);
  const rows: LedgerRow[] = [];
  const days: string[] = [];
  for (let night = 0; night < nights; night++) {
    // The job begins at 05:17 and has ended ten minutes later.
    const at = begin + night * day + 5 * hour + 17 * minute + random.below(8 * minute);
    const done = moves.filter((move) => move.at <= at);
    const commit = `${done.length}`.padStart(40, '0');
    const target = { state: 'present' as const, commit, tagObject: null, codehostId: 7, repository: 'some/tool' };
    const found = recordTarget(rows, target, at);
    days.push(toDay(at));
    if (!found) continue;
    const last = done.at(-1);
    const moveClass = found.previousCommit === null ? null : (found.moveClass ?? toMoveClass(last?.comparison ?? null));
    const facts = { wasImmutable: false, isFullVersionTag: isFullVersion(tag), isOnBranch: last?.isOnBranch ?? true };
    const isNewMove = found.previousCommit !== null && found.alarm === null;
    const row = isNewMove
      ? { ...found, moveClass, alarm: findAlarm({ ...found, moveClass }, rows, facts), judgedAt: at + minute }
      : found;
    if (rows.at(-1)?.observedFrom === row.observedFrom) rows.pop();
    rows.push(row);
  }
  const used = { refId: 1, actionKey: 'some/tool', ref: tag, workflows: 1, hiddenBehind: null, isPrivate: false };
  const facts = {
    uses: new Map(days.map((one) => [one, [{ ...used, day: one }]])),
    days,
    histories: new Map([[1, rows]]),
    knownFrom: begin,
    endings: [],
  };
  const range = { from: begin, until: begin + nights * day };
  return replay(rule, actionTagsMoved, facts, listEvaluationInstants(actionTagsMoved, facts, range).instants).fired;
}

test('an alarming move is an event within 24 hours and 10 minutes, in 100 of 100 daily worlds', () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = chance(seed);
    const tag = random.of(['v4', 'v4.2.1', 'main', '1.0.0', 'release']);
    const isForward = isFullVersion(tag) && random.is(0.3);
    const move: Move = {
      at: begin + 2 * day + random.below((nights - 4) * day),
      comparison: isForward ? 'ahead' : random.of(['diverged', 'behind']),
      isOnBranch: random.is(0.5),
    };
    const fired = fireIn(seed, tag, [move]);
    expect(fired, `world ${seed}`).toHaveLength(1);
    expect((fired[0] ?? Number.POSITIVE_INFINITY) - move.at, `world ${seed}`).toBeLessThanOrEqual(day + 10 * minute);
    expect(fired[0]).toBeGreaterThan(move.at);
  }
});

test('a major tag that follows its releases alarms in none of 100 worlds', () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = chance(seed);
    const moves = Array.from(
      { length: 1 + random.below(6) },
      (): Move => ({
        at: begin + random.below(nights * day),
        comparison: 'ahead',
        isOnBranch: true,
      }),
    ).sort((one, other) => one.at - other.at);
    expect(fireIn(seed, random.of(['v4', 'v1', '2']), moves), `world ${seed}`).toEqual([]);
  }
});
