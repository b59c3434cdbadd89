import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { addedMs, allowedMs, allowedRequests, costWith, errorTypes } from './lasting-errors.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const web = 'owner=octo&repo=web';
const questions = [`repo-dora?${web}`, `repo-contributors?${web}&days=90`, `open-pr-health?${web}`, `issues?${web}`];

/** A seeded choice (mulberry32), so that a failure comes again. */
function seeded(seed: number) {
  let state = seed;
  return <T>(from: readonly T[]): T => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return from[((mixed ^ (mixed >>> 14)) >>> 0) % from.length] as T;
  };
}

it.each([
  ['PullRequest.reviews', 'RESOURCE_LIMITS_EXCEEDED'],
  ['PullRequest.reviews', 'SERVICE_UNAVAILABLE'],
])('where lists have many pages, %s that fails with %s costs as little', async (field, type) => {
  const question = 'repo-dora?owner=octo&repo=many';
  const cold = await costWith(service, question, null);
  expect(cold.requests).toBeGreaterThan(10);
  const cost = await costWith(service, question, { field, type });
  expect(cost.requests).toBeLessThanOrEqual(2 * cold.requests + 2);
  expect(addedMs(cost, cold)).toBeLessThanOrEqual(allowedMs);
});

it.each([
  ['CheckSuite.checkRuns', 'NOT_FOUND'],
  ['CheckSuite.checkRuns', 'FORBIDDEN'],
  ['CheckSuite.checkRuns', 'RESOURCE_LIMITS_EXCEEDED'],
  ['CheckRun.conclusion', 'FORBIDDEN'],
  ['CheckStep.startedAt', 'RESOURCE_LIMITS_EXCEEDED'],
])('%s that fails with %s for good costs the statistics of jobs no more than that', async (field, type) => {
  const question = `job-stats?${web}&workflow_id=7001`;
  const { requests } = await costWith(service, question, { field, type });
  expect(requests).toBeLessThanOrEqual(allowedRequests(question));
});

// All fields and types: tests/bench/lasting-errors.mjs.
it.each(questions)('a field that fails for good costs %s at most twice its budget and two', async (question) => {
  const choose = seeded(14);
  const cold = await costWith(service, question, null);
  const { fields } = cold;
  expect(fields.length).toBeGreaterThan(10);
  const chosen = [
    ...Array.from({ length: 4 }, () => ({ field: choose(fields), type: choose(errorTypes) })),
    { field: 'Repository.name', type: 'RESOURCE_LIMITS_EXCEEDED' },
  ];
  for (const failing of chosen) {
    const cost = await costWith(service, question, failing);
    const name = `with ${failing.field} ${failing.type}`;
    expect(cost.requests, name).toBeLessThanOrEqual(allowedRequests(question));
    expect(addedMs(cost, cold), name).toBeLessThanOrEqual(allowedMs);
  }
});
