import { describe, expect, test } from 'vitest';
import { type TalkingPointFacts, talkingPoints } from '../../../server/metrics/people/talking-points.ts';

const quiet = { prsOpened: 0, prsMerged: 0, avgHoursToMerge: null, medianHoursToMerge: null, reviewsGiven: 0 };
const facts = (parts: Partial<Omit<TalkingPointFacts, 'recent' | 'prior'>> & Halves = {}): TalkingPointFacts => ({
  areListsComplete: true,
  prsEnded: 0,
  prMergeRate: null,
  afterHoursPct: null,
  commits: 0,
  mergeMoments: 0,
  workday: { start: 8, end: 19, timezone: 'Asia/Saigon' },
  openDays: [],
  reviewWaitDays: [],
  ...parts,
  recent: { ...quiet, ...parts.recent },
  prior: { ...quiet, ...parts.prior },
});
interface Halves {
  recent?: Partial<TalkingPointFacts['recent']>;
  prior?: Partial<TalkingPointFacts['prior']>;
}
const rules = (parts: Parameters<typeof facts>[0]) => talkingPoints(facts(parts)).map(({ rule }) => rule);

describe('talking points', () => {
  test('name no change and no share where pull requests or reviews could not all be read', () => {
    const changed = {
      prior: { prsMerged: 5, reviewsGiven: 5, medianHoursToMerge: 1 },
      recent: { prsMerged: 20, reviewsGiven: 20, medianHoursToMerge: 9 },
      prsEnded: 40,
      prMergeRate: 20,
      openDays: [20],
    };
    expect(rules(changed)).toEqual([
      'open_long',
      'merged_more',
      'reviews_more',
      'merges_slower',
      'merged_less_than_half',
    ]);
    expect(rules({ ...changed, areListsComplete: false })).toEqual(['open_long']);
  });

  test('are none where nothing is known', () => expect(rules({})).toEqual([]));

  // Prior and recent, and the rule at exactly 40 % fewer and 60 % more.
  test.each<[number, number, string[]]>([
    [5, 3, ['merged_fewer']],
    [10, 6, ['merged_fewer']],
    [10, 7, []],
    [10, 15, []],
    [10, 16, ['merged_more']],
    [5, 8, ['merged_more']],
    [5, 0, ['merged_fewer']],
    [4, 0, []],
    [4, 9, []],
    [0, 9, []],
  ])('%i merged before and %i lately', (before, lately, expected) => {
    expect(rules({ prior: { prsMerged: before }, recent: { prsMerged: lately } })).toEqual(expected);
  });

  test.each<[number, number, string[]]>([
    [10, 16, ['reviews_more']],
    [10, 15, []],
    [5, 8, ['reviews_more']],
    [4, 10, []],
    [10, 0, []],
  ])('%i reviewed before and %i lately', (before, lately, expected) => {
    expect(rules({ prior: { reviewsGiven: before }, recent: { reviewsGiven: lately } })).toEqual(expected);
  });

  test.each<[number | null, number | null, string[]]>([
    [10, 15, []],
    [10, 15.1, ['merges_slower']],
    [10, 5, []],
    [null, 50, []],
    [10, null, []],
    [0, 0.1, []],
  ])('%s h to merge before and %s h lately', (before, lately, expected) => {
    const half = (medianHoursToMerge: number | null) => ({ medianHoursToMerge, prsMerged: 5 });
    expect(rules({ prior: half(before), recent: half(lately) })).toEqual(expected);
  });

  test('compare no times of fewer than five merges', () => {
    const slower = (before: number, lately: number) =>
      rules({
        prior: { medianHoursToMerge: 1, prsMerged: before },
        recent: { medianHoursToMerge: 9, prsMerged: lately },
      }).includes('merges_slower');
    expect([slower(5, 5), slower(4, 5), slower(5, 4)]).toEqual([true, false, false]);
  });

  test.each<[number | null, number, string[]]>([
    [30, 10, ['after_hours']],
    [29, 10, []],
    [100, 9, []],
    [null, 0, []],
  ])('%s %% after hours of %i commits', (afterHoursPct, commits, expected) => {
    expect(rules({ afterHoursPct, commits })).toEqual(expected);
  });

  test('commits after hours say which hours these are, and are none where most times are those of merges', () => {
    const many = { afterHoursPct: 60, commits: 20 };
    expect(talkingPoints(facts({ ...many, mergeMoments: 10 }))[0]?.because).toBe(
      '60 % of 20 commits in 90 days have a time before 08:00 or after 19:00, Asia/Saigon. A squashed commit has the time of its merge.',
    );
    expect(rules({ ...many, mergeMoments: 11 })).toEqual([]);
  });

  test.each<[number | null, number, string[]]>([
    [49, 5, ['merged_less_than_half']],
    [50, 5, []],
    [0, 4, []],
    [null, 0, []],
  ])('%s %% merged of %i', (prMergeRate, prsEnded, expected) => {
    expect(rules({ prMergeRate, prsEnded })).toEqual(expected);
  });

  test.each<[number[], string[]]>([
    [[14], ['open_long']],
    [[13, 13, 0], []],
    [[33, 2], ['open_long']],
    [[], []],
  ])('open for %j days', (openDays, expected) => {
    expect(rules({ openDays })).toEqual(expected);
  });

  test.each<[number[], string[]]>([
    [[14], ['reviews_waiting']],
    [[13, 2], []],
    [[], []],
  ])('reviews waiting for %j days', (reviewWaitDays, expected) => {
    expect(rules({ reviewWaitDays })).toEqual(expected);
  });

  test('count the reviews that wait for long, and name the oldest', () => {
    const because = (reviewWaitDays: number[]) => talkingPoints(facts({ reviewWaitDays }))[0]?.because;
    expect(because([2, 14, 33])).toBe('2 requested reviews waiting for 14 days or more, the oldest for 33 days.');
    expect(because([14])).toBe('1 requested review waiting for 14 days or more, the oldest for 14 days.');
  });

  test('count the pull requests that are open for long, and name the oldest', () => {
    const [point] = talkingPoints(facts({ openDays: [3, 20, 33] }));
    expect(point?.because).toBe(
      '2 pull requests ready for review for 14 days or more and still open, the oldest for 33 days.',
    );
  });

  test('say the figures first and then ask, without a verdict', () => {
    const [point] = talkingPoints(facts({ prior: { prsMerged: 5 }, recent: { prsMerged: 1 } }));
    expect(point?.because).toBe('1 pull request merged in the last 45 days, 5 in the previous 45.');
    const all = talkingPoints(
      facts({
        prior: { prsMerged: 10, reviewsGiven: 5, medianHoursToMerge: 1 },
        afterHoursPct: 40,
        commits: 20,
        recent: { prsMerged: 5, reviewsGiven: 9, medianHoursToMerge: 9 },
        prMergeRate: 10,
        prsEnded: 9,
        openDays: [14],
        reviewWaitDays: [15],
      }),
    );
    expect(all.map(({ rule }) => rule)).toEqual([
      'reviews_waiting',
      'open_long',
      'merged_fewer',
      'reviews_more',
      'merges_slower',
      'after_hours',
      'merged_less_than_half',
    ]);
    for (const { because, question } of all) {
      expect(because).toMatch(/\d.*\.$/);
      expect(question).toMatch(/^[A-Z][\w -]+: .*\?$/);
      expect(question.length, 'one line').toBeLessThan(65);
      expect(`${because} ${question}`).not.toMatch(/\b(good|bad|great|poor|should|must|only|too|undefined|null|NaN)\b/);
    }
  });
});
