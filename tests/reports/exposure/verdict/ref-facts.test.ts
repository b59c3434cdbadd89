import { describe, expect, test } from 'vitest';
import type { LedgerRow } from '../../../../server/metrics/security/ref-ledger.ts';
import { toFacts } from '../../../../server/reports/exposure/ref-facts.ts';
import type { Suspect } from '../../../../server/reports/exposure/verdict/suspect.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 2, 14, 12);
const [good, evil, tag] = ['a', 'e', 'f'].map((letter) => letter.repeat(40)) as [string, string, string];
const suspect: Suspect = {
  kind: null,
  actionKeys: ['a/b'],
  path: '',
  match: [{ type: 'any', value: null }],
  hasKnownId: true,
  hasCommitsOnly: true,
  window: { from: noon, to: null },
};
const row = (commit: string, at: number, more: Partial<LedgerRow> = {}): LedgerRow => ({
  observedFrom: at,
  observedTo: at + hour,
  state: 'present',
  commit,
  tagObject: null,
  codehostId: 1,
  repository: 'a/b',
  previousCommit: null,
  moveClass: null,
  alarm: null,
  judgedAt: null,
  ...more,
});
const use = {
  repositoryId: 1,
  refId: 1,
  actionKey: 'a/b',
  path: '',
  kind: 'action' as const,
  ref: 'v1',
  through: '',
  isBranch: false,
  isHidden: false,
  days: [],
};
const factsOf = (rows: LedgerRow[], since: { ref: string; day: string }[] = [], releases: object[] = []) =>
  toFacts(suspect, {
    uses: [use],
    histories: new Map([[1, rows]]),
    since,
    releases: releases as never,
    shownNames: [],
  });

describe('a begin that is given too late', () => {
  const before = row(good, noon - 9 * hour);
  const move = (more: Partial<LedgerRow>) => row(evil, noon - 3 * hour, { previousCommit: good, ...more });

  test.each([
    ['an alarming move', { moveClass: 'rewritten', alarm: 'rewritten' } as const],
    ['a move that is not judged yet', { moveClass: 'rewritten', alarm: null } as const],
  ])('clears no commit that %s led to', (_, judged) => {
    const { isOlder } = factsOf([before, move(judged)]);
    expect([isOlder(good), isOlder(evil)]).toEqual([true, false]);
  });

  test('nor one that somebody pinned before, nor the tag that leads to it', () => {
    const pinned = [good, evil, tag].map((ref) => ({ ref, day: '2026-03-13' }));
    const later = row(evil, noon + hour, { previousCommit: good, alarm: 'full_version', tagObject: tag });
    const { isOlder } = factsOf([before, later], pinned);
    expect([isOlder(good), isOlder(evil), isOlder(tag)]).toEqual([true, false, false]);
  });

  test('clears what a move that maintainers make led to', () => {
    const { isOlder } = factsOf([before, move({ moveClass: 'forward', alarm: 'none' })]);
    expect(isOlder(evil)).toBe(true);
  });
});

describe('the tag of an immutable release', () => {
  const seenAt = noon - 20 * hour;
  const release = { actionKey: 'a/b', tag: 'v1', commit: good, immutable: true, seenAt };
  const immutable = (...rows: LedgerRow[]) => factsOf(rows, [], [release]).immutable(use);
  const stayed = row(good, seenAt - hour, { observedTo: noon });
  const unreadable = row(good, noon, { state: 'unreadable', commit: null, codehostId: null });

  test('is one as long as every observation since is of its commit in the same repository', () => {
    expect(immutable(stayed)).toMatchObject({ commit: good, seenAt });
    const moved = row(evil, seenAt - 9 * hour);
    expect(immutable(moved, stayed, unreadable, row(good, noon + hour)), 'released later').toMatchObject({ seenAt });
  });

  test.each([
    ['it led elsewhere since', [stayed, row(evil, noon)]],
    ['it led elsewhere and returned', [stayed, row(evil, noon), row(good, noon + hour)]],
    ['it was deleted', [stayed, row(good, noon, { state: 'gone', commit: null })]],
    ['the name passed to another repository', [stayed, row(good, noon, { codehostId: 2 })]],
    ['the name passed to it right after', [row(good, seenAt - 2 * hour), row(good, noon, { codehostId: 2 })]],
    ['nothing was observed of it', []],
  ])('is none where %s', (_, rows) => expect(immutable(...rows)).toBeNull());
});
