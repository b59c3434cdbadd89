import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  believable,
  finish,
  firstPass,
  isUpToDate,
  neverSynced,
  type Pass,
  type RunCursor,
} from '../../server/sync/cursor.ts';
import { day, hour, minute } from './stage.ts';

const now = Date.UTC(2026, 2, 10, 12);
const days = 90;

/** A repository that was read to its end `ago` before now. */
const synced = (ago: number, rest: Partial<RunCursor> = {}): RunCursor => ({
  syncedThrough: now - ago,
  backfilledTo: now - 95 * day,
  deepAt: now - ago - 2 * day,
  resume: null,
  ...rest,
});

const pass = (kind: Pass['kind'], rest: Partial<Pass> = {}): Pass => ({
  kind,
  from: now - 10 * day,
  readDownTo: now - 4 * day,
  page: 1,
  through: now - hour,
  afterwards: null,
  ...rest,
});

describe('the first pass', () => {
  test.each<[string, RunCursor, Partial<Pass>]>([
    ['of a new repository goes back as far as asked', neverSynced, { kind: 'forward', from: now - 90 * day }],
    ['overlaps what was read by 72 hours', synced(day), { kind: 'forward', from: now - 4 * day }],
    ['leaves no hole after a long pause', synced(200 * day), { kind: 'forward', from: now - 203 * day }],
    ['looks afresh when nothing is left over', synced(minute), { kind: 'forward', from: now - minute - 3 * day }],
    ['goes on with a forward pass', synced(9 * day, { resume: pass('forward') }), pass('forward')],
    ['goes on with older work while the newest is known', synced(5 * minute, { resume: pass('deep') }), pass('deep')],
    [
      'reads what is new before older work',
      synced(hour, { resume: pass('backfill') }),
      { kind: 'forward', afterwards: pass('backfill') },
    ],
  ])('%s', (_, cursor, expected) => {
    expect(firstPass(cursor, now, days)).toMatchObject(expected);
  });

  test('before older work overlaps by 72 hours once a day, and by an hour in between', () => {
    const overlaps: number[] = [];
    let cursor = synced(minute, { backfilledTo: now - 30 * day, resume: pass('backfill', { through: now - minute }) });
    // Each time the backfill was interrupted, and something new may have come since.
    for (let at = now + 20 * minute; at < now + 2.5 * day; at += 20 * minute) {
      const first = firstPass(cursor, at, days);
      expect(first.kind).toBe('forward');
      overlaps.push((cursor.syncedThrough ?? 0) - first.from);
      cursor = finish(cursor, first, at, days);
      expect(cursor).toMatchObject({ syncedThrough: at - 2 * minute, resume: { kind: 'backfill' } });
    }
    expect(overlaps.filter((one) => one === 3 * day)).toHaveLength(2);
    expect(new Set(overlaps)).toEqual(new Set([hour, 3 * day]));
  });

  test('has no upper end that a platform clock ahead of ours could pass', () => {
    expect(firstPass(neverSynced, now, days).readDownTo).toBe(now + 3 * day);
  });
});

describe('the end of a pass', () => {
  test.each<[string, RunCursor, Pass, Partial<RunCursor>]>([
    [
      'makes a first reading complete',
      { ...neverSynced, resume: pass('forward') },
      pass('forward', { from: now - 90 * day, through: now - 2 * minute }),
      { syncedThrough: now - 2 * minute, backfilledTo: now - 90 * day, deepAt: now - 2 * minute, resume: null },
    ],
    [
      'moves the watermark to the start of the pass, and nothing else',
      synced(day),
      pass('forward', { from: now - 4 * day, through: now - 2 * minute }),
      { ...synced(day), syncedThrough: now - 2 * minute },
    ],
    [
      'is followed by a new forward pass when it began long ago',
      synced(3 * day),
      pass('forward', { through: now - 2 * day }),
      {
        syncedThrough: now - 2 * day,
        resume: pass('forward', { from: now - 5 * day, readDownTo: now + 3 * day, through: now - 2 * minute }),
      },
    ],
    [
      'is followed by a deep pass after a week, below what was just read',
      synced(day, { deepAt: now - 7 * day }),
      pass('forward', { from: now - 4 * day, through: now - 2 * minute }),
      {
        deepAt: now - 7 * day,
        resume: pass('deep', { from: now - 38 * day, readDownTo: now - 4 * day, through: now - 2 * minute }),
      },
    ],
    [
      'counts as deep when it reached that far itself',
      synced(60 * day, { deepAt: now - 20 * day, backfilledTo: now - 95 * day }),
      pass('forward', { from: now - 63 * day, through: now - 2 * minute }),
      { deepAt: now - 2 * minute, resume: null },
    ],
    [
      'is followed by what it came before',
      synced(day),
      pass('forward', { through: now - 2 * minute, afterwards: pass('deep') }),
      { resume: pass('deep') },
    ],
    [
      'of a deep pass moves no watermark',
      synced(minute, { deepAt: now - 9 * day }),
      pass('deep', { through: now - minute }),
      { ...synced(minute), deepAt: now - minute },
    ],
    [
      'is followed by older runs when they are wanted now',
      synced(minute, { backfilledTo: now - 30 * day }),
      pass('forward', { through: now - 2 * minute }),
      { backfilledTo: now - 30 * day, resume: { ...backfill(), through: now - 2 * minute } },
    ],
    [
      'of a backfill moves only the lower end',
      synced(minute, { backfilledTo: now - 30 * day }),
      backfill(),
      { ...synced(minute), backfilledTo: now - 90 * day },
    ],
  ])('%s', (_, cursor, ended, expected) => {
    expect(finish(cursor, ended, now, days)).toMatchObject(expected);
  });

  test('a deep pass never reaches below what was read before', () => {
    const cursor = synced(day, { deepAt: now - 8 * day, backfilledTo: now - 12 * day });
    const { resume } = finish(cursor, pass('forward', { from: now - 4 * day, through: now - minute }), now, 10);
    expect(resume).toMatchObject({ kind: 'deep', from: now - 12 * day });
  });
});

describe('the newest runs are known', () => {
  const begun = pass('forward', { readDownTo: now - hour, through: now - 2 * minute });
  test.each<[string, RunCursor, boolean]>([
    ['shortly after they were read', synced(10 * minute), true],
    ['not an hour later', synced(hour), false],
    ['once a forward pass has read a page', synced(hour, { resume: begun }), true],
    ['not before it has', synced(hour, { resume: { ...begun, readDownTo: now + 3 * day } }), false],
    [
      'not from a pass that was interrupted long ago',
      synced(day, { resume: { ...begun, through: now - hour } }),
      false,
    ],
  ])('%s', (_, cursor, expected) => {
    expect(isUpToDate(cursor, now)).toBe(expected);
  });
});

describe('a clock that was ahead', () => {
  test.each<[string, RunCursor]>([
    ['a watermark', synced(-hour, { deepAt: now })],
    ['a deep pass', synced(hour, { deepAt: now + 1 })],
    ['an interrupted pass', synced(hour, { resume: pass('forward', { through: now + 1 }) })],
  ])('%s of the future proves nothing', (_, cursor) => {
    expect(believable(cursor, now)).toEqual({ ...neverSynced, backfilledTo: cursor.backfilledTo });
  });

  test('what was read long before is known still, once all that can have been re-run is read anew', () => {
    const wrong = synced(-day, { backfilledTo: now - 400 * day });
    const first = firstPass(believable(wrong, now), now, 7);
    expect(first).toMatchObject({ kind: 'forward', from: now - 31 * day, afterwards: null });
    const through = now - 2 * minute;
    const anew = { syncedThrough: through, backfilledTo: now - 400 * day, deepAt: through, resume: null };
    expect(finish(believable(wrong, now), first, now, 7)).toEqual(anew);
  });

  test('what was written in the past is believed', () => {
    const cursor = synced(hour, { resume: pass('deep') });
    expect(believable(cursor, now)).toBe(cursor);
  });
});

const instant = fc.integer({ min: 0, max: 120 * 24 }).map((hours) => now - hours * hour);
const anyPass = fc.record<Pass>({
  kind: fc.constantFrom('forward', 'deep', 'backfill'),
  from: instant,
  readDownTo: instant,
  page: fc.constant(1),
  through: instant,
  afterwards: fc.constant(null),
});

test('from any cursor, passes that reach their start come to an end, and all is read then', () => {
  const cursors = fc.oneof(
    fc.constant(neverSynced),
    fc.record<RunCursor>({
      syncedThrough: instant,
      backfilledTo: instant,
      deepAt: instant,
      resume: fc.option(anyPass),
    }),
  );
  fc.assert(
    fc.property(cursors, fc.integer({ min: 1, max: 400 }), (start, backfillDays) => {
      let cursor = start;
      let next: Pass | null = firstPass(cursor, now, backfillDays);
      const read: Pass[] = [];
      for (; next; next = cursor.resume) {
        read.push(next);
        expect(read.length).toBeLessThan(8);
        cursor = finish(cursor, next, now, backfillDays);
      }
      expect(cursor.syncedThrough).toBeGreaterThanOrEqual(now - 15 * minute);
      expect(cursor.backfilledTo).toBeLessThanOrEqual(now - (backfillDays - 1) * day);
      expect(cursor.deepAt).toBeGreaterThan(now - 7 * day);
      const known = start.syncedThrough;
      if (known !== null && start.resume === null) expect(read[0]?.from).toBe(known - 3 * day);
    }),
  );
});

function backfill() {
  return pass('backfill', { from: now - 90 * day, readDownTo: now - 30 * day, through: now - minute });
}
