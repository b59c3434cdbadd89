import { describe, expect, test } from 'vitest';
import type { Deployment, DeploymentState } from '../../../server/metrics/kernel/delivery-facts.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import type { DeployedFacts } from '../../../server/metrics/merge-queue/boarding.ts';
import { queueHistory } from '../../../server/metrics/merge-queue/history.ts';
import {
  batchesPerTrain,
  findTrains,
  queueToProduction,
  trainWait,
} from '../../../server/metrics/merge-queue/trains.ts';
import { rounds } from '../../support/rounds.ts';
import { added, at, pullRequest, removed } from './queue-facts.ts';

const now = at('23:00');
const window = { from: at('00:00'), to: now };

let lastId = 0;
const deployment = (sha: string, createdAt: number, states: [DeploymentState, number][] | null): Deployment => ({
  id: ++lastId,
  environment: 'production',
  createdAt,
  sha,
  ref: null,
  creator: null,
  statuses: states?.map(([state, statusAt]) => ({ state, at: statusAt })) ?? null,
  url: null,
});

const deployed = (sha: string, begin: string, end: string, state: DeploymentState = 'success') =>
  deployment(sha, at(begin), [[state, at(end)]]);

/** Merged alone, half an hour after it entered. */
const merge = (number: number, time: string, parentSha = `before ${number}`) =>
  pullRequest({
    number,
    mergedAt: time,
    mergeSha: `merge ${number}`,
    parentSha,
    events: [added(halfBefore(time)), removed(time, 'merged')],
  });

function halfBefore(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const total = 60 * hours + minutes - 30;
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`;
}

function trainsOf(
  pullRequests: readonly ReturnType<typeof pullRequest>[],
  deployments: Deployment[],
  facts: Partial<DeployedFacts> = {},
) {
  const history = queueHistory({ pullRequests, notices: [], runs: [] }, 'main', now);
  const known = { deployments, knownFrom: window.from, knownTo: now, isDefaultBranch: true, ...facts };
  const trains = findTrains(history, pullRequests, known);
  const boardings = history.batches.map((batch) => {
    const boarding = trains.ofBatch(batch);
    return typeof boarding === 'string' ? boarding : [boarding.deployment.sha, boarding.basis];
  });
  return { history, trains, boardings, scope: { history, window, runsFrom: 0, trains } };
}

describe('a batch reaches production', () => {
  const merges = [merge(1, '10:00'), merge(2, '11:00'), merge(3, '12:00')];

  test('by the first successful deployment of its commit or a later one', () => {
    const { boardings, trains } = trainsOf(merges, [
      deployed('merge 2', '11:10', '11:20'),
      deployed('merge 3', '12:10', '12:20'),
    ]);
    expect(boardings).toEqual([
      ['merge 2', 'commits'],
      ['merge 2', 'commits'],
      ['merge 3', 'commits'],
    ]);
    expect(trains.trains.map(({ batches }) => batches.length)).toEqual([2, 1]);
  });

  test('by none that failed, went back, or is of a commit before it', () => {
    const { boardings } = trainsOf(merges, [
      deployed('merge 1', '12:30', '12:31'),
      deployed('merge 3', '12:40', '12:41', 'failure'),
      deployed('merge 2', '12:50', '12:51'),
    ]);
    expect(boardings).toEqual([['merge 1', 'commits'], ['merge 2', 'commits'], 'waiting']);
  });

  test('by time where the commit is no merge that is known, of the default branch alone', () => {
    const unknown = [deployed('release', '11:30', '11:40')];
    expect(trainsOf(merges, unknown).boardings).toEqual([['release', 'time'], ['release', 'time'], 'waiting']);
    const ofOther = (...deployments: Deployment[]) =>
      trainsOf(merges, deployments, { isDefaultBranch: false }).boardings;
    expect(ofOther(...unknown)).toEqual(['unknown', 'unknown', 'waiting']);
    expect(ofOther(deployment('release', at('11:30'), null))).toEqual(['unknown', 'unknown', 'waiting']);
    expect(ofOther(deployed('release', '11:30', '11:40', 'failure'))).toEqual(['waiting', 'waiting', 'waiting']);
    expect(ofOther(...unknown, deployed('merge 3', '12:10', '12:20'))[2]).toEqual(['merge 3', 'commits']);
  });

  test('by none of another branch', () => {
    const other = { ...merge(9, '13:00'), baseBranch: 'release' };
    expect(trainsOf([...merges, other], [deployed('merge 9', '13:10', '13:20')]).boardings).toEqual([
      'waiting',
      'waiting',
      'waiting',
    ]);
  });

  test('only with its last commit', () => {
    const batch = [merge(1, '10:00:00'), merge(2, '10:00:04', 'merge 1')];
    const alone = trainsOf(batch, [deployed('merge 1', '10:05', '10:06')]);
    expect(alone.boardings).toEqual(['waiting']);
    expect(trainsOf(batch, [deployed('merge 2', '10:05', '10:06')]).boardings).toEqual([['merge 2', 'commits']]);
  });

  test('by a deployment that is not known where statuses, or deployments of that time, were not read', () => {
    const later = deployed('merge 3', '12:40', '12:41');
    expect(trainsOf(merges, [deployment('merge 3', at('12:30'), null), later]).boardings).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ]);
    expect(trainsOf(merges, [later], { knownFrom: at('10:30') }).boardings[0]).toBe('unknown');
    expect(trainsOf(merges, [], { knownTo: at('11:30') }).boardings).toEqual(['waiting', 'waiting', 'unknown']);
    expect(findTrains(trainsOf(merges, []).history, merges, null).trains).toEqual([]);
  });
});

test('figures of trains need five, and say what was left out', () => {
  const merges = Array.from({ length: 6 }, (_, index) => merge(index + 1, `${10 + index}:00`));
  const runs = Array.from({ length: 5 }, (_, index) =>
    deployed(`merge ${index + 1}`, `${10 + index}:10`, `${10 + index}:${15 + index}`),
  );
  const { scope, history, trains } = trainsOf(merges, runs);
  // Half an hour in the queue, and 15, 16, 17, 18 and 19 minutes to production.
  expect(queueToProduction(scope, 0.5)(history.stays)).toMatchObject({ value: 47, sample: 5 });
  expect(trainWait(scope)(history.batches)).toMatchObject({ value: 17, sample: 5 });
  expect(batchesPerTrain(scope)(trains.trains)).toMatchObject({ value: 1, sample: 5 });
  expect(
    trainWait(scope)
      .evidence(history.batches)
      .excluded.map(({ reason }) => reason),
  ).toEqual(['not deployed to production yet']);
  const fewer = trainsOf(merges, runs.slice(0, 4));
  expect(queueToProduction(fewer.scope, 0.5)(fewer.history.stays)).toMatchObject({ value: null, sample: 4 });
});

test('each merge of random worlds is in the train that a history of commits gives', () => {
  for (let world = 0; world < rounds('QUEUE_TRAINS', 40, 1000); world++) {
    const random = randomStream('trains', world);
    const count = 5 + Math.floor(random() * 15);
    const times = Array.from({ length: count }, (_, index) => at('08:00') + index * 20 * 60_000);
    const clock = (time: number) => new Date(time).toISOString().slice(11, 19);
    const merges = times.map((time, index) => merge(index + 1, clock(time)));
    const deployments = Array.from({ length: 12 }, () => {
      const createdAt = at('08:05') + Math.floor(random() * 600) * 60_000;
      const newest = times.findLastIndex((time) => time <= createdAt);
      const chosen = Math.max(0, newest - Math.floor(random() * 3));
      const state = random() < 0.3 ? 'failure' : 'success';
      return deployment(`merge ${chosen + 1}`, createdAt, [[state, createdAt + Math.floor(random() * 40) * 60_000]]);
    });
    const { history, trains } = trainsOf(merges, deployments);
    const expected = times.map((_, index) => {
      const ends = deployments.flatMap(({ sha, statuses }) =>
        Number(sha.slice(6)) >= index + 1 && statuses?.[0]?.state === 'success' ? statuses[0].at : [],
      );
      return ends.length === 0 ? null : Math.min(...ends);
    });
    const found = history.batches.map((batch) => {
      const boarding = trains.ofBatch(batch);
      return typeof boarding === 'string' ? null : boarding.deployedAt;
    });
    expect(found).toEqual(expected);
  }
});
