import { expect, test } from 'vitest';
import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import { calibrate } from '../../server/advisor/replay/calibrate.ts';
import { attemptMinutes } from '../../server/advisor/replay/days.ts';
import { rounds } from '../support/rounds.ts';
import { anAttempt, day, minute, now, recommendFor } from './histories.ts';
import { dice, type Random } from './patch/made-files.ts';

const text = `on:
  push:
  pull_request:
  schedule:
    - cron: '0 * * * *'
permissions:
  contents: read
jobs:
  lint:
    runs-on: ubuntu-24.04
    steps: [{run: make lint}]
  test:
    needs: lint
    strategy:
      fail-fast: false
      matrix: {cell: [a, b, c]}
    runs-on: ubuntu-24.04
    steps: [{run: make test}]
  e2e:
    needs: test
    runs-on: ubuntu-24.04
    steps: [{run: make e2e}]
`;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;
const conclusions = ['success', 'success', 'success', 'failure', 'cancelled', 'skipped', 'timed_out', null] as const;

let lastId = 0;

/** As no simulator makes it: without times, with clocks that go back, with jobs of another file. */
function anyJob(random: Random, name: string, arrivedAt: number): RecordedJob {
  lastId++;
  const createdAt = arrivedAt + (random(40) - 4) * minute;
  const startedAt = random(20) === 0 ? null : createdAt + (random(10) - 1) * minute + random(60_000);
  const completedAt = random(20) === 0 || startedAt === null ? null : startedAt + (random(60) - 2) * minute;
  return {
    id: lastId,
    name,
    status: completedAt === null ? 'in_progress' : 'completed',
    conclusion: completedAt === null ? null : pick(random, conclusions),
    createdAt: random(20) === 0 ? null : createdAt,
    startedAt,
    completedAt,
    labels: [pick(random, ['ubuntu-24.04', 'self-hosted', 'gpu'])],
    runnerGroup: null,
    isTaken: random(10) > 0,
    steps: [],
  };
}

const names = ['lint', 'test (a)', 'test (b)', 'test (c)', 'e2e', 'test', 'other'];

function anyAttempt(random: Random): RecordedAttempt {
  const arrivedAt = now - random(60) * day - random(24 * 60) * minute;
  const jobs = names.filter(() => random(4) > 0).map((name) => anyJob(random, name, arrivedAt));
  const conclusion = pick(random, conclusions);
  return anAttempt({
    arrivedAt,
    attempt: random(8) === 0 ? 2 : 1,
    event: pick(random, ['push', 'pull_request', 'schedule']),
    headBranch: pick(random, ['main', 'a', 'b', 'c', null]),
    headSha: `sha-${random(30)}`,
    conclusion,
    endedAt: conclusion === null ? null : arrivedAt + random(90) * minute,
    jobs: random(30) === 0 ? null : jobs,
    billedMinutes: null,
  });
}

const inOrder = (attempts: RecordedAttempt[]) =>
  attempts
    .map((one) => ({ ...one, billedMinutes: one.jobs && attemptMinutes(one) }))
    .sort((one, other) => one.arrivedAt - other.arrivedAt || one.runId - other.runId);

const spanOf = ({ startedAt, completedAt }: RecordedJob) =>
  startedAt === null || completedAt === null ? null : completedAt - startedAt;

test('whatever a history holds, minutes are reproduced, no change throws, and none brings a time below zero', () => {
  let changed = 0;
  for (let seed = 1; seed <= rounds('HISTORIES', 60, 2000); seed++) {
    const random = dice(seed * 7919);
    const attempts = inOrder(Array.from({ length: 80 + random(80) }, () => anyAttempt(random)));
    const { state, minutesRecorded, minutesReplayed } = calibrate(attempts);
    expect([seed, state, minutesReplayed]).toEqual([seed, 'ok', minutesRecorded]);
    const recorded = new Map(attempts.flatMap(({ jobs }) => (jobs ?? []).map((job) => [job.id, job])));
    for (const { kind, counterfactual } of recommendFor(text, { attempts })) {
      const worlds = counterfactual ? [counterfactual.change, ...(counterfactual.bounds ?? [])] : [];
      for (const after of worlds.flatMap((change) => change(attempts))) {
        expect(attemptMinutes(after)).toBeGreaterThanOrEqual(0);
        for (const job of after.jobs ?? []) {
          const before = recorded.get(job.id);
          if (job === before) continue;
          changed++;
          const [span, was] = [spanOf(job), before ? spanOf(before) : null];
          // A clock that went back is not made to go further back.
          expect([kind.id, seed, (span ?? 0) >= Math.min(0, was ?? 0)]).toEqual([kind.id, seed, true]);
        }
      }
    }
  }
  expect(changed).toBeGreaterThan(1000);
});
