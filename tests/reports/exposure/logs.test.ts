import { afterAll, beforeAll, expect, test } from 'vitest';
import { logDownloads } from '../../../jobs/log-downloads.ts';
import { runJob } from '../../../jobs/run-job.ts';
import type { Services } from '../../../server/access/context.ts';
import { provenExposure } from '../../../server/alerts/exposure-metrics.ts';
import { judge } from '../../../server/alerts/judge.ts';
import { measureNow } from '../../../server/alerts/metric.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { expectProblem } from '../../api/endpoints.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { trackAll } from '../../jobs/night.ts';
import { dated, download, immutablePackage, jobLines } from '../../metrics/security/log-text.ts';
import { aJob, aRun } from '../../metrics/worlds.ts';
import { eachDatabase } from '../../support/database.ts';
import { type Service, startService } from '../../support/service.ts';
import { day, hour, minute } from '../../sync/stage.ts';

const [good, evil] = ['good', 'evil'].map(shaOf) as [string, string];

eachDatabase((given) => {
  let service: Service;
  let start: number;
  let runNumber = 0;
  const store = () => service.app.services.store as NonNullable<Services['store']>;
  const window = () => ({ from: new Date(start).toISOString(), to: new Date(start + day).toISOString() });
  const question = (more: object = {}): Record<string, string> => {
    const given = { org: 'octo', name: 'some/tool', sha: evil, ...window(), ...more };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  };
  const ask = async (more: object = {}) => {
    const query = new URLSearchParams(question({ repo: 'octo/app', ...more }));
    return (await service.ask('GET', `/api/exposure/search?${query}`, { as: 'token-ann' })).body;
  };
  const want = (more: object = {}) =>
    service.ask('POST', '/api/exposure/logs', { as: 'token-ann', body: question({ repo: 'octo/app', ...more }) });
  const readLogs = async () => {
    const slot = { slot: String(service.clock.now()), trigger: 'http', stopping: AbortSignal.any([]) } as const;
    const ended = await runJob(logDownloads, service.app.services, slot);
    expect(ended?.status).toBe('done');
    service.clock.advance(minute);
    return ended?.outcome?.summary.attempts;
  };
  /** A run with jobs, an hour after the window began, and with the lines that each of them wrote. */
  const run = async (id: number, jobs: (string[] | 'expired' | 'skipped')[]) => {
    const createdAt = start + hour;
    const end = createdAt + 5 * minute;
    runNumber += 1;
    const repository = repositoryOf(service.double.world, 'octo/app');
    const stored = aRun({ id, runNumber, createdAt, startedAt: createdAt, updatedAt: end });
    service.double.putRun('octo/app', stored as never);
    const made = jobs.map((log, index) =>
      aJob({
        id: id * 100 + index,
        runId: id,
        name: `job ${index}`,
        createdAt,
        startedAt: createdAt,
        completedAt: end,
        conclusion: log === 'skipped' ? 'skipped' : 'success',
      }),
    );
    service.double.putJobs('octo/app', id, 1, made);
    for (const [index, log] of jobs.entries())
      if (log !== 'skipped')
        service.double.putLog(
          'octo/app',
          id * 100 + index,
          log === 'expired' ? log : dated(log, createdAt, (5 * minute) / log.length).join('\n'),
        );
    const known = await store().repositories.find(repository.facts);
    await store().runs.ingest(known?.id ?? 0, [stored], { syncedAt: service.clock.now() });
  };
  const useOf = async (id: number, more: object = {}) =>
    (await ask(more)).uses.find((use: { run: { id: number } }) => use.run.id === id);

  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await given.migrated(),
      CODEHOST_TOKEN: 'token-ann',
      SCHEDULER: 'external',
    });
    service.double.addRepository({ name: 'octo/app', facts: { private: false, visibility: 'public' } });
    await trackAll(service.double, store(), ['octo/app'], service.clock.now());
    start = service.clock.now() - day;
    const [bad, clean] = [download('some/tool@v1', evil), download('some/tool@v1', good)];
    await run(1, [jobLines({ downloads: [clean] }), jobLines({ downloads: [bad] })]);
    await run(2, [jobLines({ downloads: [clean] }), 'skipped']);
    await run(3, [jobLines({ downloads: [clean] }), 'expired']);
    await run(4, [jobLines({ downloads: [clean], steps: ['secret-in-a-log', bad] })]);
    await run(5, [jobLines({ downloads: [] })]);
  });
  afterAll(() => service?.close());

  test('before logs are read, the plan says what it takes', async () => {
    const { logs, coverage, totals } = await ask();
    expect(logs).toEqual({ readable: 5, next: 5, requests_at_least: 15, waiting: 0, read: 0, can_read: true });
    expect(coverage.reasons).toContain('logs_unread');
    expect(totals.attempts).toMatchObject({ proven: 0, no: 0 });
    expect((await ask({ verdict: 'possible' })).logs).toMatchObject({ readable: 0, next: 0, requests_at_least: 0 });
  });

  test('who asks for logs has them read in the background, two requests for each attempt and one for each log', async () => {
    service.double.requests.length = 0;
    const answer = await want();
    expect(answer).toMatchObject({ status: 200, body: { ok: true, wanted: 5, left: 0 } });
    expect(service.double.requests.filter(({ operation }) => operation?.startsWith('actions/'))).toEqual([]);
    expect((await ask()).logs).toMatchObject({ readable: 0, waiting: 5 });
    service.double.requests.length = 0;
    expect(await readLogs()).toBe(5);
    expect(service.double.spent('core')).toBe(2 * 5 + 7);
    expect(service.double.violations).toEqual([]);
    expect((await ask()).logs).toMatchObject({ waiting: 0, read: 4 });
  });

  test('a log proves that the compromised commit was downloaded, or clears the run, each with its proof', async () => {
    expect(await useOf(1)).toMatchObject({
      verdict: 'proven',
      log_state: 'kept',
      proof: { kind: 'log_line', detail: `Job job 1: The log names some/tool@v1 at ${evil}.` },
      run: { id: 1 },
    });
    expect(await useOf(2)).toMatchObject({ verdict: 'no', proof: { kind: 'N1' }, log_state: 'kept' });
    expect(await useOf(5)).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    expect(await useOf(3)).toMatchObject({ verdict: 'unknown', log_state: 'expired' });
    expect(await useOf(4)).toMatchObject({ verdict: 'unknown', log_state: 'kept' });
    const { totals, repositories } = await ask();
    expect(totals.attempts).toEqual({ proven: 1, possible: 0, unknown: 2, no: 2 });
    expect(totals.first_use).toBe(new Date(start + hour).toISOString());
    expect(repositories.find((one: { repo: string }) => one.repo === 'octo/app')).toMatchObject({ verdict: 'proven' });
  });

  test('a called workflow is named by the record of the run', async () => {
    service.double.putCalled('octo/app', 6, 1, [{ path: 'Some/Flows/.github/workflows/ci.yml@main', sha: evil }]);
    await run(6, [jobLines({ downloads: [] })]);
    const flows = { name: 'some/flows' };
    await want(flows);
    await readLogs();
    expect(await useOf(6, flows)).toMatchObject({
      verdict: 'proven',
      proof: {
        kind: 'referenced_workflow',
        detail: `The record of the run names some/flows/.github/workflows/ci.yml@main at ${evil}.`,
      },
    });
    expect(await useOf(2, flows)).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    expect(await useOf(6, { name: 'other/flows', sha: good })).toMatchObject({ verdict: 'no' });
  });

  test('where the platform does not say what a run called, its log clears it of no called workflow', async () => {
    service.double.putCalled('octo/app', 60, 1, null);
    await run(60, [jobLines({ downloads: [] })]);
    const flows = { name: 'some/flows' };
    await want(flows);
    await readLogs();
    expect((await useOf(60, flows)).verdict).toBe('unknown');
    expect(await useOf(60, { ...flows, kind: 'action' })).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
  });

  test('a proof leaves out a name that whoever asks is not known to see', async () => {
    const named = expect.stringContaining(`names it under another name at ${evil}.`);
    const { uses } = await ask({ name: 'other/tool', verdict: 'proven' });
    expect(uses).toHaveLength(2);
    for (const use of uses) expect(use.proof).toMatchObject({ detail: named });
  });

  test('one that goes on after it was read is read again: what was proven stays, what was cleared does not', async () => {
    for (const id of [1, 2]) {
      const run = service.double.completeRun('octo/app', id, 'success', start + 2 * hour);
      const known = await store().repositories.find(repositoryOf(service.double.world, 'octo/app').facts);
      await store().runs.ingest(known?.id ?? 0, [run], { syncedAt: service.clock.now() });
    }
    expect(await useOf(1)).toMatchObject({ verdict: 'proven', log_state: 'unread' });
    expect(await useOf(2)).toMatchObject({ verdict: 'unknown', log_state: 'unread' });
    const stillThere = aJob({
      id: 200,
      runId: 2,
      name: 'job 0',
      createdAt: start + hour,
      startedAt: start + hour,
      completedAt: start + hour + 5 * minute,
    });
    service.double.putJobs('octo/app', 2, 1, [stillThere, { ...stillThere, id: 201, name: 'job 1' }]);
    for (const job of [100, 101, 200, 201]) service.double.putLog('octo/app', job, 'expired');
    await want();
    service.double.requests.length = 0;
    await readLogs();
    // What was read to its end is not requested again.
    expect(service.double.requests.filter(({ path }) => path.endsWith('/jobs/200/logs'))).toEqual([]);
    expect(await useOf(1)).toMatchObject({ verdict: 'proven' });
    expect(await useOf(2)).toMatchObject({ verdict: 'unknown', log_state: 'expired' });
  });

  test('nothing that a step wrote is stored', async () => {
    const stored = await Promise.all([
      store().exposure.logsOf([1, 2, 3, 4, 5]),
      store().exposure.allDownloads([100, 101, 400]),
    ]);
    expect(JSON.stringify(stored)).toContain(evil);
    expect(JSON.stringify(stored)).not.toContain('secret-in-a-log');
  });

  test('23: a log names an immutable package by its digest, which proves it and clears no other', async () => {
    const digest = `sha256:${'d'.repeat(64)}`;
    const lines = immutablePackage('some/package@v1', good);
    await run(40, [jobLines({ downloads: lines })]);
    await run(41, [jobLines({ downloads: lines.map((line) => line.replace(digest, digest.replace(/d/g, 'e'))) })]);
    const asked = { name: 'some/package', sha: '', digest };
    await want(asked);
    await readLogs();
    expect(await useOf(40, asked)).toMatchObject({
      verdict: 'proven',
      proof: { kind: 'log_line', detail: `Job job 0: The log names some/package@v1 at ${digest}.` },
    });
    expect((await useOf(41, asked)).verdict).toBe('unknown');
  });

  test('runs that a saved search proves are counted by an alert as soon as their logs are read', async () => {
    const repository = await store().repositories.find(repositoryOf(service.double.world, 'octo/app').facts);
    const watched = shaOf('watched');
    const view = new URLSearchParams({ name: 'some/watched', sha: watched, ...window() });
    const now = service.clock.now();
    const measure = () =>
      measureNow(
        provenExposure,
        { repoId: repository?.id ?? 0, defaultBranch: 'main', people: createPeople(), now, windowHours: 24 },
        store(),
      );
    const none = { value: null, sample: 0, incomplete: 'No saved search could be evaluated.' };
    expect(await measure()).toEqual(none);
    const save = async (name: string, address: string) =>
      expect(await service.ask('POST', '/api/views', { as: 'token-ann', body: { name, address } })).toMatchObject({
        status: 200,
      });
    await save('other', '/org/other/exposure?name=some%2Fwatched');
    await save('not a search', '/org/octo/exposure?name=');
    const address = `/org/Octo/exposure?${view}#runs`;
    expect(await measure()).toEqual(none);
    await save('too long ago', '/org/octo/exposure?name=some%2Fwatched&from=2024-01-01');
    expect(await measure()).toEqual(none);
    await save('watched', address);
    const before = await measure();
    const unknown =
      /^Of \d+\sattempts it is not known\. Not every run of that time is known\. 1\ssaved search could not be evaluated\.$/;
    expect(before).toEqual({ value: 0, sample: before.sample, incomplete: expect.stringMatching(unknown) });
    expect(before.sample).toBeGreaterThan(0);
    const rule = { threshold: 1, minSample: 1, quietHours: 24, lastFiredAt: null };
    expect(judge(rule, before, now), 'none is proven, and none is cleared').toMatchObject({ reason: 'no_data' });
    const fired: string[] = [];
    const { evaluateAfterSync } = service.app.services;
    service.app.services.evaluateAfterSync = async ({ repo }, feed) => {
      if (feed === 'exposure') fired.push(repo);
      return { evaluated: 0, fired: 0 };
    };
    await run(42, [jobLines({ downloads: [download('some/watched@v1', watched)] })]);
    await want({ name: 'some/watched', sha: watched });
    await readLogs();
    service.app.services.evaluateAfterSync = evaluateAfterSync;
    expect(fired).toEqual(['app']);
    expect(await measure()).toEqual({
      value: 1,
      sample: before.sample + 1,
      incomplete: expect.stringMatching(unknown),
      details: { suspect: 'some/watched', run_id: 42, run_number: runNumber, attempt: 1 },
    });
  });

  test('reading logs leaves time for rules, and these are evaluated while there is time', async () => {
    const evaluated: string[] = [];
    const { services } = service.app;
    /** Reads logs, each of which takes so long. */
    const reading = async (eachMs: number) => {
      evaluated.length = 0;
      const connect: Services['connect'] = (token, options) => {
        const platform = services.connect(token, options);
        const ofJob: typeof platform.logs.ofJob = (...asked) => {
          service.clock.advance(eachMs);
          return platform.logs.ofJob(...asked);
        };
        return { ...platform, logs: { ...platform.logs, ofJob } };
      };
      const evaluateAfterSync: Services['evaluateAfterSync'] = async ({ repo }) => {
        evaluated.push(repo);
        return { evaluated: 0, fired: 0 };
      };
      const slot = { slot: String(service.clock.now()), trigger: 'http', stopping: AbortSignal.any([]) } as const;
      return runJob(logDownloads, { ...services, connect, evaluateAfterSync }, slot);
    };
    for (const id of [50, 51]) await run(id, [jobLines({ downloads: [download('some/slow@v1', good)] })]);
    await want({ name: 'some/slow', sha: good });
    expect((await reading(31_000))?.outcome?.summary.attempts).toBe(1);
    expect(evaluated).toEqual(['app']);
    expect((await reading(46_000))?.outcome?.summary.attempts).toBe(1);
    expect(evaluated).toEqual([]);
    service.clock.advance(hour);
  });

  test('where the quota is spent, the rest waits and is read when there is more', async () => {
    await run(7, [jobLines({ downloads: [] })]);
    await want();
    service.double.fault({ path: '/repos/octo/app/actions/jobs/700/logs', times: 1 }, { kind: 'primary_limit' });
    const slot = { slot: 'limited', trigger: 'http', stopping: AbortSignal.any([]) } as const;
    await runJob(logDownloads, service.app.services, slot);
    expect(await useOf(7)).toMatchObject({ log_state: 'waiting' });
    service.clock.advance(2 * hour);
    await readLogs();
    expect(await useOf(7)).toMatchObject({ verdict: 'no', log_state: 'kept' });
  });

  test('logs that will never be there are not offered again', async () => {
    const readableBefore = (await ask()).logs.readable;
    await run(8, [jobLines({ downloads: [] })]);
    await run(9, [jobLines({ downloads: [] })]);
    service.double.putJobs('octo/app', 9, 1, []);
    repositoryOf(service.double.world, 'octo/app').logs.delete(800);
    const known = await store().repositories.find(repositoryOf(service.double.world, 'octo/app').facts);
    const deleted = aRun({ id: 10, runNumber: 99, createdAt: start + hour, startedAt: start + hour });
    await store().runs.ingest(known?.id ?? 0, [deleted], { syncedAt: service.clock.now() });
    expect((await ask()).logs.readable).toBe(readableBefore + 3);
    await want();
    await readLogs();
    const { uses } = await ask();
    const states = uses.map((use: { run: { id: number }; log_state: string }) => [use.run.id, use.log_state]);
    expect(states).toEqual(expect.arrayContaining([8, 9, 10].map((id) => [id, 'missing'])));
    expect((await ask()).logs).toMatchObject({ readable: readableBefore, waiting: 0 });
  });

  test('logs are not asked for in vain', async () => {
    const { body } = await want({ name: 'nobody/uses-this' });
    expect(body.wanted).toBe(0);
    expectProblem(await want({ name: 'nothing' }), 400, 'invalid_request');
    const csv = await service.ask('GET', `/api/exposure/search?${new URLSearchParams(question({ format: 'csv' }))}`, {
      as: 'token-ann',
    });
    expect(csv.text).toContain('log_line');
  });

  test('what is searched by a former name is asked for once, and its present name counts', async () => {
    service.double.addRepository({ name: 'new/maker' });
    repositoryOf(service.double.world, 'new/maker').formerNames = ['old/maker'];
    const renamed = { name: 'old/maker', sha: '', ref: 'v1' };
    await run(20, [jobLines({ downloads: [download('new/maker@v1', evil)] })]);
    await want(renamed);
    await readLogs();
    service.double.requests.length = 0;
    const found = await useOf(20, renamed);
    expect(found).toMatchObject({ verdict: 'possible', reasons: ['commit_not_known'] });
    const asked = () => service.double.requests.filter(({ path }) => /maker|repositories\/\d/.test(path));
    // The redirect of the platform is followed.
    expect(asked().length).toBeLessThanOrEqual(2);
    service.double.requests.length = 0;
    expect((await ask(renamed)).suspects[0].names).toEqual(['old/maker', 'new/maker']);
    expect(asked()).toEqual([]);
    // Of a name that nobody has, any other name may be one.
    expect(await useOf(20, { name: 'lost/maker', sha: '', ref: 'v1' })).toMatchObject({ verdict: 'unknown' });
    expect(await useOf(2, { name: 'lost/maker', sha: '', ref: 'v1' })).toMatchObject({ verdict: 'unknown' });
  });

  test('11: jobs that a re-run of the failed ones takes over count in the attempt in which they ran', async () => {
    service.clock.advance(hour);
    const createdAt = start + hour;
    const times = { createdAt, startedAt: createdAt, completedAt: createdAt + 5 * minute };
    const later = { createdAt, startedAt: createdAt + hour, completedAt: createdAt + hour + 5 * minute };
    const jobs = {
      green: aJob({ id: 6000, runId: 60, name: 'green', ...times }),
      failed: aJob({ id: 6001, runId: 60, name: 'failed', conclusion: 'failure', ...times }),
      again: aJob({ id: 6002, runId: 60, name: 'failed', ...later }),
    };
    const lines = (commit: string, at: number) => {
      const all = jobLines({ downloads: [download('some/rerun@v1', commit)] });
      return dated(all, at, (5 * minute) / all.length).join('\n');
    };
    for (const [id, commit, at] of [
      [6000, evil, createdAt],
      [6001, good, createdAt],
      [6002, good, createdAt + hour],
    ] as const)
      service.double.putLog('octo/app', id, lines(commit, at));
    runNumber += 1;
    const known = await store().repositories.find(repositoryOf(service.double.world, 'octo/app').facts);
    const attempts = [
      { attempt: 1, startedAt: createdAt, updatedAt: createdAt + 5 * minute, conclusion: 'failure' as const },
      { attempt: 2, startedAt: createdAt + hour, updatedAt: createdAt + hour + 5 * minute },
    ];
    for (const one of attempts) {
      const stored = aRun({ id: 60, runNumber, createdAt, ...one });
      service.double.putRun('octo/app', stored as never);
      service.double.putJobs('octo/app', 60, one.attempt, [jobs.green, one.attempt === 1 ? jobs.failed : jobs.again]);
      await store().runs.ingest(known?.id ?? 0, [stored], { syncedAt: service.clock.now() });
    }
    const asked = { name: 'some/rerun' };
    await want(asked);
    await readLogs();
    const { uses } = await ask(asked);
    const own = uses.filter((use: { run: { id: number } }) => use.run.id === 60);
    const found = own.map(({ run: { attempt }, verdict }: { run: { attempt: number }; verdict: string }) => [
      attempt,
      verdict,
    ]);
    expect(Object.fromEntries(found)).toEqual({ 1: 'proven', 2: 'no' });
  });

  test('three requests of an organization are read at a time, and ten of an account in an hour', async () => {
    service.clock.advance(hour);
    const asked = [];
    for (const id of [30, 31, 32]) {
      await run(id, [jobLines({ downloads: [] })]);
      asked.push(new Date(service.clock.now()).toISOString());
      expect(await want()).toMatchObject({ status: 200, body: { wanted: 1 } });
      service.clock.advance(1000);
    }
    await run(33, [jobLines({ downloads: [] })]);
    const refused = await want();
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.body.details).toEqual({ running: asked.map((at) => ({ requested_at: at })) });
    await readLogs();
    expect(await want()).toMatchObject({ status: 200, body: { wanted: 1 } });
    await readLogs();
    for (let requests = 5; requests < 10; requests++) expect((await want()).status).toBe(200);
    expectProblem(await want(), 429, 'rate_limited');
    service.clock.advance(hour);
    expect((await want()).status).toBe(200);
  });

  test('logs that nobody requested are no request that is under way', async () => {
    const { id } = repositoryOf(service.double.world, 'octo/app').facts;
    for (const runId of [50, 51, 52])
      await store().exposure.wantLogs(id, [{ runId, attempt: 1, endedAt: start }], null);
    expect(await store().exposure.runningRequests('OCTO')).toEqual([]);
    await store().exposure.wantLogs(id, [{ runId: 52, attempt: 1, endedAt: start }], 7);
    expect(await store().exposure.runningRequests('OCTO')).toEqual([7]);
    expect(await store().exposure.runningRequests('other')).toEqual([]);
    await readLogs();
  });

  test('half of the quota is left to the nightly look at refs, and the rest at other hours', async () => {
    await run(34, [jobLines({ downloads: [] })]);
    service.clock.advance(hour);
    await want();
    const atHour = (hours: number) => service.clock.advance((day + hours * hour - (service.clock.now() % day)) % day);
    const left = async (remaining: number) => {
      service.double.budgets.setRemaining('ann', 'core', remaining);
      return readLogs();
    };
    atHour(4.5);
    expect(await left(2400)).toBe(0);
    expect(await useOf(34)).toMatchObject({ log_state: 'waiting' });
    atHour(6.4);
    expect(await left(2400)).toBe(0);
    atHour(6.6);
    expect(await left(2400)).toBeGreaterThan(0);
    expect(await useOf(34)).toMatchObject({ log_state: 'kept' });
    await run(35, [jobLines({ downloads: [] })]);
    await want();
    atHour(5);
    await left(2600);
    expect(await useOf(35)).toMatchObject({ log_state: 'kept' });
  });

  test('who has logs read is written down, and only so many wait', async () => {
    await run(11, [jobLines({ downloads: [] })]);
    await want();
    const wanted = { limit: 1, before: null, categories: null, actor: null, action: 'exposure.logs_requested' };
    const [entry] = await store().audit.list(wanted);
    expect(entry).toMatchObject({
      category: 'access',
      target: 'octo',
      actor: { login: 'ann' },
      after: { name: 'some/tool', sha: [evil], repo: 'octo/app', attempts: 1 },
    });
    const { id } = repositoryOf(service.double.world, 'octo/app').facts;
    const others = Array.from({ length: 5_000 }, (_, index) => ({ runId: 10_000 + index, attempt: 1, endedAt: start }));
    await store().exposure.wantLogs(id, others, null);
    await run(12, [jobLines({ downloads: [] })]);
    expectProblem(await want(), 429, 'rate_limited');
  });
});
