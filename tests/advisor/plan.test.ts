import { describe, expect, test } from 'vitest';
import { predictEffects, predictTogether } from '../../server/advisor/effects.ts';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import type { Kind } from '../../server/advisor/kind.ts';
import { kinds } from '../../server/advisor/kinds.ts';
import { planRepository } from '../../server/advisor/plan.ts';
import type { Recommendation } from '../../server/advisor/recommend.ts';
import { commits } from '../../server/advisor/replay/demand.ts';
import { endAt, retime, type WorldChange, withoutRuns } from '../../server/advisor/replay/world-change.ts';
import { aJob, anAdvisedRepository, anAttempt, day, hour, minute, now } from './histories.ts';

const days = Array.from({ length: 40 }, (_, index) => Math.floor(now / day) * day - (40 - index) * day);

/** Each day one run of `minutes` of each of these workflows. */
const runs = (workflowId: number, minutes: number): RecordedAttempt[] =>
  days.map((start) => anAttempt({ workflowId, arrivedAt: start + hour, jobs: [aJob('test', start + hour, minutes)] }));

/** As if each job had ended after so many minutes. */
const endAfter =
  (minutes: number): WorldChange =>
  (attempts) =>
    attempts.map((attempt) => {
      const times = (attempt.jobs ?? []).map(
        (job) => [job, endAt(job, (job.startedAt ?? 0) + minutes * minute)] as const,
      );
      return retime(attempt, new Map(times.filter(([, time]) => time !== null)));
    });

const [anyKind] = kinds;

/** A recommendation that is offered, with this change of the runs of a workflow. */
const recommended = (
  id: string,
  kindId: Kind['id'],
  change: WorldChange | null,
  workflowId = 7001,
): Recommendation => ({
  id,
  kind: { ...(anyKind as Kind), id: kindId },
  path: '.github/workflows/ci.yml',
  workflowName: 'CI',
  unmappedJobsPct: null,
  workflowId,
  line: 1,
  anchor: ['on'],
  offset: 0,
  text: '',
  sample: 40,
  facts: [],
  evidence: [],
  risks: [],
  reasons: [],
  changes: [],
  counterfactual: change && { change, demand: commits },
});

const predicted = (attempts: readonly RecordedAttempt[], recommendations: readonly Recommendation[]) =>
  predictEffects(anAdvisedRepository({ attempts, days }), recommendations, { isPublic: false });

describe('what two changes save of one run is counted once (T16)', () => {
  const cancelled = recommended('a', 'ADV-01', endAfter(3));
  const skipped = recommended(
    'b',
    'ADV-04',
    withoutRuns((all) => all),
  );
  const { recommendations, past } = predicted(runs(7001, 10), [cancelled, skipped]);
  const { total, rows } = planRepository(recommendations, past);

  test('of ten minutes a day one saves seven, the other ten, and both together ten', () => {
    expect(recommendations.map(({ effect }) => effect.next?.minutesSaved.mid)).toEqual([7 * 28, 10 * 28]);
    expect(total?.effect.next?.minutesSaved.mid).toBe(10 * 28);
    expect(total?.effect.history).toMatchObject({ minutesBefore: 400, minutesAfter: 0 });
  });

  test('the larger one adds all of it, the other nothing', () => {
    expect(rows.map(({ recommendation, marginal }) => [recommendation.id, marginal.minutes])).toEqual([
      ['b', 10 * 28],
      ['a', 0],
    ]);
  });

  test('in whichever order they are listed', () => {
    expect(planRepository(recommendations.toReversed(), past)).toEqual({ total, rows });
  });
});

describe('a plan of several workflows', () => {
  const shorter = recommended('a', 'ADV-01', endAfter(6));
  const shortest = recommended('b', 'ADV-05', endAfter(4));
  const other = recommended('c', 'ADV-01', endAfter(1), 7002);
  const security = recommended('d', 'ADV-20', null);
  const { recommendations, past } = predicted(
    [...runs(7001, 10), ...runs(7002, 3)],
    [shorter, shortest, other, security],
  );
  const { total, rows } = planRepository(recommendations, past);

  test('is measured on the minutes of all workflows, and adds up', () => {
    expect(rows.map(({ recommendation, marginal }) => [recommendation.id, marginal.minutes])).toEqual([
      ['b', 6 * 28],
      ['a', 0],
      ['c', 2 * 28],
    ]);
    expect(total?.effect.next?.minutesSaved.mid).toBe(8 * 28);
    expect(total?.effect.next?.reductionPct.mid).toBeCloseTo((100 * 8) / 13, 9);
    expect(rows.reduce((sum, { marginal }) => sum + marginal.cost, 0)).toBeCloseTo(
      total?.effect.next?.costSaved?.mid ?? 0,
      9,
    );
  });

  test('of one alone is its own effect; of a choice, on the workflows that it changes', () => {
    const [first] = recommendations;
    expect(
      predictTogether(
        [first].flatMap((one) => one ?? []),
        past,
        { of: 'changed workflows' },
      ),
    ).toEqual(first?.effect);
    const chosen = recommendations.filter(({ id }) => id !== 'c');
    const together = predictTogether(chosen, past, { of: 'changed workflows' });
    expect([together.history?.minutesBefore, together.history?.minutesAfter]).toEqual([400, 160]);
  });

  test('says nothing where nothing is predicted', () => {
    const unpredicted = recommendations.filter(({ id }) => id === 'd');
    expect(planRepository(unpredicted, past)).toEqual({ total: null, rows: [] });
    expect(predictTogether(unpredicted, past, { of: 'changed workflows' }).reason).toBe('nothing_to_compare');
  });
});
