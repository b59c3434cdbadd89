import { expect, test } from 'vitest';
import type { Context } from '../../../server/access/context.ts';
import { getScheduledJobs, overdueJobs } from '../../../server/api/sync/jobs.ts';
import { toWire } from '../../../server/api/wire.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import type { Env } from '../../../server/platform/env.ts';
import type { Store } from '../../../server/store/orm.ts';
import { aDatabase } from '../../support/a-database.ts';
import { storedService } from '../stored.ts';

const as = 'token-ann';
const hour = 3_600_000;
const secret = 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo';
/** The double accepts this token as any other; no job runs here. */
const nightly = { CODEHOST_TOKEN: 'token-ann' };

interface Reported {
  name: string;
  overdue: boolean;
  enabled: boolean;
  why_not: string | null;
}

aDatabase((database) => {
  const visit = storedService(database, nightly);
  const store = () => visit.service.app.services.store as Store;
  const list = async (query = '') => (await visit.service.ask('GET', `/api/jobs${query}`, { as })).body;
  const reported = async (name: string, query?: string) =>
    (await list(query)).jobs.find((one: Reported) => one.name === name);
  /** As if another scheduler stood in for this service; one that ran here would add rows of its own. */
  const overdue = async () => {
    const { env, ...services } = visit.service.app.services;
    const elsewhere = { ...env, SCHEDULER: 'external' as const, CRON_SECRET: secret };
    return (await overdueJobs({ env: elsewhere, ...services })).map(({ name }) => name);
  };
  const ran = async (
    job: string,
    trigger: 'internal' | 'http' | 'manual',
    status: 'done' | 'partial' | 'failed',
    remaining = 3,
  ) => {
    const { clock } = visit.service;
    const slot = trigger === 'manual' ? 'manual' : new Date(clock.now()).toISOString().slice(0, 10);
    const row = await store().jobRuns.start({ job, slot, trigger, now: clock.now() });
    await store().jobRuns.finish(row, { status, summary: { remaining }, now: clock.now() + 2000 });
  };

  test('a job reports its last runs, the newest first, what is left, and what starts it', async () => {
    await ran('runs-sync', 'http', 'done');
    visit.service.clock.advance(60_000);
    await ran('runs-sync', 'manual', 'failed', 0);
    const job = await reported('runs-sync');
    expect(job).toMatchObject({
      title: 'Workflow runs',
      schedule: '17 3 * * *',
      enabled: false,
      why_not: 'scheduler_off',
      cron_path: '/api/cron/sync',
      next_due: null,
      keeps_runs: true,
      overdue: false,
      remaining: 3,
    });
    expect(job.runs).toEqual([
      {
        slot: 'manual',
        trigger: 'manual',
        status: 'failed',
        resume_at: null,
        summary: { remaining: 0 },
        started_at: '2026-11-16T10:01:00.000Z',
        finished_at: '2026-11-16T10:01:02.000Z',
      },
      {
        slot: '2026-11-16',
        trigger: 'http',
        status: 'done',
        resume_at: null,
        summary: { remaining: 3 },
        started_at: '2026-11-16T10:00:00.000Z',
        finished_at: '2026-11-16T10:00:02.000Z',
      },
    ]);
    // What a person reads of one repository says nothing of the night.
    expect(job.last_run).toEqual(job.runs[1]);
    const short = await reported('runs-sync', '?limit=1');
    expect([short.runs, short.last_run]).toEqual([job.runs.slice(0, 1), job.runs[1]]);
    expect(await reported('pr-facts')).toMatchObject({ last_run: null, runs: [], remaining: null, overdue: false });
  });

  test('one that did not come to its end for 36 hours is missing; a person’s synchronization is no substitute', async () => {
    await ran('housekeeping', 'internal', 'done');
    visit.service.clock.advance(35.9 * hour);
    expect(await overdue()).toEqual([]);
    visit.service.clock.advance(0.2 * hour);
    await ran('housekeeping', 'internal', 'done');
    await ran('runs-sync', 'manual', 'done');
    await ran('pr-facts', 'http', 'failed');
    const others = [
      'gauges',
      'merge-queue',
      'log-downloads',
      'noticed-refs',
      'purge',
      'share-check',
      'runs-sync',
      'commit-facts',
      'action-ledger',
      'advisor-judge',
      'advisor-verdicts',
      'ai-comparison',
    ];
    expect(await overdue()).toEqual(others.toSpliced(7, 0, 'pr-facts'));
    for (const job of others) await ran(job, 'http', 'partial');
    expect(await overdue()).toEqual(['pr-facts']);
    await ran('pr-facts', 'internal', 'done');
    expect(await overdue()).toEqual([]);
  });

  /** The list as it would be with other settings. */
  const listWith = async (env: Partial<Env>, store = visit.service.app.services.store) => {
    const { services } = visit.service.app;
    const context = { services: { ...services, store, env: { ...services.env, ...env } } } as Context;
    const answer = await getScheduledJobs.run({ limit: 10 }, context, emptyReply());
    return getScheduledJobs.output.parse(toWire(getScheduledJobs.output, answer)) as { jobs: Reported[] };
  };
  const reasons = ({ jobs }: { jobs: Reported[] }) => Object.fromEntries(jobs.map((one) => [one.name, one.why_not]));

  test('what does not run says why', async () => {
    expect(reasons(await list())).toMatchObject({ purge: 'scheduler_off', 'runs-sync': 'scheduler_off' });
    const elsewhere = reasons(await listWith({ SCHEDULER: 'external' }));
    expect(elsewhere).toMatchObject({ purge: null, 'runs-sync': 'scheduler_external' });
    const tokenless = reasons(await listWith({ SCHEDULER: 'internal', CODEHOST_TOKEN: undefined }));
    expect(tokenless).toMatchObject({ purge: null, housekeeping: null, 'runs-sync': 'no_service_token' });
    const storeless = reasons(await listWith({ SCHEDULER: 'internal' }, null));
    expect(new Set(Object.values(storeless))).toEqual(new Set(['no_database']));
  });

  test('what runs here says when it is due next', async () => {
    const { jobs } = await listWith({ SCHEDULER: 'internal' });
    const runs = jobs.find(({ name }) => name === 'runs-sync');
    expect(runs).toMatchObject({ enabled: true, why_not: null, next_due: expect.stringMatching(/T03:17:00\.000Z$/) });
    expect(jobs.find(({ name }) => name === 'rollups')).toMatchObject({ keeps_runs: false, last_run: null });
  });

  test('nothing is missing where nobody is to start it', async () => {
    visit.service.clock.advance(100 * hour);
    expect((await list()).jobs.some(({ overdue }: Reported) => overdue)).toBe(false);
    expect(await overdue()).not.toEqual([]);
  });

  test('as a file it is a line for each job, without a secret', async () => {
    const { text } = await visit.service.ask('GET', '/api/jobs?format=csv', { as });
    expect(text.split('\r\n')[0]).toContain('name,title,does,schedule,next_due,enabled,why_not');
    expect(text).toMatch(/runs-sync,Workflow runs,.*scheduler_off.*2026-11-1/);
    expect(text).not.toContain(nightly.CODEHOST_TOKEN);
  });
});
