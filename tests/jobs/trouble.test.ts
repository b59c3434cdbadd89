import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { commitFacts } from '../../jobs/commit-facts.ts';
import { prFacts } from '../../jobs/pr-facts.ts';
import { nextAttemptAt } from '../../jobs/retry.ts';
import { runsSync } from '../../jobs/runs-sync.ts';
import type { Fault } from '../codehost-double/faults.ts';
import { createMigrated } from '../support/created-databases.ts';
import { migratedMemory } from '../support/migrated.ts';
import { isPatient, nightlyStage, troubleMs } from './nightly-stage.ts';

const jobs = [
  { job: runsSync, reads: 'runs' },
  { job: prFacts, reads: 'pullRequests' },
  { job: commitFacts, reads: 'commits' },
] as const;

/** Where the trouble is long, also the database is the one of a service of many. */
const socket = isPatient ? inject('postgres') : null;

describe('trouble with the platform in the middle of nightly work', () => {
  const stage = nightlyStage(socket === null ? migratedMemory : () => createMigrated(socket));
  beforeEach(() => stage.double.reset());

  async function expectAllRead(what: (typeof jobs)[number]['reads']) {
    const { kept, there } = await stage.stored();
    expect(kept.map((one) => one[what])).toEqual(there.map((one) => one[what]));
  }

  const outages: [string, Fault][] = [
    ['that breaks every connection', { kind: 'reset' }],
    // A question that hangs is waited for: some ten seconds each.
    ...(isPatient ? [['that hangs', { kind: 'hang' }] as [string, Fault]] : []),
  ];

  test.each(outages)(
    'a platform %s is requested again soon after, until each repository is read',
    async (_name, fault) => {
      for (const { job, reads } of isPatient ? jobs : jobs.slice(0, 1)) {
        stage.double.fault({ after: 2, times: 9999 }, fault);
        const slot = stage.begin(job);
        await sleep(troubleMs);
        await expect.poll(() => stage.double.requests.length).toBeGreaterThan(2);
        expect((await slot.rows()).map(({ status }) => status)).not.toContain('done');
        stage.double.reset();
        await stage.doneSoon(slot);
        await expectAllRead(reads);
      }
    },
  );

  test('one repository alone that is not answered for is requested again, and the others are not', async () => {
    const [name = ''] = stage.names;
    stage.double.fault({ path: `/repos/${name}/actions/runs`, times: 3 }, { kind: 'status', status: 502 });
    const slot = stage.begin(runsSync);
    await stage.done(slot);
    expect((await slot.rows()).map(({ status, summary }) => [status, summary.repositories, summary.failed])).toEqual([
      ['partial', 3, 1],
      ['done', 1, 0],
    ]);
    await expectAllRead('runs');
  });

  test.each<[string, Fault]>([
    ['the limit against bursts', { kind: 'secondary_limit', retryAfter: 30 }],
    ['the hourly limit', { kind: 'primary_limit' }],
  ])('%s ends the reading, which goes on as soon as it has passed', async (name, fault) => {
    stage.double.fault({ after: 3 }, fault);
    const slot = stage.begin(runsSync);
    await expect.poll(async () => (await slot.rows())[0]?.status).toBe('partial');
    const [first] = await slot.rows();
    const resumeAt = first?.resumeAt ?? 0;
    expect(nextAttemptAt(first ? [first] : [], stage.clock.now())).toBe(resumeAt);
    expect(resumeAt).toBeGreaterThan(stage.clock.now() - 20_000);
    // An hour is not waited for.
    if (name === 'the hourly limit') stage.advance(resumeAt - stage.clock.now() - 500);
    await stage.done(slot);
    expect((await slot.rows())[1]?.startedAt).toBeGreaterThanOrEqual(resumeAt);
    const { kept, there } = await stage.stored();
    expect(kept.map(({ runs }) => runs)).toEqual(there.map(({ runs }) => runs));
  });

  test('a token that the platform rejects for a while fails the work, which is tried again by itself', async () => {
    const all = stage.double.world.tokens;
    stage.double.world.tokens = all.filter(({ token }) => token !== 'token-ann');
    const slot = stage.begin(runsSync);
    await expect.poll(async () => (await slot.rows())[0]?.status).toBe('failed');
    stage.double.world.tokens = all;
    await stage.doneSoon(slot);
    await expectAllRead('runs');
  });
});
