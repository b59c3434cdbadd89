import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionLedger } from '../../../jobs/action-ledger.ts';
import { runJob } from '../../../jobs/run-job.ts';
import type { Services } from '../../../server/access/context.ts';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { trackAll } from '../../jobs/night.ts';
import { aJob, aRun } from '../../metrics/worlds.ts';
import { eachDatabase } from '../../support/database.ts';
import { openFile } from '../../support/open-file.ts';
import { type Service, startService } from '../../support/service.ts';
import { day, hour } from '../../sync/stage.ts';

const [good, evil] = ['good', 'evil'].map(shaOf) as [string, string];
const using = (...uses: string[]) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${uses.map((use) => `      - uses: ${use}\n`).join('')}`;

eachDatabase((given) => {
  let service: Service;
  let start: number;
  const store = () => service.app.services.store as NonNullable<Services['store']>;
  const ask = (query: string, as = 'token-ann') =>
    service.ask('GET', `/api/exposure/search?org=octo&name=some/tool${query}`, { as });
  const window = (more = '') =>
    `&from=${new Date(start).toISOString()}&to=${new Date(start + 2 * day).toISOString()}${more}`;
  const point = (...commits: string[]) => {
    repositoryOf(service.double.world, 'some/tool').refs = [{ kind: 'tags', name: 'v1', commits }];
  };
  const night = async () => {
    service.clock.advance(day);
    const slot = { slot: String(service.clock.now()), trigger: 'http', stopping: AbortSignal.any([]) } as const;
    expect((await runJob(actionLedger, service.app.services, slot))?.status).toBe('done');
  };
  const add = async (name: string, text: string, isPrivate = false) => {
    const visibility = isPrivate ? 'private' : 'public';
    service.double.addRepository({ name, facts: { private: isPrivate, visibility } });
    service.double.putWorkflowFile(name, '.github/workflows/ci.yml', text);
    await trackAll(service.double, store(), [name], service.clock.now());
  };
  const known = async (name: string) => {
    const found = await store().repositories.find(repositoryOf(service.double.world, name).facts);
    if (!found) throw new Error(`${name} is not known.`);
    return found;
  };
  /** Runs of a repository, so many hours after the window began. */
  const run = async (name: string, firstId: number, ...hours: number[]) => {
    const runs = hours.map((at, index) =>
      aRun({ id: firstId + index, runNumber: index + 1, createdAt: start + at * hour }),
    );
    await store().runs.ingest((await known(name)).id, runs, { syncedAt: service.clock.now() });
    return runs;
  };

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated(), CODEHOST_TOKEN: 'token-ann' });
    service.double.addRepository({ name: 'some/tool', refs: [] });
    point(good);
    await add('octo/tagged', using('some/tool@v1'));
    await add('octo/hidden', using('some/tool@v1'), true);
    await add('octo/pinned', using(`some/tool@${good}`));
    await add('octo/other', using('actions/checkout@v6'));
    await add('octo/quiet', using('some/tool@v1'));
    await night();
    start = service.clock.now() + hour;
    await night();
    point(evil, good);
    await night();
    await run('octo/tagged', 100, -30, 3, 40);
    await run('octo/hidden', 200, 4);
    await run('octo/pinned', 300, 5);
    await run('octo/other', 400, 6);
    service.clock.advance(day);
    await service.ask('POST', '/api/db/sync?owner=octo&repo=quiet', { as: 'token-ann' });
    await service.app.services.background.ended();
  });
  afterAll(() => service?.close());

  test('what used the tag is possibly affected, and nothing is cleared without a proof', async () => {
    const { status, body } = await ask(window('&ref=v*'));
    expect(status).toBe(200);
    const verdicts = Object.fromEntries(
      body.repositories.map(({ repo, verdict }: { repo: string; verdict: string }) => [repo, verdict]),
    );
    expect(verdicts).toMatchObject({
      'octo/tagged': 'possible',
      'octo/hidden': 'possible',
      'octo/pinned': 'unknown',
      'octo/other': 'unknown',
    });
    expect(body.totals).toMatchObject({
      attempts: { proven: 0, possible: 3, unknown: 2, no: 0 },
      first_use: new Date(start + 3 * hour).toISOString(),
      last_use: new Date(start + 40 * hour).toISOString(),
    });
    expect(body.repositories[0]).toMatchObject({ verdict: 'possible', direct: true, refs: ['v1'], proof: null });
    expect(body.coverage.reasons).toEqual(expect.arrayContaining(['runs_gap', 'files_unread', 'logs_unread']));
    expect(body.not_checked).toContainEqual({ reason: 'log_unread', attempts: 3 });
  });

  test('a short SHA is refused, since another commit may begin with it', async () => {
    for (const [query, field] of [
      ['@0E58ed8', 'name'],
      ['@v1,some/tool@0e58ed8', 'name'],
      ['&ref=v1,1234567', 'ref'],
      ['@20241301', 'name'],
      ['&ref=0e58ed8*', 'ref'],
    ] as const) {
      const answer = await ask(query);
      expectFields(answer, [field, 'invalid']);
      expect(answer.body.details.fields[0].message).toMatch(/short SHA .*write all 40 digits/);
    }
    for (const query of [
      '@refs/tags/1234567',
      '@20240101',
      '@v1,some/tool@202401011530',
      '&ref=20240101',
      '@v1',
      '&ref=refs/heads/deadbee',
      '@4',
    ])
      expect((await ask(query)).status).toBe(200);
    const { body } = await ask(`@${evil.toUpperCase()}`);
    expect(body.suspects[0].match).toEqual([{ type: 'sha', value: evil }]);
    expect(
      (await service.ask('GET', '/api/exposure/search?org=octo&kind=image&name=tool@0e58ed8', { as: 'token-ann' }))
        .status,
    ).toBe(200);
  });

  test('a pin that a digest alone is listed of is said to be in use', async () => {
    const { body } = await ask(`&digest=sha256:${'d'.repeat(64)}`);
    expect(body.repositories.find(({ repo }: { repo: string }) => repo === 'octo/pinned')).toMatchObject({
      default_branch_uses_now: true,
    });
  });

  test('a repository without runs then is cleared where its list of runs was read beyond that time', async () => {
    const { body } = await ask(window('&ref=v1'));
    const quiet = body.repositories.find(({ repo }: { repo: string }) => repo === 'octo/quiet');
    expect(quiet).toMatchObject({ verdict: 'no', proof: { kind: 'N0' }, reasons: [] });
    const open = await ask('&ref=v1');
    expect(open.body.repositories.find(({ repo }: { repo: string }) => repo === 'octo/quiet')).toMatchObject({
      verdict: 'unknown',
      reasons: ['coverage'],
    });
  });

  test('of several each attempt has the worst verdict, with the name that it is about', async () => {
    const several = (names: string, more = '') =>
      service.ask('GET', `/api/exposure/search?org=octo&name=${names}${window(more)}`, { as: 'token-ann' });
    const one = (await ask(window('&ref=v1'))).body;
    const { status, body } = await several('nobody/uses,some/tool@v1');
    expect(status).toBe(200);
    expect(body.totals).toEqual(one.totals);
    expect(body.suspects).toMatchObject([
      { name: 'nobody/uses', match: [{ type: 'any' }] },
      { name: 'some/tool', match: [{ type: 'ref', value: 'v1' }] },
    ]);
    for (const { verdict, suspect } of body.uses)
      expect(suspect).toBe(verdict === 'possible' ? 'some/tool' : 'nobody/uses');
    const twice = await several(`some/tool@${good},some/tool@${evil},Some/Tool@v9`);
    expect(twice.body.suspects).toMatchObject([
      { match: [{ value: good }, { value: evil }, { type: 'ref', value: 'v9' }] },
    ]);
    const tooMany = Array.from({ length: 51 }, (_, index) => `a/b${index}`).join(',');
    expectProblem(await several(tooMany), 400, 'invalid_request');
  });

  test('the ledger tells how likely it is', async () => {
    const { body } = await ask(window(`&sha=${evil}&repo=octo/tagged`));
    expect(body.uses).toMatchObject([
      { verdict: 'possible', likelihood: 'likely', run: { id: 102 }, log_state: 'unread' },
      { verdict: 'possible', run: { id: 101, started_at: new Date(start + 3 * hour).toISOString() } },
    ]);
    expect(body.uses[1].reasons).toEqual(['between_observations', 'log_unread', 'unreadable_file']);
    expect(body.total).toBe(2);
  });

  test('a pin is in reach of every ref unless its commit was seen before', async () => {
    const { body } = await ask(`${window()}&repo=octo/pinned`);
    expect(body.suspects[0].match).toEqual([{ type: 'any', value: null }]);
    expect(body.uses).toMatchObject([{ verdict: 'unknown', reasons: ['unreadable_file'] }]);
    const pinned = await ask(`${window(`&sha=${good}`)}&repo=octo/pinned`);
    expect(pinned.body.uses).toMatchObject([{ verdict: 'possible' }]);
    const usesNow = async (query: string) =>
      (await ask(window(query))).body.repositories.flatMap((one: { repo: string; default_branch_uses_now: boolean }) =>
        one.default_branch_uses_now ? one.repo : [],
      );
    expect(await usesNow(`&sha=${evil}`)).not.toContain('octo/pinned');
    expect(await usesNow(`&sha=${good}`)).toContain('octo/pinned');
    expect(await usesNow('&ref=v2')).not.toContain('octo/tagged');
  });

  test('an attempt of which no job began is cleared', async () => {
    const { id, runNumber, createdAt } = aRun({ id: 500, runNumber: 4, createdAt: start + 10 * hour });
    const { facts } = repositoryOf(service.double.world, 'octo/tagged');
    await store().runs.ingest(
      (await known('octo/tagged')).id,
      [aRun({ id, runNumber, createdAt, conclusion: 'skipped' })],
      {
        syncedAt: service.clock.now(),
      },
    );
    const skip = (job: number, conclusion: 'skipped' | 'success') =>
      aJob({ id: job, runId: id, createdAt, conclusion, runnerName: null });
    const readJobs = (...jobs: ReturnType<typeof skip>[]) =>
      store().jobs.attempts.store(facts, [{ runId: id, attempt: 1, detail: 'full', jobs }], service.clock.now());
    const verdict = async () =>
      (await ask(window('&ref=v1&repo=octo/tagged'))).body.uses.find(
        (use: { run: { id: number } }) => use.run.id === id,
      );
    expect(await verdict()).toMatchObject({ verdict: 'possible' });
    await readJobs(skip(1, 'skipped'), skip(2, 'skipped'));
    expect(await verdict()).toMatchObject({ verdict: 'no', proof: { kind: 'N3' } });
  });

  test('who does not see a repository finds nothing of it, in totals and the table neither', async () => {
    const { body } = await ask(window('&ref=v1'), 'token-bo');
    expect(body.repositories.map(({ repo }: { repo: string }) => repo)).not.toContain('octo/hidden');
    const seen = await ask(window('&ref=v1'));
    expect(seen.body.totals.attempts.possible - body.totals.attempts.possible).toBe(1);
    const csv = await ask(window('&ref=v1&format=csv'), 'token-bo');
    expect(csv.text.split('\r\n')[0]).toContain('repo,suspect,verdict,likelihood,reasons,proof,proof_detail,run.id');
    expect(csv.text).not.toContain('octo/hidden');
    const repositories = await ask(window('&ref=v1&format=csv&table=repositories'), 'token-bo');
    const [head, ...rows] = repositories.text.trimEnd().split('\r\n');
    expect(head).toBe(
      'repo,verdict,likelihood,reasons,proof,proof_detail,attempts.proven,attempts.possible,attempts.unknown,attempts.no,direct,through,refs,first_use,last_use,default_branch_uses_now,secrets,all_secrets',
    );
    expect(rows.length).toBe((await ask(window('&ref=v1'), 'token-bo')).body.repositories.length);
    expect(repositories.text).not.toContain('octo/hidden');
    expect((await ask(window('&ref=v1&repo=octo/hidden'), 'token-bo')).body.uses).toEqual([]);
    const sarif = await ask(window('&ref=v1&format=sarif'), 'token-bo');
    expect(sarif.text).not.toContain('octo/hidden');
    expect(JSON.parse(sarif.text).runs[0].results).toHaveLength(body.uses.length);
  });

  test('SARIF has a rule for each suspect, a result for each attempt, and what could not be checked', async () => {
    const query = '&ref=v1';
    const { uses, coverage } = (await ask(window(query))).body;
    const { text } = await ask(window(`${query}&format=sarif`));
    const log = JSON.parse(text);
    const [run] = log.runs;
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ automationDetails: { id: 'exposure/' } }] });
    expect(run.tool.driver.rules).toMatchObject([{ id: 'some/tool' }]);
    const kinds = {
      proven: ['fail', 'error'],
      possible: ['fail', 'warning'],
      unknown: ['open', 'none'],
      no: ['pass', 'none'],
    };
    expect(run.results.map(({ kind, level, ruleId }: Record<string, string>) => [kind, level, ruleId])).toEqual(
      uses.map(({ verdict }: { verdict: keyof typeof kinds }) => [...kinds[verdict], 'some/tool']),
    );
    const prints = run.results.map((one: { partialFingerprints: object }) => JSON.stringify(one.partialFingerprints));
    expect(new Set(prints).size).toBe(uses.length);
    expect(
      run.invocations[0].toolExecutionNotifications.map(
        ({ descriptor }: { descriptor: { id: string } }) => descriptor.id,
      ),
    ).toEqual(coverage.reasons);
  });

  test('an organization that the platform does not know is not found, wherever it is asked for', async () => {
    const of = (path: string) => service.ask('GET', `/api/exposure/${path}`, { as: 'token-ann' });
    expectProblem(await of('search?org=nobody&name=some/tool'), 404, 'not_found');
    expectProblem(await of('search?org=nobody&name=some/tool&format=csv'), 404, 'not_found');
    expectProblem(await of('actions?org=nobody'), 404, 'not_found');
  });

  test('filters choose attempts and leave the totals, and nothing is requested of the platform but the list', async () => {
    const all = (await ask(window('&ref=v1'))).body;
    service.double.requests.length = 0;
    const { body } = await ask(window('&ref=v1&verdict=unknown&limit=1&page=2'));
    expect(body).toMatchObject({ totals: all.totals, total: 2, page: 2, pages: 2 });
    expect(body.uses).toHaveLength(1);
    expect(service.double.requests.filter(({ operation }) => operation?.startsWith('actions/'))).toEqual([]);
    expectProblem(await ask('&from=2026-03-02&to=2026-03-01'), 400, 'invalid_request');
    expectProblem(await ask('&from=2025-01-01&to=2026-03-01'), 400, 'invalid_request');
  });

  test('both ends of the time are known before it is searched, and a time that is not kept is refused', async () => {
    const now = service.clock.now();
    const iso = (at: number) => new Date(at).toISOString();
    const kept = { from: iso(now - 400 * day), to: iso(now) };
    expect((await ask('')).body.window).toEqual(kept);
    expect((await ask(`&from=${kept.from}&to=${iso(now + day)}`)).body.window).toEqual(kept);
    const bad = [`&to=${iso(now - 401 * day)}`, `&from=${iso(now - 401 * day)}`, `&from=${iso(now + hour)}`];
    for (const query of bad) expectProblem(await ask(query), 400, 'invalid_request');
  });

  test('a file of all pages lacks no attempt when a verdict changes while it is sent', async () => {
    const { id, runNumber, createdAt } = aRun({ id: 600, runNumber: 5, createdAt: start + 45 * hour });
    const late = aRun({ id, runNumber, createdAt, conclusion: 'skipped' });
    await store().runs.ingest((await known('octo/tagged')).id, [late], { syncedAt: service.clock.now() });
    const whole = (await ask(window('&ref=v1&format=csv'))).text;
    const file = (more: string) =>
      `/api/exposure/search?org=octo&name=some/tool${window('&ref=v1&format=csv&csv_pages=all')}${more}`;
    const [head, , ...others] = whole.split('\r\n');
    const second = await service.ask('GET', file('&limit=1&page=2'), { as: 'token-ann' });
    expect(second.text.split('\r\n')).toEqual([head, ...others]);
    const opened = await openFile(service, file('&limit=1'), 'token-ann');
    const begun = await opened.next();
    // It goes to the end of the list, and the rows behind it onto pages that were sent.
    const jobs = [aJob({ id: 61, runId: id, createdAt, conclusion: 'skipped', runnerName: null })];
    const { facts } = repositoryOf(service.double.world, 'octo/tagged');
    await store().jobs.attempts.store(facts, [{ runId: id, attempt: 1, detail: 'full', jobs }], service.clock.now());
    expect((await ask(window('&ref=v1&format=csv'))).text).not.toBe(whole);
    expect(begun + (await opened.rest()).join('')).toBe(`\ufeff${whole}`);
  });
});
