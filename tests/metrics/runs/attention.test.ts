import { describe, expect, test } from 'vitest';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { type AttentionFacts, byAttention, computeAttention } from '../../../server/metrics/runs/attention.ts';
import type { Slowdown } from '../../../server/metrics/runs/slowdowns.ts';
import { day, hour, minute, second } from '../worlds.ts';

const now = Date.UTC(2026, 2, 31);
const moment = { now, calendar: createCalendar('UTC') };

function aRepository(differences: Partial<AttentionFacts> = {}): AttentionFacts {
  return {
    name: 'octo/web',
    headStatus: 'success',
    health: null,
    pushedAt: now - day,
    archived: false,
    slowdowns: null,
    ...differences,
  };
}

const slower = (differences: Partial<Slowdown> = {}): Slowdown => ({
  workflowId: 7,
  workflow: 'CI',
  fromMs: 9 * minute,
  toMs: 14 * minute,
  since: Date.UTC(2026, 2, 21, 20),
  ...differences,
});

const poor = { label: 'poor', score: 40, sample: 10 } as const;
const good = { label: 'good', score: 95, sample: 10 } as const;

describe('attention', () => {
  test.each([
    [{ headStatus: 'failure' }, 'failing', 'Checks fail on the default branch.'],
    [{ headStatus: 'error' }, 'failing', 'Checks errored on the default branch.'],
    [{ headStatus: null, health: poor }, 'failing', 'Recent runs often fail: run health 40 of 100.'],
    [{ headStatus: 'failure', slowdowns: [slower()] }, 'failing', 'Checks fail on the default branch.'],
    [{ slowdowns: [slower()] }, 'slowing', 'CI takes 14 min instead of 9 min since 21 Mar.'],
    [
      { slowdowns: [slower(), slower({ workflowId: 8, toMs: 10 * minute })], pushedAt: null },
      'slowing',
      'CI takes 14 min instead of 9 min since 21 Mar. 1 more workflow became slower.',
    ],
    [
      { slowdowns: [7, 8, 9].map((workflowId) => slower({ workflowId, workflow: null })) },
      'slowing',
      'A workflow without a name takes 14 min instead of 9 min since 21 Mar. 2 more workflows became slower.',
    ],
    [
      { slowdowns: [slower({ fromMs: 58.6 * second, toMs: 2 * hour + 5 * minute + 30 * second })] },
      'slowing',
      'CI takes 2 h 5 min instead of 59 s since 21 Mar.',
    ],
    [
      { slowdowns: [slower({ fromMs: 200, toMs: 3 * hour + 20 * second })] },
      'slowing',
      'CI takes 3 h instead of 0 s since 21 Mar.',
    ],
    [
      { slowdowns: [slower({ since: now - 15 * day })] },
      'active',
      'Checks pass on the default branch. Last push 1 day ago.',
    ],
    [{ slowdowns: [] }, 'active', 'Checks pass on the default branch. Last push 1 day ago.'],
    [{ slowdowns: null }, 'active', 'Checks pass on the default branch. Last push 1 day ago.'],
    [{ headStatus: null, pushedAt: now - hour }, 'active', 'Last push within a day.'],
    [{ headStatus: null, pushedAt: now + hour }, 'active', 'Last push within a day.'],
    [
      { health: good, headStatus: 'pending' },
      'active',
      'Checks are running on the default branch. Last push 1 day ago.',
    ],
    [{ health: poor }, 'active', 'Green now, but recent runs often failed: run health 40 of 100. Last push 1 day ago.'],
    [{ pushedAt: now - 90 * day }, 'active', 'Checks pass on the default branch. Last push 90 days ago.'],
    [{ pushedAt: now - 91 * day }, 'quiet', 'No push for 91 days.'],
    [{ pushedAt: null }, 'quiet', 'No push known.'],
    [{ archived: true, headStatus: 'failure', slowdowns: [slower()] }, 'archived', 'Archived.'],
  ] as [Partial<AttentionFacts>, string, string][])('%j is %s', (differences, level, reason) => {
    expect(computeAttention(aRepository(differences), moment)).toEqual({ level, reason });
  });

  test("reports days in the team's zone", () => {
    const inSaigon = { now, calendar: createCalendar('Asia/Saigon') };
    expect(computeAttention(aRepository({ slowdowns: [slower()] }), inSaigon).reason).toContain('since 22 Mar.');
  });

  test('puts failing first, then slowing, active, quiet, and archived last', () => {
    const repositories = [
      aRepository({ name: 'o/archived', archived: true, pushedAt: now }),
      aRepository({ name: 'o/quiet', pushedAt: now - 200 * day }),
      aRepository({ name: 'o/unpushed', pushedAt: null }),
      aRepository({ name: 'o/b-active' }),
      aRepository({ name: 'o/A-active' }),
      aRepository({ name: 'o/fresh', pushedAt: now - hour }),
      aRepository({ name: 'o/slowing', slowdowns: [slower()] }),
      aRepository({ name: 'o/red-long-ago', headStatus: 'error', pushedAt: now - 300 * day }),
      aRepository({ name: 'o/red', headStatus: 'failure' }),
    ];
    const expected = [
      'o/red',
      'o/red-long-ago',
      'o/slowing',
      'o/fresh',
      'o/A-active',
      'o/b-active',
      'o/quiet',
      'o/unpushed',
      'o/archived',
    ];
    const names = (list: AttentionFacts[]) => byAttention(list, moment).map(({ repository }) => repository.name);
    expect(names(repositories)).toEqual(expected);
    expect(names(repositories.toReversed())).toEqual(expected);
  });
});
