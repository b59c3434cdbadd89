import { describe, expect, test } from 'vitest';
import { type AttentionFacts, attentionOf, byAttention } from '../../server/metrics/attention.ts';
import { day, hour } from './worlds.ts';

const now = Date.UTC(2026, 2, 31);

function aRepository(differences: Partial<AttentionFacts> = {}): AttentionFacts {
  return {
    name: 'octo/web',
    headStatus: 'success',
    health: null,
    pushedAt: now - day,
    archived: false,
    ...differences,
  };
}

const poor = { label: 'poor', score: 40, sample: 10 } as const;
const good = { label: 'good', score: 95, sample: 10 } as const;

describe('attention', () => {
  test.each([
    [{ headStatus: 'failure' }, 'failing', 'Checks fail on the default branch.'],
    [{ headStatus: 'error' }, 'failing', 'Checks ended in an error on the default branch.'],
    [{ headStatus: null, health: poor }, 'failing', 'Recent runs often fail: health 40 of 100.'],
    [{ headStatus: 'failure', slowing: true }, 'failing', 'Checks fail on the default branch.'],
    [{ slowing: true }, 'slowing', 'Runs take longer than before.'],
    [{ slowing: null }, 'active', 'Checks pass on the default branch. Last push 1 day ago.'],
    [{ headStatus: null, pushedAt: now - hour }, 'active', 'Last push within a day.'],
    [{ headStatus: null, pushedAt: now + hour }, 'active', 'Last push within a day.'],
    [
      { health: good, headStatus: 'pending' },
      'active',
      'Checks are running on the default branch. Last push 1 day ago.',
    ],
    [{ health: poor }, 'active', 'Green now, but recent runs often failed: health 40 of 100. Last push 1 day ago.'],
    [{ pushedAt: now - 90 * day }, 'active', 'Checks pass on the default branch. Last push 90 days ago.'],
    [{ pushedAt: now - 91 * day }, 'quiet', 'No push for 91 days.'],
    [{ pushedAt: null }, 'quiet', 'No push known.'],
    [{ archived: true, headStatus: 'failure', slowing: true }, 'archived', 'Archived.'],
  ] as [Partial<AttentionFacts>, string, string][])('%j is %s', (differences, level, reason) => {
    expect(attentionOf(aRepository(differences), now)).toEqual({ level, reason });
  });

  test('puts failing first, then slowing, active, quiet, and archived last', () => {
    const repositories = [
      aRepository({ name: 'o/archived', archived: true, pushedAt: now }),
      aRepository({ name: 'o/quiet', pushedAt: now - 200 * day }),
      aRepository({ name: 'o/unpushed', pushedAt: null }),
      aRepository({ name: 'o/b-active' }),
      aRepository({ name: 'o/A-active' }),
      aRepository({ name: 'o/fresh', pushedAt: now - hour }),
      aRepository({ name: 'o/slowing', slowing: true }),
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
    const names = (list: AttentionFacts[]) => byAttention(list, now).map(({ repository }) => repository.name);
    expect(names(repositories)).toEqual(expected);
    expect(names(repositories.toReversed())).toEqual(expected);
  });
});
