import { expect, test } from 'vitest';
import {
  type Gathering,
  gather,
  type MarkedRepository,
} from '../../../server/metrics/ai-authorship/comparison/gather.ts';
import { dayMs as day, hourMs as hour } from '../../../server/metrics/kernel/window.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { anActor, aPullRequest } from '../delivery-builders.ts';

/** A Tuesday. */
const createdAt = Date.UTC(2026, 0, 6, 9);
const gathering: Gathering = {
  class: 'agent_authored',
  agent: null,
  people: createPeople(),
  calendar: createCalendar('UTC'),
  now: createdAt + 100 * day,
};

const repository = (differences: Partial<MarkedRepository> = {}): MarkedRepository => ({
  name: 'acme/api',
  defaultBranch: 'main',
  naming: null,
  runs: null,
  pullRequests: [],
  marks: [],
  ...differences,
});

const mark = (number: number, differences: Partial<MarkedRepository['marks'][number]> = {}) => ({
  number,
  class: 'unmarked' as const,
  agent: null,
  type: 'fix' as const,
  ...differences,
});

test('compares those of the class with those without a mark, and says why others are left out', () => {
  const pullRequests = [
    aPullRequest({ number: 1, createdAt, author: anActor('copilot-swe-agent[bot]') }),
    aPullRequest({ number: 2, createdAt: createdAt + hour, headBranch: 'b' }),
    aPullRequest({ number: 3, createdAt, baseBranch: 'next' }),
    aPullRequest({ number: 4, createdAt, isDraft: true }),
  ];
  const marks = [
    mark(1, { class: 'agent_authored', agent: 'Copilot' }),
    mark(2),
    mark(3),
    mark(4),
    mark(5),
    mark(6, { class: 'ai_assisted' }),
    mark(7, { class: 'automation' }),
    mark(8, { class: 'unread' }),
  ];
  const { compared, excluded } = gather(repository({ pullRequests, marks }), gathering);
  expect(compared.map(({ number, isMarked, author }) => [number, isMarked, author])).toEqual([
    [1, true, null],
    [2, false, 'ana'],
  ]);
  expect(compared[1]).toMatchObject({ weekday: 1, lines: 15, openPullRequests: 4, stratum: compared[0]?.stratum });
  expect(compared[0]?.outcomes).toMatchObject({ merged_30d: 1, reverted_30d: null, ci_minutes: null });
  expect(excluded).toEqual([
    'other_base',
    'draft_at_close',
    'open_or_not_stored',
    'other_class',
    'automation',
    'unread',
  ]);
  const ofOther = gather(repository({ pullRequests, marks }), { ...gathering, agent: 'Codex' });
  expect(ofOther.compared.map(({ number }) => number)).toEqual([2]);
});

test('tells those apart who merged ten before, where people are assisted', () => {
  const pullRequests = Array.from({ length: 12 }, (_unused, index) =>
    aPullRequest({ number: index + 1, createdAt: createdAt + index * day, headBranch: `b${index}` }),
  );
  const marks = pullRequests.map(({ number }) => mark(number, { class: 'ai_assisted' }));
  const { compared } = gather(repository({ pullRequests, marks }), { ...gathering, class: 'ai_assisted' });
  expect(new Set(compared.slice(0, 10).map(({ stratum }) => stratum)).size).toBe(1);
  expect(compared[10]?.stratum).not.toBe(compared[0]?.stratum);
});
