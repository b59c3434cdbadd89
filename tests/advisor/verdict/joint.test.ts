import { describe, expect, test } from 'vitest';
import { asJudged } from '../../../server/advisor/verdict/joint.ts';
import type { ProposedChange } from '../../../server/advisor/verdict/proposed.ts';
import { verdictSentence } from '../../../server/advisor/verdict/sentence.ts';
import { beginOf, lookAt } from '../../../server/reports/advisor-results/looks.ts';
import { aJob, anAttempt, day, hour, minute, now } from '../histories.ts';

const midnight = Math.floor(now / day) * day;
const startAt = midnight - hour;

const aChange = (kind: string, parts: Partial<ProposedChange> = {}): ProposedChange => ({
  id: kind.padEnd(16, '0'),
  kind,
  title: kind,
  path: '.github/workflows/ci.yml',
  workflowId: 7001,
  promised: { low: 14, mid: 16, high: 19 },
  promisedFrom: midnight - 60 * day,
  ...parts,
});

const cancelled = aChange('ADV-01');
const stopped = aChange('ADV-06', { promised: { low: 4, mid: 5, high: 6 }, promisedFrom: midnight - 40 * day });

/** Eight updates a day, of so many minutes each. */
const runs = (from: number, to: number, minutes: (index: number) => number) =>
  Array.from({ length: (8 * (to - from)) / day }, (_unused, index) => {
    const arrivedAt = from + Math.floor(index / 8) * day + 9 * hour + (index % 8) * minute;
    return anAttempt({ arrivedAt, jobs: [aJob('test', arrivedAt, minutes(index))] });
  });

describe('changes of one workflow that are merged together', () => {
  const merged = [cancelled, stopped, aChange('ADV-22'), aChange('ADV-01', { id: 'other', workflowId: 7002 })];

  test('have one promise, as if each saved its share of what the others leave', () => {
    const judged = merged.map((one) => asJudged(one, merged));
    expect(judged.map(({ others = [] }) => others.map(({ kind }) => kind))).toEqual([['ADV-06'], ['ADV-01'], [], []]);
    const both = { low: 100 * (1 - 0.86 * 0.96), mid: 100 * (1 - 0.84 * 0.95), high: 100 * (1 - 0.81 * 0.94) };
    for (const one of judged.slice(0, 2)) {
      expect(one.promised?.low).toBeCloseTo(both.low, 9);
      expect(one.promised?.mid).toBeCloseTo(both.mid, 9);
      expect(one.promised?.high).toBeCloseTo(both.high, 9);
      expect(one.promisedFrom).toBe(midnight - 40 * day);
    }
    expect(judged.slice(2)).toEqual(merged.slice(2));
  });

  test('have that of their pull request, where it told one', () => {
    const jointly = { promised: { low: 16, mid: 18, high: 22 }, promisedFrom: midnight - 35 * day };
    const judged = asJudged({ ...cancelled, jointly }, merged);
    expect(judged).toMatchObject({ ...jointly, id: cancelled.id });
    expect(asJudged({ ...cancelled, promised: null }, [aChange('ADV-10', { promised: null })]).promised).toBeNull();
  });

  test('have one result, whichever of them is looked at', () => {
    const before = runs(midnight - 90 * day, midnight, (index) => 8 + (index % 5));
    const after = runs(midnight, midnight + 30 * day, (index) => 6 + (index % 5));
    const verdicts = [cancelled, stopped].map((one) => {
      const change = asJudged(one, merged);
      const begun = beginOf(change, { attempts: before, defaultBranch: 'main', startAt }, merged);
      expect(begun.baseline?.measure.per).toBe('update');
      expect(begun.baseline?.control?.measure.per).toBe('passing job');
      const world = { attempts: after, withdrawn: null, now: midnight + 30 * day, defaultBranch: 'main' };
      return lookAt({ change, verdict: begun }, world);
    });
    expect(verdicts[0]).toEqual(verdicts[1]);
    expect(verdicts[0]?.looks).toHaveLength(1);
    expect(verdicts[0] && verdictSentence(verdicts[0], [{ id: '', kind: 'ADV-06', title: 'Stop the matrix' }])).toMatch(
      /^Together with “Stop the matrix”\. Predicted 17 to 24 % fewer/,
    );
  });

  test.each([
    [['ADV-01', 'ADV-03'], 'day', 'passing job'],
    [['ADV-02', 'ADV-06'], 'commit', 'passing job'],
    [['ADV-05', 'ADV-06'], 'run', undefined],
    [['ADV-03'], 'day', 'run'],
  ] as const)('%j are measured per %s, such that none of them moves it', (kinds, per, control) => {
    const changes = kinds.map((kind) => aChange(kind));
    const attempts = runs(midnight - 90 * day, midnight, () => 8);
    for (const one of changes) {
      const { baseline } = beginOf(asJudged(one, changes), { attempts, defaultBranch: 'main', startAt }, changes);
      expect([baseline?.measure.per, baseline?.control?.measure.per]).toEqual([per, control]);
    }
  });
});
