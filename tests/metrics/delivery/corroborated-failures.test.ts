import { describe, expect, test } from 'vitest';
import {
  corroboratedFailureRate,
  findAftermath,
  isCorroboratedFailure,
  reworkRate,
} from '../../../server/metrics/delivery/corroborated-failures.ts';
import { isRollback } from '../../../server/metrics/delivery/environments.ts';
import { findMergedChanges } from '../../../server/metrics/delivery/merged-changes.ts';
import type { Deployment, PullRequest } from '../../../server/metrics/kernel/delivery-facts.ts';
import { aDeployment, aPullRequest } from '../delivery-builders.ts';
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

/** A pull request that was merged so many hours after the start, as this commit. */
const merge = (number: number, hours: number, sha: string | null, rest: Partial<PullRequest> = {}): PullRequest => {
  const mergedAt = start + hours * hour;
  const mergeQueue = { events: [], mergeSha: sha, parentSha: null };
  return { ...aPullRequest({ number, createdAt: mergedAt - hour, mergedAt }), mergeQueue, ...rest };
};
/** A revert of the change of this number, as the platform names its branch. */
const revert = (hours: number, of: number | null, rest: Partial<PullRequest> = {}) =>
  merge(900 + Math.round(hours * 10), hours, null, {
    isRevert: true,
    headBranch: of === null ? 'undo' : `revert-${of}-topic`,
    ...rest,
  });

const always = Number.NEGATIVE_INFINITY;

const measured = (deployments: Deployment[], merged: PullRequest[] = [], isWhole = true, knownFrom = always) => {
  const aftermath = findAftermath(deployments, findMergedChanges(merged, 'main', knownFrom), isWhole);
  return {
    failures: deployments.filter((each) => isCorroboratedFailure(each, aftermath)).map(({ id }) => id),
    rate: corroboratedFailureRate(scope, aftermath)(deployments).value,
    rework: reworkRate(scope, aftermath)(deployments).value,
    rules: [...aftermath.contradictions].map(([id, rules]) => [id, ...rules]),
    undecided: [...aftermath.undecided],
  };
};

describe('a success that something speaks against', () => {
  const ab = [merge(1, -2, 'a'), merge(2, 4, 'b')];

  test('the next success going back to an earlier commit makes it a failure, and is rework', () => {
    expect(measured([success(1, 0, 'a'), success(2, 5, 'b'), success(3, 6, 'a')], ab)).toEqual({
      failures: [2],
      rate: 33.3,
      rework: 33.3,
      rules: [[2, 'rollback']],
      undecided: [],
    });
  });

  test('so does a commit that was never deployed and is older', () => {
    const older = [...ab, merge(3, 3, 'c')];
    expect(measured([success(1, 0, 'a'), success(2, 5, 'b'), success(3, 6, 'c')], older)).toMatchObject({
      failures: [2],
      rework: 33.3,
    });
  });

  test('whether a commit goes back is unknown where no merge tells it, and so are the rates', () => {
    const two = [success(1, 0, 'a'), success(2, 5, 'b')];
    expect(measured(two)).toEqual({ failures: [], rate: null, rework: null, rules: [], undecided: [1] });
    expect(measured(two, [merge(2, 4, 'b')])).toMatchObject({ rate: 0, rework: 0, undecided: [] });
    expect(measured(two, [merge(1, -2, 'a')])).toMatchObject({ rate: null, undecided: [1] });
    // Before what was read there may have been any commit.
    expect(measured(two, ab, false)).toMatchObject({ rate: 0, rework: null });
  });

  test('a revert of what it brought does, merged within 24 hours and before the next success', () => {
    const two = [success(1, 0, 'a'), success(2, 48, 'b')];
    const known = [merge(1, -2, 'a'), merge(2, 47, 'b')];
    expect(measured(two, [...known, revert(24, 1)]).failures).toEqual([1]);
    expect(measured(two, [...known, revert(24.1, 1)])).toMatchObject({ failures: [], rate: 0 });
    expect(measured([success(1, 0, 'a'), success(2, 5, 'b')], [...ab, revert(6, 2)])).toMatchObject({
      failures: [2],
      rules: [[2, 'revert_within_24h']],
    });
    for (const hours of [0, -1]) expect(measured(two, [...known, revert(hours, 1)])).toMatchObject({ rate: 0 });
  });

  test('a revert of what was deployed before, or comes later, speaks against nothing', () => {
    const two = [success(1, 0, 'a'), success(2, 5, 'b')];
    expect(measured(two, [...ab, revert(6, 1)])).toMatchObject({ failures: [], rate: 0 });
    expect(measured(two, [...ab, merge(3, 5.5, 'c'), revert(6, 3)])).toMatchObject({ failures: [], rate: 0 });
    expect(measured(two, [...ab, revert(6, 2, { baseBranch: 'release' })])).toMatchObject({ failures: [], rate: 0 });
    expect(measured([...two, success(3, 5.5, 'b')], [...ab, revert(6, 2)])).toMatchObject({ failures: [], rate: 0 });
  });

  test('of a revert that does not say what it takes back, or of an unknown commit, nothing is known', () => {
    const two = [success(1, 0, 'a'), success(2, 5, 'b')];
    expect(measured(two, [...ab, revert(6, null)])).toMatchObject({ failures: [], rate: null, undecided: [2] });
    expect(measured(two, [...ab, revert(6, 77)])).toMatchObject({ failures: [], rate: null, undecided: [2] });
    const behind = [merge(1, -2, 'a'), merge(2, 4, 'b'), merge(3, 6.5, 'c'), revert(8, 3)];
    expect(measured([...two, success(3, 7, 'd')], behind)).toMatchObject({ rate: null, undecided: [2, 3] });
  });

  test('a plain failure counts once, whatever is said of it', () => {
    const merged = [merge(1, -1, 'sha-1'), merge(2, 1.8, 'sha-3'), revert(1.5, 1)];
    expect(measured([success(1, 0), failure(2, 1), success(3, 2)], merged)).toMatchObject({
      failures: [1, 2],
      rate: 66.7,
    });
  });

  test('deploying the same commit again is neither a rollback nor rework', () => {
    expect(measured([success(1, 0, 'a'), success(2, 1, 'a')])).toMatchObject({ failures: [], rate: 0, rework: 0 });
  });

  test('where not all merges since then were read, one that nothing speaks against is undecided', () => {
    const four = [success(1, 0, 'a'), success(2, 5, 'b'), success(3, 6, 'a'), success(4, 9, 'a')];
    const { failures, rate, rework, undecided } = measured(four, ab, true, start + 5.5 * hour);
    // The second was rolled back, whatever else was; the fourth brought nothing that could be reverted.
    expect([failures, undecided, rate, rework]).toEqual([[2], [1], null, 25]);
    expect(measured(four, ab, true, start).undecided).toEqual([]);
    expect(measured(four, ab, true, Number.POSITIVE_INFINITY).undecided).toEqual([1, 3]);
  });

  test('another environment says nothing about this one', () => {
    const staging = { environment: 'staging' };
    const elsewhere = [success(1, 0, 'a'), success(2, 5, 'b'), success(3, 6, 'a', staging)];
    expect(measured(elsewhere, ab)).toMatchObject({ failures: [], rate: 0 });
  });

  test('what is deployed from a hotfix branch is rework, wherever its commit stands', () => {
    const hotfix = [success(1, 0, 'a'), success(2, 1, 'x', { ref: 'hotfix/lamp' })];
    expect(measured(hotfix, ab)).toMatchObject({ rework: 50, rate: null });
  });

  test('of nothing finished nothing is said', () => {
    expect(measured([aDeployment(1, start)])).toMatchObject({ rate: null, rework: null });
  });
});

test('rollbacks are the same as those reported one by one', () => {
  let reported = 0;
  const nothing = { mergedAt: new Map<string, number>(), reverts: [], knownFrom: always };
  for (const { deployments } of sampleWorlds().slice(0, 300)) {
    const { rollbacks } = findAftermath(deployments, nothing, false);
    for (const each of deployments) expect(rollbacks.get(each.id)).toBe(isRollback(each, deployments));
    reported += [...rollbacks.values()].filter(Boolean).length;
  }
  expect(reported).toBeGreaterThan(50);
});
