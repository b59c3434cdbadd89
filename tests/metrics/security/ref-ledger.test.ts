import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findAlarm,
  findGaps,
  type LedgerRow,
  type MoveFacts,
  type RefTarget,
  recordTarget,
  toMoveClass,
} from '../../../server/metrics/security/ref-ledger.ts';

const hour = 3_600_000;
const day = 24 * hour;

const tool = { codehostId: 7, repository: 'some/tool' };
const at = (commit: string, tagObject: string | null = null): RefTarget => ({
  state: 'present',
  commit,
  tagObject,
  ...tool,
});
const without = (state: 'gone' | 'repository_gone' | 'unreadable'): RefTarget => ({
  state,
  commit: null,
  tagObject: null,
  ...(state === 'gone' ? tool : { codehostId: null, repository: null }),
});

interface Look {
  target: RefTarget;
  at: number;
}

/** The rows after a look: what is written replaces the row that begins when it does. */
function write(rows: readonly LedgerRow[], look: Look): LedgerRow[] {
  const row = recordTarget(rows, look.target, look.at);
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
    codehostId: fc.constant(7),
    repository: fc.constantFrom('some/tool', 'some/gear'),
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
          const { state, commit, tagObject, codehostId, repository } = row;
          for (const end of [row.observedFrom, row.observedTo])
            expect(all).toContainEqual({ target: { state, commit, tagObject, codehostId, repository }, at: end });
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

const ofOther = (target: RefTarget): RefTarget => ({ ...target, codehostId: 8 });

test('a name that passed to another repository is history rewritten, at the same commit too', () => {
  expect(classes(daily(at('a'), ofOther(at('b'))))).toEqual([
    [null, null],
    ['a', 'rewritten'],
  ]);
  expect(classes(daily(at('a'), ofOther(at('a')), ofOther(at('a'))))).toEqual([
    [null, null],
    ['a', 'rewritten'],
  ]);
  expect(classes(daily(at('a'), without('repository_gone'), ofOther(at('a')))).at(-1)).toEqual(['a', 'rewritten']);
});

test('a renamed repository begins a row and has moved nothing', () => {
  const rows = daily(at('a'), { ...at('a'), repository: 'some/gear' }, { ...at('a'), repository: 'some/gear' });
  expect(rows.map(({ repository }) => repository)).toEqual(['some/tool', 'some/gear']);
  expect(classes(rows).at(-1)).toEqual([null, null]);
});

/** The rows with what was found out of each move, as the nightly job does. */
function judged(rows: readonly LedgerRow[], comparison: string, facts: Partial<MoveFacts> = {}): LedgerRow[] {
  const before: LedgerRow[] = [];
  for (const row of rows) {
    const compared = { ...row, moveClass: row.moveClass ?? toMoveClass(comparison) };
    const all = { isFullVersionTag: false, wasImmutable: false, isOnBranch: true, ...facts };
    before.push(row.previousCommit === null ? row : { ...compared, alarm: findAlarm(compared, before, all) });
  }
  return before;
}
const alarmOf = (rows: readonly LedgerRow[], comparison: string, facts: Partial<MoveFacts> = {}) =>
  judged(rows, comparison, facts).at(-1)?.alarm;

test('moves that maintainers make are no alarm, others are', () => {
  const moved = daily(at('a'), at('b'));
  expect(alarmOf(moved, 'ahead')).toBe('none');
  expect(alarmOf(moved, 'diverged')).toBe('rewritten');
  expect(alarmOf(moved, 'ahead', { isFullVersionTag: true })).toBe('full_version');
  expect(alarmOf(moved, 'ahead', { wasImmutable: true })).toBe('immutable_release');
  expect(alarmOf(moved, 'ahead', { isOnBranch: false })).toBe('on_no_branch');
  expect(alarmOf(moved, 'ahead', { isOnBranch: null })).toBeNull();
  expect(alarmOf(daily(at('a'), without('gone')), 'ahead', { isFullVersionTag: true })).toBe('none');
  expect(alarmOf(daily(at('a'), without('gone'), at('a')), 'ahead', { isFullVersionTag: true })).toBe('none');
  expect(alarmOf(daily(at('a'), without('gone'), at('b')), 'diverged')).toBe('rewritten');
  expect(alarmOf(daily(at('a'), ofOther(at('a'))), 'ahead')).toBe('other_repository');
  const [first, second] = moved;
  const facts = { isFullVersionTag: false, wasImmutable: false, isOnBranch: null };
  expect(findAlarm(second as LedgerRow, [first as LedgerRow], facts)).toBeNull();
});

test('back to what was there before is no alarm; back to a commit of an alarming move is one again', () => {
  const rows = judged(daily(at('good'), at('bad'), at('good'), at('bad'), at('good')), 'diverged');
  expect(rows.map(({ moveClass, alarm }) => [moveClass, alarm])).toEqual([
    [null, null],
    ['rewritten', 'rewritten'],
    ['back', 'none'],
    ['back', 'returned'],
    ['back', 'none'],
  ]);
  const [good, bad, again, last] = daily(at('good'), at('bad'), at('good'), at('bad')) as [
    LedgerRow,
    LedgerRow,
    LedgerRow,
    LedgerRow,
  ];
  // The first move was not compared yet.
  expect(
    findAlarm(last, [good, bad, again], { isFullVersionTag: false, wasImmutable: false, isOnBranch: null }),
  ).toBeNull();
});

test('only an ancestor makes a move forward', () => {
  expect(['ahead', 'identical', 'behind', 'diverged', 'unrelated', null].map(toMoveClass)).toEqual([
    'forward',
    'forward',
    'rewritten',
    'rewritten',
    'rewritten',
    // Nobody could compare them.
    null,
  ]);
});
