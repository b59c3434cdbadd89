import { describe, expect, test } from 'vitest';
import {
  corroboratedFailureRate,
  findAftermath,
  isCorroboratedFailure,
  reworkRate,
} from '../../../server/metrics/delivery/corroborated-failures.ts';
import { isRollback } from '../../../server/metrics/delivery/environments.ts';
import type { Deployment } from '../../../server/metrics/kernel/delivery-facts.ts';
import { aDeployment } from '../delivery-builders.ts';
import { sampleWorlds } from '../every-world.ts';
import { day, hour } from '../worlds.ts';

const start = Date.UTC(2026, 2, 2);
const scope = { window: { from: start, to: start + 30 * day }, environment: 'production' };

/** A success of a commit so many hours after the start. */
const success = (id: number, hours: number, sha = `sha-${id}`, rest: Partial<Deployment> = {}): Deployment => ({
  ...aDeployment(id, start + hours * hour, ['success', start + hours * hour]),
  sha,
  ...rest,
});
const failure = (id: number, hours: number) => aDeployment(id, start + hours * hour, ['failure', start + hours * hour]);

const measured = (deployments: Deployment[], revertedHours: number[] = []) => {
  const aftermath = findAftermath(
    deployments,
    revertedHours.map((hours) => start + hours * hour),
  );
  return {
    failures: deployments.filter((each) => isCorroboratedFailure(each, aftermath)).map(({ id }) => id),
    rate: corroboratedFailureRate(scope, aftermath)(deployments).value,
    rework: reworkRate(scope, aftermath)(deployments).value,
    rules: [...aftermath.contradictions].map(([id, rules]) => [id, ...rules]),
  };
};

describe('a success that something speaks against', () => {
  test('the next success going back to an earlier commit makes it a failure, and is rework', () => {
    expect(measured([success(1, 0, 'a'), success(2, 5, 'b'), success(3, 6, 'a')])).toEqual({
      failures: [2],
      rate: 33.3,
      rework: 33.3,
      rules: [[2, 'rollback']],
    });
  });

  test('a revert merged within 24 hours and before the next success does too', () => {
    const two = [success(1, 0), success(2, 48)];
    expect(measured(two, [24]).failures).toEqual([1]);
    expect(measured(two, [24.1]).failures).toEqual([]);
    expect(measured([success(1, 0), success(2, 5)], [6])).toMatchObject({
      failures: [2],
      rules: [[2, 'revert_within_24h']],
    });
    expect(measured(two, [0, -1]).failures).toEqual([]);
  });

  test('a plain failure counts once, whatever is said of it', () => {
    expect(measured([success(1, 0), failure(2, 1), success(3, 2)], [1.5])).toMatchObject({
      failures: [1, 2],
      rate: 66.7,
    });
  });

  test('deploying the same commit again is neither a rollback nor rework', () => {
    expect(measured([success(1, 0, 'a'), success(2, 1, 'a')])).toMatchObject({ failures: [], rate: 0, rework: 0 });
  });

  test('another environment says nothing about this one', () => {
    const staging = { environment: 'staging' };
    const elsewhere = [success(1, 0, 'a'), success(2, 5, 'b'), success(3, 6, 'a', staging)];
    expect(measured(elsewhere)).toMatchObject({ failures: [], rate: 0 });
  });

  test('what is deployed from a hotfix branch is rework', () => {
    expect(measured([success(1, 0, 'a', { ref: 'hotfix/lamp' }), success(2, 1)])).toMatchObject({
      rework: 50,
      rate: 0,
    });
  });

  test('of nothing finished nothing is said', () => {
    expect(measured([aDeployment(1, start)])).toMatchObject({ rate: null, rework: null });
  });
});

test('rollbacks are the same as those reported one by one', () => {
  let reported = 0;
  for (const { deployments } of sampleWorlds().slice(0, 300)) {
    const alone = deployments.filter((each) => isRollback(each, deployments) === true).map(({ id }) => id);
    reported += alone.length;
    expect([...findAftermath(deployments, []).rollbacks].sort()).toEqual(alone.sort());
  }
  expect(reported).toBeGreaterThan(50);
});
