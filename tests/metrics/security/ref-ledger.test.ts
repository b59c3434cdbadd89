import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findGaps,
  isAlarming,
  type LedgerRow,
  type RefTarget,
  recordTarget,
  toMoveClass,
} from '../../../server/metrics/security/ref-ledger.ts';

const hour = 3_600_000;
const day = 24 * hour;

const at = (commit: string, tagObject: string | null = null): RefTarget => ({ state: 'present', commit, tagObject });
const without = (state: 'gone' | 'repository_gone' | 'unreadable'): RefTarget => ({
  state,
  commit: null,
  tagObject: null,
});

interface Look {
  target: RefTarget;
  at: number;
}

/** The rows after a look: what is written replaces the row that begins when it does. */
function write(rows: readonly LedgerRow[], look: Look, isOther = false): LedgerRow[] {
  const row = recordTarget(rows, look.target, look.at, isOther);
  return row === null ? [...rows] : [...rows.filter((one) => one.observedFrom !== row.observedFrom), row];
}
const writeAll = (looks: readonly Look[]) => looks.reduce<LedgerRow[]>((rows, look) => write(rows, look), []);
const daily = (...targets: RefTarget[]) => writeAll(targets.map((target, index) => ({ target, at: index * day })));
const classes = (rows: readonly LedgerRow[]) =>
  rows.map(({ previousCommit, moveClass }) => [previousCommit, moveClass]);

const targets = fc.oneof(
  fc.record({
    state: fc.constant('present' as const),
    commit: fc.constantFrom('a', 'b', 'c'),
    tagObject: fc.constantFrom(null, 't'),
  }),
  fc.constantFrom(without('gone'), without('repository_gone'), without('unreadable')),
);
/** Looks in any order of time: a clock may be set back. */
const looks = fc.array(fc.record({ target: targets, at: fc.integer({ min: 0, max: 20 }).map((n) => n * 7 * hour) }), {
  maxLength: 30,
});

describe('for any looks at a ref', () => {
  test('rows never overlap, and each is a look that was made', () => {
    fc.assert(
      fc.property(looks, (all) => {
        const rows = writeAll(all);
        for (const [index, row] of rows.entries()) {
          expect(row.observedFrom).toBeLessThanOrEqual(row.observedTo);
          if (index > 0) expect(rows[index - 1]?.observedTo).toBeLessThan(row.observedFrom);
          const { state, commit, tagObject } = row;
          for (const end of [row.observedFrom, row.observedTo])
            expect(all).toContainEqual({ target: { state, commit, tagObject }, at: end });
        }
      }),
    );
  });

  test('the same look again changes nothing, as after a kill between two writes', () => {
    fc.assert(
      fc.property(looks, fc.nat(30), (all, killedAfter) => {
        const once = writeAll(all);
        const before = all.slice(0, killedAfter);
        expect(writeAll([...before, ...before.slice(-1), ...all.slice(killedAfter)])).toEqual(once);
      }),
    );
  });

  test('a ref that stays adds no row, however often it is looked at within a day', () => {
    fc.assert(
      fc.property(targets, fc.array(fc.integer({ min: 1, max: 26 }), { maxLength: 40 }), (target, pauses) => {
        const all: Look[] = [{ target, at: 0 }];
        for (const pause of pauses) all.push({ target, at: (all.at(-1)?.at ?? 0) + pause * hour });
        expect(writeAll(all)).toHaveLength(1);
      }),
    );
  });

  test('an unreadable look extends nothing that was read', () => {
    fc.assert(
      fc.property(looks, fc.integer({ min: 200, max: 300 }), (all, later) => {
        const rows = writeAll(all);
        const readable = (some: readonly LedgerRow[]) => some.filter(({ state }) => state !== 'unreadable');
        expect(readable(write(rows, { target: without('unreadable'), at: later * hour }))).toEqual(readable(rows));
      }),
    );
  });

  test('a row is a move if and only if the ref left the commit where it was last seen', () => {
    fc.assert(
      fc.property(looks, (all) => {
        const rows = writeAll(all);
        const known = rows.filter(({ state }) => state === 'present' || state === 'gone');
        for (const row of rows) if (!known.includes(row)) expect(row.previousCommit).toBeNull();
        for (const [index, row] of known.entries()) {
          const before = known[index - 1];
          const last = known.slice(0, index).findLast(({ state }) => state === 'present');
          const hasLeft =
            row.state === 'present'
              ? last !== undefined && (before?.state !== 'present' || last.commit !== row.commit)
              : before?.state === 'present';
          expect(row.previousCommit).toBe(hasLeft ? last?.commit : null);
        }
      }),
    );
  });
});

test('a gap stays a gap: after a day without a look the same commit begins a row of its own', () => {
  const rows = writeAll([
    { target: at('a'), at: 0 },
    { target: at('a'), at: day },
    { target: at('a'), at: 3 * day },
  ]);
  expect(rows.map(({ observedFrom, observedTo }) => [observedFrom, observedTo])).toEqual([
    [0, day],
    [3 * day, 3 * day],
  ]);
  expect(classes(rows)).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(findGaps(rows, 3 * day)).toEqual([{ from: day, to: 3 * day }]);
  expect(findGaps(daily(at('a'), at('b'), at('b')), 3 * day)).toEqual([]);
  expect(findGaps(daily(at('a'), without('unreadable'), at('a')), 2 * day)).toEqual([{ from: 0, to: 2 * day }]);
});

test('what nobody could read until now is a gap', () => {
  expect(findGaps(daily(at('a'), at('a')), 3 * day)).toEqual([{ from: day, to: 3 * day }]);
  const unreadable = daily(at('a'), without('unreadable'), without('unreadable'));
  expect(findGaps(unreadable, 2 * day + hour)).toEqual([{ from: 0, to: 2 * day + hour }]);
  expect(findGaps(daily(without('unreadable')), 9 * day)).toEqual([]);
});

test('a repository that cannot be seen for a night has moved nothing', () => {
  expect(classes(daily(at('a'), without('repository_gone'), at('a')))).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
  expect(classes(daily(at('a'), without('repository_gone'), at('b')))).toEqual([
    [null, null],
    [null, null],
    ['a', null],
  ]);
  expect(classes(daily(at('a'), without('repository_gone'), without('gone')))).toEqual([
    [null, null],
    [null, null],
    ['a', 'gone'],
  ]);
});

test('what follows from the rows is said at once, and the rest is compared', () => {
  expect(classes(daily(at('a'), at('b')))).toEqual([
    [null, null],
    ['a', null],
  ]);
  expect(classes(daily(at('a'), at('b'), at('a')))).toEqual([
    [null, null],
    ['a', null],
    ['b', 'back'],
  ]);
  expect(classes(daily(at('a'), without('gone'), at('a')))).toEqual([
    [null, null],
    ['a', 'gone'],
    ['a', 'back'],
  ]);
  expect(classes(daily(at('a'), without('gone'), without('repository_gone')))).toEqual([
    [null, null],
    ['a', 'gone'],
    [null, null],
  ]);
  // A tag that is written anew leads to the same commit.
  expect(classes(daily(at('a'), at('a', 't')))).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('a name that passed to another repository is history rewritten', () => {
  const rows = write(daily(at('a')), { target: at('b'), at: day }, true);
  expect(classes(rows)).toEqual([
    [null, null],
    ['a', 'rewritten'],
  ]);
});

test('moves that maintainers make are no alarm, others are', () => {
  const move = (moveClass: LedgerRow['moveClass'], commit: string | null = 'b'): LedgerRow => ({
    ...(commit === null ? without('gone') : at(commit)),
    observedFrom: 0,
    observedTo: 0,
    previousCommit: 'a',
    moveClass,
  });
  expect(isAlarming(move('forward'), false)).toBe(false);
  expect(isAlarming(move(null), false)).toBeNull();
  expect(isAlarming(move('back'), false)).toBe(false);
  expect(isAlarming(move('rewritten'), false)).toBe(true);
  expect(isAlarming(move('forward'), true)).toBe(true);
  expect(isAlarming(move(null), true)).toBe(true);
  expect(isAlarming(move('gone', null), true)).toBe(false);
  expect(isAlarming(move('back', 'a'), true)).toBe(false);
  expect(isAlarming({ ...move(null), previousCommit: null }, true)).toBe(false);
});

test('only an ancestor makes a move forward', () => {
  expect(['ahead', 'identical', 'behind', 'diverged', null].map(toMoveClass)).toEqual([
    'forward',
    'forward',
    'rewritten',
    'rewritten',
    'rewritten',
  ]);
});
