import { beforeAll, expect, test } from 'vitest';
import { advisorVerdicts } from '../../../jobs/advisor-verdicts.ts';
import { runJob } from '../../../jobs/run-job.ts';
import { storedService } from '../../api/stored.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { storeAdvised } from './advised-world.ts';
import { opens, preview, writer } from './opened-pull-requests.ts';

aDatabase((database) => {
  const visit = storedService(database, { CODEHOST_TOKEN: 'token-ann' });
  let nights = 0;

  /** What the job of another night did, and how many requests it sent. */
  async function night() {
    const { app, double } = visit.service;
    double.requests.length = 0;
    const start = { slot: `night ${nights++}`, trigger: 'internal', stopping: new AbortController().signal } as const;
    const ended = await runJob(advisorVerdicts, app.services, start);
    return { ...ended?.outcome?.summary, requests: double.requests.length };
  }

  const listed = async () => {
    const path = '/api/advisor/recommendations?owner=octo&repo=advised&kind=ADV-01';
    const { body } = await visit.service.ask('GET', path, { as: 'token-bo' });
    return body.recommendations[0];
  };

  const pullRequest = () => repositoryOf(visit.service.double.world, 'octo/advised').pullRequests[0];

  beforeAll(async () => {
    visit.service.double.world.tokens.push(writer);
    await storeAdvised(visit.service);
    await opens(visit.service)({ ...(await preview(visit.service)) });
  });

  test('a pull request that is open stays so, at one request', async () => {
    expect(await night()).toMatchObject({ pull_requests: 1, merged: 0, requests: 1 });
    expect(await listed()).toMatchObject({
      state: 'in_pull_request',
      pull_request: { state: 'open', merged_at: null },
    });
  });

  test('one that the service may not see stays as it was', async () => {
    const repository = repositoryOf(visit.service.double.world, 'octo/advised');
    const { facts } = repository;
    repository.facts = { ...facts, repo: 'gone' };
    expect(await night()).toMatchObject({ pull_requests: 0, merged: 0, requests: 1 });
    repository.facts = facts;
    expect(await listed()).toMatchObject({ state: 'in_pull_request' });
  });

  test('the recommendation of a closed one is open again, and can be opened again', async () => {
    const now = visit.service.clock.now();
    Object.assign(pullRequest() ?? {}, { state: 'closed', closedAt: now, updatedAt: now });
    expect(await night()).toMatchObject({ pull_requests: 1, merged: 0, requests: 1 });
    expect(await listed()).toMatchObject({ state: 'open', pull_request: { state: 'closed', merged_at: null } });
    // It is not read again.
    expect(await night()).toMatchObject({ pull_requests: 0, merged: 0, requests: 0 });
  });

  test('a merged one says when', async () => {
    visit.service.clock.advance(20 * 60_000);
    const again = await opens(visit.service)({ ...(await preview(visit.service)) });
    expect(again.status).toBe(201);
    const now = visit.service.clock.now();
    const made = repositoryOf(visit.service.double.world, 'octo/advised').pullRequests.find(
      ({ number }) => number === again.body.number,
    );
    Object.assign(made ?? {}, {
      state: 'merged',
      mergedAt: now,
      closedAt: now,
      updatedAt: now,
      mergeSha: 'b'.repeat(40),
    });
    // One for its state, and one for the file as it was merged.
    expect(await night()).toMatchObject({ pull_requests: 1, merged: 1, begun: 1, requests: 2 });
    expect(await listed()).toMatchObject({
      state: 'merged',
      pull_request: { number: again.body.number, state: 'merged', merged_at: new Date(now).toISOString() },
    });
    const csv = await visit.service.ask('GET', '/api/advisor/recommendations?owner=octo&repo=advised&format=csv', {
      as: 'token-bo',
    });
    expect(csv.text).toMatch(/pull_request_url,pull_request_state/);
    expect(csv.text).toContain(`/pull/${again.body.number},merged`);
  });

  test('one that is found in a file read after the merge is open again', async () => {
    visit.service.clock.advance(20 * 60_000);
    expect(await listed()).toMatchObject({ state: 'open', pull_request: { state: 'merged' } });
  });
});
