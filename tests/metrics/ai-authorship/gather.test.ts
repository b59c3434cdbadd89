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
  known: { from: createdAt - 100 * day, to: gathering.now },
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
  expect(excluded).toEqual(['other_base', 'draft', 'not_stored', 'other_class', 'automation', 'unread']);
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

test('counts what is still open as not merged once it is old enough, and leaves out what is not', () => {
  const open = { state: 'open', mergedAt: null, closedAt: null, mergedBy: null } as const;
  const now = createdAt + 40 * day;
  const pullRequests = [
    aPullRequest({ number: 1, createdAt, ...open, reviews: [] }),
    aPullRequest({ number: 2, createdAt: now - 20 * day, headBranch: 'b', ...open, reviews: [] }),
    aPullRequest({ number: 3, createdAt: now - 10 * day, headBranch: 'c', ...open }),
    aPullRequest({ number: 4, createdAt, headBranch: 'd', isDraft: true, ...open }),
  ];
  const marks = pullRequests.map(({ number }) => mark(number));
  const { compared, excluded } = gather(repository({ pullRequests, marks }), { ...gathering, now });
  expect(compared.map(({ number, outcomes }) => [number, outcomes.merged_30d, outcomes.first_review_hours])).toEqual([
    [1, 0, 14 * 24],
    [2, null, 14 * 24],
  ]);
  expect(excluded).toEqual(['too_recent', 'draft']);
});

test('leaves out a time of which only those are known that took long', () => {
  const pullRequests = [aPullRequest({ number: 1, createdAt })];
  const known = { from: createdAt + day, to: gathering.now };
  const { excluded } = gather(repository({ pullRequests, marks: [mark(1)], known }), gathering);
  expect(excluded).toEqual(['not_stored']);
});
