import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionLedger } from '../../jobs/action-ledger.ts';
import { runJob } from '../../jobs/run-job.ts';
import type { Services } from '../../server/access/context.ts';
import { shaOf } from '../codehost-double/delivery-builders.ts';
import type { DoubleRef } from '../codehost-double/refs.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { trackAll } from '../jobs/night.ts';
import { eachDatabase } from '../support/database.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { day, hour } from './stage.ts';

const never = new AbortController().signal;
const [one, two, evil] = ['one', 'two', 'evil'].map(shaOf) as [string, string, string];

const using = (...uses: string[]) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${uses.map((use) => `      - uses: ${use}\n`).join('')}`;
const calling = (workflow: string) => `on: push\njobs:\n  call:\n    uses: ${workflow}\n`;

eachDatabase((given) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated(), CODEHOST_TOKEN: 'token-ann' });
  });
  afterAll(() => service?.close());

  const store = () => service.app.services.store as NonNullable<Services['store']>;
  const put = (name: string, path: string, text: string) =>
    service.double.putWorkflowFile(name, `.github/workflows/${path}`, text);
  const add = async (name: string, text: string) => {
    service.double.addRepository({ name });
    put(name, 'ci.yml', text);
    await trackAll(service.double, store(), [name], service.clock.now());
  };
  const setRefs = (name: string, ...refs: DoubleRef[]) => {
    repositoryOf(service.double.world, name).refs = refs;
  };
  const tag = (name: string, ...commits: string[]): DoubleRef => ({ kind: 'tags', name, commits });

  /** One night later, the job. Answers what it did, and the requests it took. */
  async function night(connect: Services['connect'] = service.app.services.connect, laterMs = day) {
    service.clock.advance(laterMs);
    service.double.requests.length = 0;
    const slot = new Date(service.clock.now()).toISOString();
    const end = await runJob(
      actionLedger,
      { ...service.app.services, connect },
      { slot, trigger: 'http', stopping: never },
    );
    const requests = service.double.requests.map(({ operation }) => operation);
    return {
      status: end?.status,
      error: end?.error,
      resumeAt: end?.outcome?.resumeAt,
      summary: end?.outcome?.summary,
      requests,
    };
  }

  async function ledger() {
    const refs = await store().actionLedger.refsInUse(100);
    return Object.fromEntries(
      refs.map(({ actionKey, ref, history }) => [
        `${actionKey}@${ref}`,
        history.map(({ state, commit, moveClass }) => [commit ?? state, moveClass]),
      ]),
    );
  }

  test('one row for each change of what is used, and no request for what is unchanged', async () => {
    service.double.addRepository({ name: 'some/tool', facts: { id: 701 }, refs: [tag('v1', one), tag('v1.0.0', one)] });
    service.double.addRepository({ name: 'some/flows', facts: { id: 702 }, refs: [tag('v2', one)] });
    await add('octo/first', using('some/tool@v1', 'some/tool/sub@v1', `some/tool@${one}`, './local', 'docker://a:1'));
    await add('octo/second', using('Some/Tool@v1', 'some/tool@v1.0.0'));
    put('octo/second', 'call.yml', calling('some/flows/.github/workflows/ci.yml@v2'));

    const first = await night();
    expect(first).toMatchObject({ status: 'done', summary: { repositories: 2, changed: 2, failed: 0, refs: 3 } });
    expect(first.requests).toEqual(['WorkflowTrees', 'WorkflowFilesOfRepositories', 'RefTargets']);
    expect(await ledger()).toEqual({
      'some/tool@v1': [[one, null]],
      'some/tool@v1.0.0': [[one, null]],
      'some/flows@v2': [[one, null]],
    });

    const second = await night();
    expect(second).toMatchObject({ status: 'done', summary: { changed: 0, refs: 3 } });
    expect(second.requests).toEqual(['WorkflowTrees', 'RefTargets']);
    expect(Object.values(await ledger()).map((rows) => rows.length)).toEqual([1, 1, 1]);

    setRefs('some/tool', tag('v1', two, one), tag('v1.0.0', evil));
    const third = await night();
    expect(third.summary).toMatchObject({ changed: 0, compared: 2 });
    expect(await ledger()).toMatchObject({
      'some/tool@v1': [
        [one, null],
        [two, 'forward'],
      ],
      'some/tool@v1.0.0': [
        [one, null],
        [evil, 'rewritten'],
      ],
    });
    // What was compared is never compared again.
    expect((await night()).requests).toEqual(['WorkflowTrees', 'RefTargets']);

    setRefs('some/tool', tag('v1', two, one));
    put('octo/first', 'ci.yml', using('some/tool@v1'));
    const last = await night();
    expect(last.requests).toEqual(['WorkflowTrees', 'WorkflowFilesOfRepositories', 'RefTargets']);
    expect((await ledger())['some/tool@v1.0.0']?.at(-1)).toEqual(['gone', 'gone']);
  });

  test('tags that move at their instants, are written anew and belong to a renamed repository are followed', async () => {
    const at = service.clock.now();
    const planted = (afterMs: number, ...refs: DoubleRef[]) => ({
      at: at + afterMs,
      happen: () => setRefs('planted/gear', ...refs),
    });
    service.double.addRepository({ name: 'planted/tool', facts: { id: 710 }, refs: [tag('v3', one)] });
    await add('octo/third', using('planted/tool@v3'));
    service.double.rename('planted/tool', 'planted/gear');
    service.double.world.planted = [
      planted(1.5 * day, tag('v3', evil)),
      planted(2.2 * day, { ...tag('v3', one), object: shaOf('signed') }),
    ];
    for (let nights = 0; nights < 4; nights++) await night();
    expect((await ledger())['planted/tool@v3']).toEqual([
      [one, null],
      [evil, 'rewritten'],
      [one, 'back'],
    ]);
    service.double.addRepository({ name: 'planted/tool', facts: { id: 711 }, refs: [tag('v3', two)] });
    repositoryOf(service.double.world, 'planted/gear').formerNames = [];
    await night();
    expect((await ledger())['planted/tool@v3']?.at(-1)).toEqual([two, 'rewritten']);
  });

  test('a repository that was never seen is unreadable; one that was, is gone', async () => {
    service.double.addRepository({ name: 'hidden/seen', facts: { id: 720 }, refs: [tag('v1', one)] });
    await add('octo/fourth', using('hidden/never@v1', 'hidden/seen@v1'));
    await night();
    service.double.setVisibility('hidden/seen', 'private');
    await night();
    expect(await ledger()).toMatchObject({
      'hidden/never@v1': [['unreadable', null]],
      'hidden/seen@v1': [
        [one, null],
        ['repository_gone', 'gone'],
      ],
    });
  });

  test('killed between two writes and run again, the job leaves the rows that it would have left', async () => {
    for (let index = 0; index < 25; index++)
      service.double.addRepository({ name: `many/tool-${index}`, facts: { id: 800 + index }, refs: [tag('v1', one)] });
    await add('octo/fifth', using(...Array.from({ length: 25 }, (_, index) => `many/tool-${index}@v1`)));
    await night();
    for (let index = 0; index < 25; index++) setRefs(`many/tool-${index}`, tag('v1', two, one));
    let asked = 0;
    const dying: Services['connect'] = (token, options) => {
      const platform = service.app.services.connect(token, options);
      return {
        ...platform,
        refTargets: (questions) => {
          if (asked++ > 0) throw new Error('killed');
          return platform.refTargets(questions);
        },
      };
    };
    expect((await night(dying)).status).toBe('failed');
    expect(await night(undefined, hour)).toMatchObject({ status: 'done' });
    const rows = Object.entries(await ledger()).filter(([name]) => name.startsWith('many/'));
    expect(rows).toHaveLength(25);
    for (const [, row] of rows)
      expect(row).toEqual([
        [one, null],
        [two, 'forward'],
      ]);
  });

  test('a spent quota is waited for, and what was looked at before stays', async () => {
    service.clock.advance(day);
    service.double.budgets.setRemaining('ann', 'graphql', 900);
    const end = await night(undefined, 0);
    expect(end).toMatchObject({ status: 'partial' });
    expect(end.resumeAt).toBeGreaterThan(service.clock.now());
  });
});

test('where another scheduler calls, the ledger of the day goes with the nightly synchronization, once', async () => {
  const CRON_SECRET = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';
  const service = await startService({
    DATABASE_URL: anyDatabase,
    CODEHOST_TOKEN: 'token-ann',
    SCHEDULER: 'external',
    CRON_SECRET,
  });
  const call = () => service.ask('GET', '/api/cron/sync', { headers: { authorization: `Bearer ${CRON_SECRET}` } });
  const rows = async () => (await service.app.services.store?.jobRuns.latest(actionLedger.name, 5)) ?? [];
  expect((await call()).status).toBe(200);
  await service.app.services.background.ended();
  expect(await rows()).toMatchObject([{ status: 'done' }]);
  expect((await call()).status).toBe(200);
  await service.app.services.background.ended();
  expect(await rows()).toHaveLength(1);
  await service.close();
});
