import { expect, test } from 'vitest';
import {
  type Gathering,
  gather,
  type MarkedRepository,
  toCompared,
} from '../../../server/metrics/ai-authorship/comparison/gather.ts';
import type { PullRequest } from '../../../server/metrics/kernel/delivery-facts.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { dayMs as day, hourMs as hour } from '../../../server/metrics/kernel/window.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { anActor, aPullRequest } from '../delivery-builders.ts';

/** A Tuesday. */
const createdAt = Date.UTC(2026, 0, 6, 9);
const gathering: Gathering = {
  people: createPeople(),
  calendar: createCalendar('UTC'),
  settledAt: () => createdAt + 100 * day,
};
const authored = { class: 'agent_authored', agent: null } as const;

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
  month: '2026-01',
  isOfMachine: false,
  ...differences,
});

const reasonsOf = (marked: MarkedRepository, differences: Partial<Gathering> = {}) =>
  gather(marked, { ...gathering, ...differences }).excluded.map(({ reason }) => reason);

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
  const { gathered } = gather(repository({ pullRequests, marks }), gathering);
  const compared = gathered.flatMap((one) => toCompared(one, authored) ?? []);
  expect(compared.map(({ number, isMarked, author }) => [number, isMarked, author])).toEqual([
    [1, true, null],
    [2, false, 'ana'],
  ]);
  expect(compared[1]).toMatchObject({ weekday: 1, lines: 15, openPullRequests: 4, stratum: compared[0]?.stratum });
  expect(compared[0]?.outcomes).toMatchObject({ merged_30d: 1, reverted_30d: null, ci_minutes: null });
  expect(reasonsOf(repository({ pullRequests, marks }))).toEqual([
    'other_base',
    'draft',
    'not_stored',
    'not_stored',
    'automation',
    'unread',
  ]);
  const ofOther = gathered.flatMap((one) => toCompared(one, { ...authored, agent: 'Codex' }) ?? []);
  expect(ofOther.map(({ number }) => number)).toEqual([2]);
});

test('tells those apart who merged ten before, where people are assisted', () => {
  const pullRequests = Array.from({ length: 12 }, (_unused, index) =>
    aPullRequest({ number: index + 1, createdAt: createdAt + index * day, headBranch: `b${index}` }),
  );
  const marks = pullRequests.map(({ number }) => mark(number, { class: 'ai_assisted' }));
  const { gathered } = gather(repository({ pullRequests, marks }), gathering);
  const compared = gathered.flatMap((one) => toCompared(one, { class: 'ai_assisted', agent: null }) ?? []);
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
  const { gathered } = gather(repository({ pullRequests, marks }), { ...gathering, settledAt: () => now });
  expect(gathered.map(({ number, outcomes }) => [number, outcomes.merged_30d, outcomes.first_review_hours])).toEqual([
    [1, 0, 14 * 24],
    [2, null, 14 * 24],
  ]);
  expect(reasonsOf(repository({ pullRequests, marks }), { settledAt: () => now })).toEqual(['too_recent', 'draft']);
});

test('counts what came of a month as it was when it was settled, whenever it is looked at', () => {
  const settled = createdAt + 40 * day;
  const pullRequests = [aPullRequest({ number: 1, createdAt, mergedAt: settled + day, closedAt: settled + day })];
  const { gathered } = gather(repository({ pullRequests, marks: [mark(1)] }), {
    ...gathering,
    settledAt: () => settled,
  });
  expect(gathered[0]?.outcomes).toMatchObject({ merged_30d: 0, time_to_merge_hours: null });
});

test('counts open ones and merges of others as looking at each of them does, in a large repository too', () => {
  const random = randomStream('open pull requests');
  const pullRequests = Array.from({ length: 400 }, (_unused, index): PullRequest => {
    const opened = createdAt + Math.floor(60 * random()) * day;
    const closedAt = random() < 0.2 ? null : opened + Math.floor(12 * random() - 1) * day;
    const author = anActor(random() < 0.5 ? 'ana' : 'ben');
    const mergedAt = random() < 0.5 ? null : closedAt;
    return aPullRequest({ number: index + 1, createdAt: opened, closedAt, mergedAt, author, headBranch: `b${index}` });
  });
  const marks = pullRequests.map(({ number }) => mark(number));
  const { gathered } = gather(repository({ pullRequests, marks }), gathering);
  expect(gathered.length).toBeGreaterThan(300);
  for (const one of gathered) {
    const at = one.createdAt;
    const open = pullRequests.filter(
      (other) => other.createdAt <= at && (other.closedAt === null || at < other.closedAt),
    );
    expect(one.openPullRequests).toBe(open.length);
    const merged = pullRequests.filter(
      (other) => other.author?.login === one.author && other.mergedAt !== null && other.mergedAt < at,
    );
    expect(one.isExperienced).toBe(merged.length >= 10);
  }
});

test('looks at each pull request a few times, however many there are', () => {
  const count = 2000;
  let reads = 0;
  const many = Array.from({ length: count }, (_unused, index) => {
    const one = aPullRequest({ number: index + 1, createdAt: createdAt + index, headBranch: `b${index}` });
    const get = () => {
      reads += 1;
      return createdAt + index;
    };
    return Object.defineProperty(one, 'createdAt', { get });
  });
  gather(repository({ pullRequests: many, marks: many.map(({ number }) => mark(number)) }), gathering);
  expect(reads).toBeGreaterThan(count);
  expect(reads).toBeLessThan(30 * count);
});
