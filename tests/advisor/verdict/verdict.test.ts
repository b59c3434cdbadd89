import { describe, expect, test } from 'vitest';
import { estimate } from '../../../server/advisor/verdict/estimate.ts';
import { findPresentGain } from '../../../server/advisor/verdict/gain.ts';
import { measureDays } from '../../../server/advisor/verdict/measured-days.ts';
import type { Unit } from '../../../server/advisor/verdict/measures.ts';
import { verdictSentence } from '../../../server/advisor/verdict/sentence.ts';
import { advance, beginVerdict, type Verdict } from '../../../server/advisor/verdict/verdict.ts';
import { day } from '../histories.ts';

/** A Monday. */
const monday = Date.parse('2026-03-02T00:00:00Z');
const measure = { per: 'update', workflowId: 7001, without: null } as const;

/** So many units of a day with what each took. */
const units = (at: number, count: number, value: number, event = 'pull_request'): Unit[] =>
  Array.from({ length: count }, () => ({ day: at, event, branch: 'other', value, runs: [] }));

const isWeekend = (at: number) => [0, 6].includes(new Date(at).getUTCDay());

/** Days from a Monday on, each with its units. */
function daysOf(count: number, unitsOn: (at: number) => Unit[], from = monday) {
  const days = Array.from({ length: count }, (_unused, index) => from + index * day);
  return measureDays(days.flatMap(unitsOn), days);
}

describe('the estimate', () => {
  test('is none where the mix of units alone changed (T21)', () => {
    const before = daysOf(70, (at) => (isWeekend(at) ? units(at, 5, 2) : units(at, 8, 10)));
    const after = daysOf(28, (at) => (isWeekend(at) ? units(at, 10, 2) : units(at, 4, 10)));
    const found = estimate(before, after, ['T21']);
    expect(found?.deltaPct).toBeCloseTo(0, 9);
    expect(found?.strata.map(({ weightPct }) => weightPct)).toEqual([80, 20]);
  });

  test('is none where there are fewer units alone (T22)', () => {
    const before = daysOf(50, (at) => units(at, 20, 6));
    const after = daysOf(50, (at) => units(at, 10, 6));
    expect(estimate(before, after, ['T22'])).toMatchObject({ deltaPct: 0, low: 0, high: 0 });
  });

  test('puts few units together with others of their event, and leaves out what is too little even so', () => {
    const rare = (at: number, count: number) =>
      units(at, at === monday || at === monday + 5 * day ? count : 0, 5, 'push');
    const before = daysOf(28, (at) => [
      ...units(at, 5, 10),
      ...rare(at, 4),
      ...units(at, at === monday ? 3 : 0, 99, 'schedule'),
    ]);
    const after = daysOf(28, (at) => [...units(at, 5, 5), ...rare(at, 3)]);
    const found = estimate(before, after, ['few']);
    expect(found?.strata.map(({ label, unitsBefore, unitsAfter }) => [label, unitsBefore, unitsAfter])).toEqual([
      ['pull_request, weekday', 100, 100],
      ['pull_request, weekend', 40, 40],
      ['push, others', 8, 6],
    ]);
    expect(found?.deltaPct).toBeCloseTo(100 * (1 - 740 / 1440), 9);
  });

  test('puts few units that are too few even together with the largest stratum of their event', () => {
    const before = daysOf(84, (at) => units(at, isWeekend(at) ? 5 : 8, 10));
    const after = daysOf(28, (at) => (isWeekend(at) ? units(at, at < monday + 14 * day ? 1 : 0, 5) : units(at, 8, 10)));
    const found = estimate(before, after, ['weekends']);
    expect(found?.strata).toMatchObject([
      { label: 'pull_request, weekday and others', weightPct: 100, unitsBefore: 600, unitsAfter: 164 },
    ]);
    expect(found?.deltaPct).toBeCloseTo(100 * (1 - (160 * 10 + 4 * 5) / 164 / 10), 9);
  });

  test('says nothing of less than two weeks, or of nothing', () => {
    const before = daysOf(28, (at) => units(at, 5, 10));
    expect(
      estimate(
        before,
        daysOf(13, (at) => units(at, 5, 10)),
        [],
      ),
    ).toBeNull();
    expect(
      estimate(
        before,
        daysOf(28, () => []),
        [],
      ),
    ).toBeNull();
    expect(
      estimate(
        before,
        daysOf(28, (at) => units(at, 5, 0)),
        [],
      ),
    ).toBeNull();
  });
});

describe('looks', () => {
  const before = daysOf(84, (at) => units(at, 8, 10 + ((at / day) % 3)));
  const start = monday + 84 * day - 6 * 3_600_000;
  const aftermath = (unitsOn: (at: number) => Unit[], days = 120) => ({
    own: daysOf(days, unitsOn, monday + 84 * day),
    control: null,
  });
  const begun = (promised: Verdict['promised'] = { low: 14, high: 19 }) =>
    beginVerdict(start, promised, { measure, before, control: null });
  const firstLook = monday + 112 * day;

  test('come 28 days after the merge, and not before', () => {
    const less = aftermath((at) => units(at, 8, 8 + ((at / day) % 3)));
    expect(begun().nextLook).toBe(firstLook);
    expect(advance(begun(), less, firstLook - 1, []).state).toBe('waiting');
    const found = advance(begun(), less, firstLook, []);
    expect(found).toMatchObject({ state: 'kept', reason: null, nextLook: firstLook + 7 * day });
    expect(found.looks).toMatchObject([{ day: 28, units: 224, outcome: 'kept' }]);
  });

  test('end with what cannot be told after the third (T20)', () => {
    const noisy = aftermath((at) => units(at, 8, (Math.floor(at / day / 7) % 2 ? 16 : 3) + ((at / day) % 3)));
    const [first, second, third] = [0, 28, 56].map((days) => advance(begun(), noisy, firstLook + days * day, []));
    expect(first).toMatchObject({ state: 'waiting', nextLook: firstLook + 28 * day });
    expect(second).toMatchObject({ state: 'waiting', nextLook: firstLook + 56 * day });
    expect(third).toMatchObject({ state: 'cannot_tell', reason: 'too_variable', nextLook: null });
    expect(third?.looks.map(({ day: one, outcome }) => [one, outcome])).toEqual([
      [28, 'open'],
      [56, 'open'],
      [84, 'open'],
    ]);
  });

  test('are skipped with fewer than twenty units', () => {
    const few = aftermath((at) => (at < firstLook && at % (7 * day) !== 0 ? [] : units(at, 3, 8 + ((at / day) % 3))));
    const found = advance(begun(), few, firstLook + 28 * day, []);
    expect(found.looks.map(({ outcome }) => outcome)).toEqual(['skipped', 'kept']);
    const none = advance(
      begun(),
      aftermath(() => []),
      firstLook + 60 * day,
      [],
    );
    expect(none).toMatchObject({ state: 'cannot_tell', reason: 'sample_too_small', nextLook: null });
  });

  test('of what was not promised, or too little, measure alone', () => {
    const less = aftermath((at) => units(at, 8, 8 + ((at / day) % 3)));
    for (const promised of [null, { low: 2, high: 9 }])
      expect(advance(begun(promised), less, firstLook, [])).toMatchObject({
        state: 'measured',
        reason: null,
        nextLook: null,
      });
  });

  test('that have nothing to compare say so, as do those after which no minutes were taken', () => {
    const end = firstLook + 56 * day;
    const none = advance(
      begun(),
      aftermath((at) => units(at, 8, 0)),
      end,
      [],
    );
    expect(none).toMatchObject({ state: 'cannot_tell', reason: 'no_minutes_after', nextLook: null });
    expect(none.looks.map(({ units: seen, outcome }) => [seen, outcome])).toEqual([
      [224, 'no_minutes_after'],
      [448, 'no_minutes_after'],
      [672, 'no_minutes_after'],
    ]);
    const other = advance(
      begun(),
      aftermath((at) => units(at, 8, 9, 'merge_group')),
      end,
      [],
    );
    expect(other).toMatchObject({ state: 'cannot_tell', reason: 'nothing_comparable', nextLook: null });
  });

  test('after which the jobs of fewer than two weeks are stored say that, not that nothing can be compared', () => {
    const end = firstLook + 56 * day;
    const [some, more] = [13, 14].map((count) =>
      advance(
        begun(),
        aftermath((at) => units(at, 8, 8 + ((at / day) % 3)), count),
        end,
        [],
      ),
    );
    expect(some).toMatchObject({ state: 'cannot_tell', reason: 'history_too_short', nextLook: null });
    expect(some?.looks.map(({ units: seen, outcome }) => [seen, outcome])).toEqual([
      [104, 'history_too_short'],
      [104, 'history_too_short'],
      [104, 'history_too_short'],
    ]);
    expect(some && verdictSentence(some)).toContain('or of fewer than 14 after it.');
    expect(more?.looks[0]?.measured).not.toBeNull();
  });

  test('go on weekly, and find a gain that is lost and one that is back', () => {
    const lost = (at: number) => at >= firstLook + 7 * day && at < firstLook + 70 * day;
    const world = aftermath((at) => units(at, 8, (lost(at) ? 10 : 8) + ((at / day) % 3)), 240);
    const states = Array.from(
      { length: 18 },
      (_unused, week) => advance(begun(), world, firstLook + week * 7 * day, []).state,
    );
    const lostAt = states.indexOf('lost');
    // The first two weeks of which all days lie in it, and a week more.
    expect(lostAt).toBe(4);
    expect(states.indexOf('kept', lostAt)).toBeGreaterThan(12);
    const verdict = advance(begun(), world, firstLook + 28 * day, []);
    expect(verdict.lostSince).toBe(firstLook + 7 * day);
    expect(verdictSentence(verdict)).toMatch(/ Was kept, lost since 29 Jun 2026, found on 20 Jul 2026\.$/);
  });

  test('of a gain that was made anew are over from then on', () => {
    const verdict = advance(
      begun(),
      aftermath((at) => units(at, 8, 8 + ((at / day) % 3))),
      firstLook + 14 * day,
      [],
    );
    const [end, ended] = [firstLook + 10 * day, { ...verdict, withdrawnAt: firstLook + 10 * day }];
    expect(findPresentGain(ended, end - 1)?.lostPct).toBeLessThan(5);
    expect(findPresentGain(ended, end)).toBeNull();
    expect(findPresentGain(verdict, end)).not.toBeNull();
  });

  test('tell nothing where what the change cannot move has moved', () => {
    const less = (at: number) => units(at, 8, 8 + ((at / day) % 3));
    const control = daysOf(84, (at) => units(at, 9, 100 + ((at / day) % 5)));
    const slower = daysOf(120, (at) => units(at, 9, 130 + ((at / day) % 5)), monday + 84 * day);
    const verdict = beginVerdict(
      start,
      { low: 14, high: 19 },
      { measure, before, control: { measure, before: control } },
    );
    expect(advance(verdict, { ...aftermath(less), control: slower }, firstLook, [])).toMatchObject({
      state: 'cannot_tell',
      reason: 'something_else_changed',
      drift: { isFlagged: true, estimate: { deltaPct: expect.closeTo(-29.4, 0) } },
    });
    const same = daysOf(120, (at) => units(at, 9, 100 + ((at / day) % 5)), monday + 84 * day);
    expect(advance(verdict, { ...aftermath(less), control: same }, firstLook, []).state).toBe('kept');
  });
});
