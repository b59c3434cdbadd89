import { describe, expect, test } from 'vitest';
import { nextAttemptAt } from '../../jobs/retry.ts';
import { isDaily, latestSlot, nextDue, slotAt } from '../../jobs/slots.ts';
import type { SlotRuns } from '../../server/store/job-runs.ts';

const at = (text: string) => Date.parse(text);
const nightly = '17 3 * * *';

describe('slots', () => {
  test.each([
    ['2026-11-22T03:16:59.999Z', '2026-11-21'],
    ['2026-11-22T03:17:00.000Z', '2026-11-22'],
    ['2026-11-22T23:59:59.000Z', '2026-11-22'],
    ['2026-11-23T03:16:59.000Z', '2026-11-22'],
  ])('at %s the newest due slot of a nightly job is %s', (now, name) => {
    expect(latestSlot(nightly, at(now))).toEqual({ due: at(`${name}T03:17:00Z`), name });
  });

  test('what is due more often is named by its time', () => {
    const now = at('2026-11-22T10:07:31.500Z');
    const due = at('2026-11-22T10:05:00Z');
    expect(latestSlot('*/5 * * * *', now)).toEqual({ due, name: '2026-11-22T10:05:00.000Z' });
    expect(nextDue('*/5 * * * *', now)).toBe(at('2026-11-22T10:10:00Z'));
  });

  test('a weekly job is caught up with like a daily one; the slot of a call is that of its day', () => {
    expect(['7 2 * * 0', nightly, '*/5 * * * *', '* * * * * *'].map(isDaily)).toEqual([true, true, false, false]);
    expect(slotAt(nightly, at('2026-11-22T01:00:00Z'))).toBe('2026-11-22');
    expect(nextDue(nightly, at('2026-11-22T03:17:00Z'))).toBe(at('2026-11-23T03:17:00Z'));
  });
});

describe('when a slot is begun', () => {
  const now = at('2026-11-22T09:00:00Z');
  const ended = (status: SlotRuns[number]['status'], resumeAt: number | null = null): SlotRuns[number] => ({
    status,
    finishedAt: now,
    resumeAt,
  });

  test('at once when nothing was done for it, and when the process that did it died', () => {
    expect(nextAttemptAt([], now)).toBe(now);
    expect(nextAttemptAt([ended('aborted')], now)).toBe(now);
  });

  test('never again once it was done, or was partial because its time was up', () => {
    expect(nextAttemptAt([ended('done'), ended('failed')], now)).toBeNull();
    expect(nextAttemptAt([ended('partial')], now)).toBeNull();
  });

  test('when the platform gives more again, where it waits for that', () => {
    expect(nextAttemptAt([ended('partial', now + 90_000)], now)).toBe(now + 90_000);
  });

  test('later and later where it waits without end, so that one repository is not requested all day long', () => {
    const waiting = (times: number) => nextAttemptAt(Array(times).fill(ended('partial', now + 20_000)), now);
    expect([1, 15, 16].map(waiting)).toEqual([now + 20_000, now + 20_000, now + 30_000]);
    expect(waiting(20)).toBe(now + 480_000);
  });

  test('with longer and longer pauses after failures, within 30 s of the first', () => {
    const next = (failures: number) => nextAttemptAt(Array(failures).fill(ended('failed')), now);
    expect([1, 2, 3].map(next)).toEqual([now + 15_000, now + 30_000, now + 60_000]);
    expect(next(11)).toBe(now + 3_600_000);
    expect(next(12)).toBeNull();
  });

  test('a process that dies of its work again and again is left in peace', () => {
    expect(nextAttemptAt(Array(12).fill(ended('aborted')), now)).toBeNull();
  });
});
