import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import type { LiveWorkflowRun } from '../../../server/metrics/kernel/facts.ts';
import { servicesOf } from '../../alerts/stage.ts';
import { delivered, jobEvent, runEvent, signatureOf, webhookSecret } from '../../codehost-double/webhook.ts';
import { jobsOf, repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';
import { expectFields, expectHouseHeaders, expectProblem } from '../endpoints.ts';
import { storedService } from '../stored.ts';

const path = '/api/webhooks/codehost';
const env = { CODEHOST_WEBHOOK_SECRET: webhookSecret };
const minute = 60_000;

type Sent = ReturnType<typeof delivered>;

aDatabase((given) => {
  const visit = storedService(given, env);
  const post = (sent: Sent, headers: Record<string, string> = {}) =>
    visit.service.ask('POST', path, { body: sent.body, headers: { ...sent.headers, ...headers } });
  const web = () => repositoryOf(visit.service.double.world, 'octo/web');
  const latest = (id: number) => web().runs.get(id)?.at(-1) as LiveWorkflowRun;
  let nextId = 880_000;
  /** A run that nobody synchronized. */
  const fresh = (changes: Partial<LiveWorkflowRun> = {}) =>
    visit.service.double.putRun('octo/web', {
      id: nextId++,
      createdAt: visit.service.clock.now() - minute,
      ...changes,
    });
  const stored = async (id: number) =>
    (await visit.ask('runs?owner=octo&repo=web&limit=500')).body.runs.find((one: { id: number }) => one.id === id);
  afterEach(() => expect(visit.service.double.violations).toEqual([]));

  describe('a signed event', () => {
    test('of a run is readable at once, and the platform was not queried', async () => {
      const run = fresh({ conclusion: 'failure' });
      visit.service.double.requests.length = 0;
      const answer = await post(delivered(runEvent(web(), run)));
      expect([answer.status, answer.body]).toEqual([
        200,
        { ok: true, run_id: run.id, action: 'completed', alerts_fired: 0 },
      ]);
      expectHouseHeaders(answer);
      expect(visit.service.double.requests).toEqual([]);
      expect(await stored(run.id)).toMatchObject({ status: 'completed', conclusion: 'failure', actor: 'ann' });
      const { body } = await visit.ask('trends?owner=octo&repo=web&days=7');
      expect(body.coverage.synced_through).toBeNull();
    });

    test.each(['html_url', 'jobs_url'])('of a run without %s is kept, and shown at its own address', async (field) => {
      const run = fresh();
      const payload = runEvent(web(), run);
      const { [field as 'html_url']: left, ...rest } = payload.workflow_run;
      expect(left).toMatch(/^https?:/);
      const sent = delivered({ ...payload, workflow_run: rest });
      expect((await post(sent)).body).toMatchObject({ ok: true, run_id: run.id });
      const { repositories, runs } = servicesOf(visit.service.app).store;
      const repository = await repositories.find(web().facts);
      const saved = await runs.attempts(repository?.id ?? 0, { since: run.createdAt, limit: 100 });
      expect(saved.find(({ id }) => id === run.id)?.htmlUrl).toBe(`${web().facts.htmlUrl}/actions/runs/${run.id}`);
    });

    test('with control characters in its texts is stored, with U+FFFD in their place', async () => {
      const actor = { login: 'a\0nn', avatarUrl: 'https://codehost.example/ann.png', isBot: false };
      const run = fresh({ workflowName: 'C\0I', headBranch: 'half \ud83d', actor });
      expect((await post(delivered(runEvent(web(), run)))).body).toMatchObject({ ok: true, run_id: run.id });
      expect(await stored(run.id)).toMatchObject({ actor: 'a\ufffdnn', head_branch: 'half \ufffd' });
      const [job] = jobsOf(web(), run);
      if (!job) throw new Error('The run has no job');
      const sent = delivered(jobEvent(web(), run, { ...job, name: 'bu\0ild' }), { event: 'workflow_job' });
      expect((await post(sent)).body).toMatchObject({ ok: true, job_id: job.id });
      const saved = await visit.service.app.services.store?.jobs.of(run.id, 1);
      expect(saved).toEqual([{ ...job, name: 'bu\ufffdild', workflowName: 'C\ufffdI' }]);
    });

    test('twice under one id has one effect', async () => {
      const run = fresh({ conclusion: 'failure' });
      const sent = delivered(runEvent(web(), run));
      expect((await post(sent)).body.run_id).toBe(run.id);
      expect((await post(sent)).body).toEqual({ ok: true, duplicate: true });
      const id = { delivery: sent.headers['x-github-delivery'] };
      const other = delivered(
        runEvent(web(), { ...run, conclusion: 'success', updatedAt: run.updatedAt + minute }),
        id,
      );
      expect((await post(other)).body).toEqual({ ok: true, duplicate: true });
      expect(await stored(run.id)).toMatchObject({ conclusion: 'failure' });
    });

    test('at the same moment many times under one id has one effect', async () => {
      const sent = delivered(runEvent(web(), fresh()));
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(sent)));
      expect(answers.filter(({ body }) => body.run_id !== undefined)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.duplicate === true)).toHaveLength(19);
    });

    test('that comes late does not take a run back', async () => {
      const run = fresh();
      const requested = { ...run, status: 'queued' as const, conclusion: null, updatedAt: run.createdAt };
      await post(delivered(runEvent(web(), run)));
      const late = await post(delivered(runEvent(web(), requested)));
      expect(late.body).toMatchObject({ run_id: run.id, action: 'requested' });
      expect(await stored(run.id)).toMatchObject({ status: 'completed', conclusion: 'success' });
    });

    test('of a re-run 26 days later is the second attempt, whose wait is unknown', async () => {
      const run = fresh({ createdAt: visit.service.clock.now() - 26 * 24 * 60 * minute });
      await post(delivered(runEvent(web(), run)));
      const again = { attempt: 2, startedAt: visit.service.clock.now(), updatedAt: visit.service.clock.now() + minute };
      await post(delivered(runEvent(web(), { ...run, ...again })));
      expect(await stored(run.id)).toMatchObject({ run_attempt: 2, queue_wait_ms: null, duration_ms: minute });
    });

    test('of a job is stored', async () => {
      const run = fresh();
      const [job] = jobsOf(web(), run);
      if (!job) throw new Error('The run has no job');
      const early = { ...job, status: 'in_progress', conclusion: null, completedAt: null };
      const event = { event: 'workflow_job' };
      const answer = await post(delivered(jobEvent(web(), run, job), event));
      expect(answer.body).toEqual({ ok: true, job_id: job.id, action: 'completed' });
      expect((await post(delivered(jobEvent(web(), run, early), event))).body.job_id).toBe(job.id);
      expect(await visit.service.app.services.store?.jobs.of(run.id, 1)).toEqual([job]);
    });

    test('of a job tells how long its run waited for a runner, in the stored list and the live one', async () => {
      const run = latest(5011);
      await post(delivered(runEvent(web(), run)));
      expect(await stored(run.id)).toMatchObject({ queue_wait_ms: 0 });
      for (const job of jobsOf(web(), run)) await post(delivered(jobEvent(web(), run, job), { event: 'workflow_job' }));
      expect(await stored(run.id)).toMatchObject({ queue_wait_ms: 6_000 });
      const list = '/api/codehost/runs?owner=octo&repo=web&workflow_id=7001';
      const { body } = await visit.service.ask('GET', list, { as: 'token-ann' });
      const shown = body.find(({ id }: { id: number }) => id === run.id);
      expect(shown).toMatchObject({ queue_wait_ms: 6_000, queue_wait_source: 'jobs' });
    });

    test('under the neutral names of the headers, or in a form, is as good', async () => {
      const run = fresh();
      const { body, headers } = delivered(runEvent(web(), run));
      const { 'x-github-event': event = '', 'x-github-delivery': delivery = '', ...rest } = headers;
      const neutral = { ...rest, 'x-codehost-event': event, 'x-codehost-delivery': delivery };
      expect((await post({ body, headers: neutral })).body.run_id).toBe(run.id);
      const other = fresh();
      const form = new URLSearchParams({ payload: JSON.stringify(runEvent(web(), other)) }).toString();
      const signed = { 'x-hub-signature-256': signatureOf(form), 'x-github-delivery': 'a-form' };
      const sent = { body: form, headers: { ...headers, ...signed } };
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await post(sent, type)).body.run_id).toBe(other.id);
      expect(await stored(other.id)).toBeDefined();
    });

    test('is taken whatever cookie or origin comes along, and starts no session', async () => {
      const cookie = await visit.service.signIn('token-ann');
      const origins = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
      for (const headers of [origins, { ...origins, cookie }, { cookie: 'das_session=forged' }]) {
        const run = fresh();
        const answer = await post(delivered(runEvent(web(), run)), headers);
        expect([answer.body.run_id, answer.headers.get('set-cookie')]).toEqual([run.id, null]);
      }
    });

    test('before the first synchronization leaves nothing out of it', async () => {
      const before = await visit.service.app.services.store?.repositories.find(web().facts);
      expect(before?.tracked).toBe(false);
      await visit.sync('owner=octo&repo=web');
      const { total } = (await visit.ask('runs?owner=octo&repo=web')).body;
      expect(total).toBe(web().runs.size);
      const again = await visit.sync('owner=octo&repo=web');
      expect(again.at(-1)?.body).toMatchObject({ partial: false, runs_upserted: 0 });
    });

    test('moves no cursor', async () => {
      const through = async () => (await visit.ask('runs?owner=octo&repo=web')).body.synced_through;
      const before = await through();
      visit.service.clock.advance(5 * minute);
      await post(delivered(runEvent(web(), fresh())));
      expect(await through()).toBe(before);
      expect(before).not.toBeNull();
    });

    test('under an old name changes nothing that is known of a repository', async () => {
      const facts = web().facts;
      const old = { ...web(), facts: { ...facts, repo: 'former', private: !facts.private, archived: true } };
      const run = fresh();
      expect((await post(delivered(runEvent(old, run)))).body.run_id).toBe(run.id);
      const known = await visit.service.app.services.store?.repositories.find(facts);
      expect(known).toMatchObject({ repo: 'web', private: facts.private, archived: false, tracked: true });
      expect(await stored(run.id)).toMatchObject({ repo: 'octo/web' });
    });

    test('of a stranger with a name that is taken leaves the name to its owner', async () => {
      const { store } = visit.service.app.services;
      const stranger = { ...web(), facts: { ...web().facts, id: 99_001 } };
      const run = { ...latest(5011), id: nextId++ };
      expect((await post(delivered(runEvent(stranger, run)))).body.run_id).toBe(run.id);
      expect((await store?.repositories.find(web().facts))?.tracked).toBe(true);
      expect((await store?.repositories.find({ id: 99_001 }))?.tracked).toBe(false);
      expect(await stored(run.id)).toBeUndefined();
      expect((await store?.repositories.tracked('octo'))?.map(({ repo }) => repo)).toEqual(['web']);
    });
  });

  describe('one that cannot be stored', () => {
    test('is rejected by its field, and the others that came with it are stored', async () => {
      const runs = Array.from({ length: 12 }, () => fresh());
      const answers = await Promise.all(
        runs.map((run, index) => post(delivered(runEvent(web(), index === 7 ? { ...run, runNumber: 2 ** 40 } : run)))),
      );
      expect(answers.map(({ status }) => status)).toEqual(runs.map((_, index) => (index === 7 ? 400 : 200)));
      expectFields(answers[7] as (typeof answers)[number], ['workflow_run.run_number', 'invalid']);
      for (const [index, run] of runs.entries()) expect((await stored(run.id)) === undefined).toBe(index === 7);
    });
  });

  describe('without its database', () => {
    test('is rejected with 503 and not remembered, so that it can be delivered again', async () => {
      const url = await given.address();
      const service = await startService({ ...env, DATABASE_URL: url });
      const sent = delivered(runEvent(web(), fresh()));
      const request = { body: sent.body, headers: sent.headers };
      const back = await takeAway(service, url);
      const answers = await Promise.all([1, 2, 3].map(() => service.ask('POST', path, request)));
      for (const answer of answers) expectProblem(answer, 503, 'db_unavailable');
      const again = await back();
      expect((await again.ask('POST', path, request)).body).toMatchObject({ ok: true, action: 'completed' });
      expect((await again.ask('POST', path, request)).body).toEqual({ ok: true, duplicate: true });
      await again.close();
      // Making a folder for the embedded database may take long on a busy machine.
    });
  });

  /** Makes the database unreachable; what is answered brings it back, for the same process or, embedded, a new one. */
  async function takeAway(service: Service, url: string): Promise<() => Promise<Service>> {
    if (given.name === 'embedded') {
      await service.app.services.store?.close();
      return async () => {
        await service.close();
        return startService({ ...env, DATABASE_URL: url });
      };
    }
    const { pathname, searchParams } = new URL(url);
    const name = pathname.slice(1);
    const admin = new pg.Client({ host: searchParams.get('host') ?? '', user: 'postgres', database: 'postgres' });
    await admin.connect();
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    return async () => {
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
      return service;
    };
  }
});
