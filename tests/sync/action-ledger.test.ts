import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionLedger } from '../../jobs/action-ledger.ts';
import { runJob } from '../../jobs/run-job.ts';
import type { Services } from '../../server/access/context.ts';
import type { Platform } from '../../server/codehost/changes/client.ts';
import { Problem } from '../../server/platform/problem.ts';
import { runActionLedger } from '../../server/sync/action-ledger/run.ts';
import { addRule, servicesOf } from '../alerts/stage.ts';
import { shaOf } from '../codehost-double/delivery-builders.ts';
import type { DoubleRef } from '../codehost-double/refs.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { trackAll } from '../jobs/night.ts';
import { aDatabase } from '../support/a-database.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { day, hour } from './stage.ts';

const never = new AbortController().signal;
const [one, two, evil] = ['one', 'two', 'evil'].map(shaOf) as [string, string, string];

const using = (...uses: string[]) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${uses.map((use) => `      - uses: ${use}\n`).join('')}`;
const composite = (...used: string[]) =>
  `runs:\n  using: composite\n  steps:\n${used.map((one) => `    - uses: ${one}\n`).join('')}`;
const script = 'runs: {using: node24, main: a.js}';
/** Wherever the tests name actions and workflows. */
const files = new Map([
  ...['', 'sub/', 'Init/', 'analyze/'].map((folder) => [`${folder}action.yml`, script] as const),
  ['.github/workflows/ci.yml', 'on: workflow_call\njobs: {}\n'],
]);
const withFile = (ref: DoubleRef, path: string, text: string): DoubleRef => ({
  ...ref,
  files: new Map([[path, text]]),
});
const calling = (workflow: string) => `on: push\njobs:\n  call:\n    uses: ${workflow}\n`;

aDatabase((given) => {
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
  const tag = (name: string, ...commits: string[]): DoubleRef => ({ kind: 'tags', name, commits, files });
  const branch = (name: string, ...commits: string[]): DoubleRef => ({ kind: 'heads', name, commits, files });

  /** One night later, the job. Answers what it did, and the requests it took. */
  async function night(
    connect: Services['connect'] = service.app.services.connect,
    laterMs = day,
    scanner = service.app.services.scanner,
  ) {
    service.clock.advance(laterMs);
    service.double.requests.length = 0;
    const slot = new Date(service.clock.now()).toISOString();
    const end = await runJob(
      actionLedger,
      { ...service.app.services, connect, scanner },
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
  const alarms = async (actionKey: string) => {
    const refs = await store().actionLedger.refsInUse(1000);
    return Object.fromEntries(
      refs.flatMap((one) => (one.actionKey === actionKey ? [[one.ref, one.history.at(-1)?.alarm]] : [])),
    );
  };

  test('one row for each change of what is used, and for what is unchanged no request but that for advisories', async () => {
    service.double.addRepository({ name: 'some/tool', facts: { id: 701 }, refs: [tag('v1', one), tag('v1.0.0', one)] });
    service.double.addRepository({ name: 'some/flows', facts: { id: 702 }, refs: [tag('v2', one)] });
    await add('octo/first', using('some/tool@v1', 'some/tool/sub@v1', `some/tool@${one}`, './local', 'docker://a:1'));
    await add('octo/second', using('Some/Tool@v1', 'some/tool@v1.0.0'));
    put('octo/second', 'call.yml', calling('some/flows/.github/workflows/ci.yml@v2'));

    const first = await night();
    expect(first).toMatchObject({ status: 'done', summary: { repositories: 2, changed: 2, failed: 0, refs: 3 } });
    expect(first.requests).toEqual([
      'WorkflowTrees',
      'WorkflowFilesOfRepositories',
      'RefTargets',
      'ActionFiles',
      'AllActionAdvisories',
    ]);
    expect(await ledger()).toEqual({
      'some/tool@v1': [[one, null]],
      'some/tool@v1.0.0': [[one, null]],
      'some/flows@v2': [[one, null]],
    });

    const second = await night();
    expect(second).toMatchObject({ status: 'done', summary: { changed: 0, refs: 3 } });
    expect(second.requests).toEqual(['WorkflowTrees', 'RefTargets', 'AllActionAdvisories']);
    expect(Object.values(await ledger()).map((rows) => rows.length)).toEqual([1, 1, 1]);

    setRefs('some/tool', tag('v1', two, one), tag('v1.0.0', evil), branch('next', two, one));
    const third = await night();
    expect(third.summary).toMatchObject({ changed: 0, compared: 2 });
    expect(third.requests.toSorted()).toEqual([
      'ActionFiles',
      'AllActionAdvisories',
      'OnDefaultBranch',
      'RefTargets',
      'RefsThatLead',
      'WorkflowTrees',
      'repos/compare-commits-with-basehead',
      'repos/compare-commits-with-basehead',
    ]);
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
    expect((await night()).requests).toEqual(['WorkflowTrees', 'RefTargets', 'AllActionAdvisories']);

    setRefs('some/tool', tag('v1', two, one));
    put('octo/first', 'ci.yml', using('some/tool@v1'));
    const last = await night();
    expect(last.requests).toEqual([
      'WorkflowTrees',
      'WorkflowFilesOfRepositories',
      'RefTargets',
      'AllActionAdvisories',
    ]);
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
    const rule = { scope: 'repo:octo/third', metric: 'action_tags_moved', threshold: 1 };
    await addRule(servicesOf(service.app), rule);
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
    // It fired in the night of the move, and not again.
    const events = await store().alertEvents.list(10, 'octo/third');
    expect(events).toMatchObject([{ value: 1, details: { action: 'planted/tool', ref: 'v3', why: 'rewritten' } }]);
    service.double.addRepository({ name: 'planted/tool', facts: { id: 711 }, refs: [tag('v3', two)] });
    repositoryOf(service.double.world, 'planted/gear').formerNames = [];
    await night();
    expect((await ledger())['planted/tool@v3']?.at(-1)).toEqual([two, 'rewritten']);
    expect(await alarms('planted/tool')).toEqual({ v3: 'other_repository' });
    // Taken over once more, at the same commit.
    service.double.rename('planted/tool', 'planted/other');
    repositoryOf(service.double.world, 'planted/other').formerNames = [];
    service.double.addRepository({ name: 'planted/tool', facts: { id: 712 }, refs: [tag('v3', two)] });
    await night();
    expect((await ledger())['planted/tool@v3']?.slice(-2)).toEqual([
      [two, 'rewritten'],
      [two, 'rewritten'],
    ]);
    const taken = (await store().actionLedger.refsInUse(1000)).find(({ actionKey }) => actionKey === 'planted/tool');
    expect(taken?.history.map(({ codehostId, repository }) => [codehostId, repository])).toEqual([
      [710, 'planted/gear'],
      [710, 'planted/gear'],
      [710, 'planted/gear'],
      [711, 'planted/tool'],
      [712, 'planted/tool'],
    ]);
  });

  test('a repository that was never seen is unreadable; one that was, is not visible', async () => {
    service.double.addRepository({ name: 'hidden/seen', facts: { id: 720 }, refs: [tag('v1', one)] });
    await add('octo/fourth', using('hidden/never@v1', 'hidden/seen@v1'));
    await night();
    service.double.setVisibility('hidden/seen', 'private');
    await night();
    expect(await ledger()).toMatchObject({
      'hidden/never@v1': [['unreadable', null]],
      'hidden/seen@v1': [
        [one, null],
        ['repository_gone', null],
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

  /** The platform, of which some requests fail. */
  const failing =
    (toFailing: (platform: Platform) => Partial<Platform>): Services['connect'] =>
    (token, options) => {
      const platform = service.app.services.connect(token, options);
      return { ...platform, ...toFailing(platform) };
    };
  const away = () => Promise.reject(new Problem('upstream_unavailable', 'GitHub is not responding properly.'));

  test('a request that fails every night concerns nothing else', async () => {
    const both = (...commits: string[]): DoubleRef[] => [tag('v1', ...commits), branch('v9.0.0', ...commits)];
    for (const [index, name] of ['bad/tool', 'good/tool'].entries())
      service.double.addRepository({
        name,
        facts: { id: 901 + index },
        refs: [...both(one), branch('main2', two, one)],
      });
    await add('octo/sixth', using('bad/tool@v1', 'bad/tool@v9.0.0', 'good/tool@v1'));
    await night();

    const withoutTrees = await night(failing(() => ({ workflowTrees: away })));
    expect(withoutTrees).toMatchObject({ status: 'done', summary: { changed: 0, unreadable: 1 } });
    expect(withoutTrees.summary?.failed).toBe(withoutTrees.summary?.repositories);
    expect(withoutTrees.requests).toContain('RefTargets');

    for (const name of ['bad/tool', 'good/tool']) setRefs(name, ...both(two, one), branch('main2', two, one));
    const withoutComparison = await night(
      failing(({ compareCommits }) => ({
        compareCommits: (name, ...commits) => (name.owner === 'bad' ? away() : compareCommits(name, ...commits)),
      })),
    );
    expect(withoutComparison).toMatchObject({ status: 'done', summary: { compared: 1, not_compared: 2 } });
    expect((await ledger())['bad/tool@v1']?.at(-1)).toEqual([two, null]);

    const withoutBatch = await night(
      failing(({ refTargets }) => ({
        refTargets: (questions) => (questions.some(({ owner }) => owner === 'bad') ? away() : refTargets(questions)),
      })),
    );
    expect(withoutBatch).toMatchObject({ status: 'done', summary: { compared: 2, not_compared: 0 } });
    expect((await ledger())['bad/tool@v1']?.at(-1)).toEqual(['unreadable', null]);
    // What was asked in one request with it was asked again without it.
    expect((await ledger())['good/tool@v1']?.at(-1)).toEqual([two, 'forward']);
    expect(withoutBatch.summary).toMatchObject({ unreadable: 3 });
    const sixth = repositoryOf(service.double.world, 'octo/sixth').facts;
    const uses = await store().actionInventory.presentUses([sixth.id]);
    expect(uses.find(({ ref }) => ref === 'v9.0.0')).toMatchObject({ isBranch: true });

    expect(await night(failing(() => ({ refTargets: away })))).toMatchObject({ status: 'failed' });
    expect(await night()).toMatchObject({ status: 'done' });
  });

  test('a move is rewritten where the commit before is gone, and not known where the new one is not shown', async () => {
    service.double.addRepository({ name: 'lost/tool', facts: { id: 905 }, refs: [tag('v1', one), tag('v2', one)] });
    await add('octo/lost', using('lost/tool@v1', 'lost/tool@v2'));
    await night();
    setRefs('lost/tool', tag('v1', two), tag('v2', two));
    const hidden = failing(({ compareCommits }) => ({
      // The repository has passed out of sight between the two questions.
      compareCommits: (_, ...commits) => compareCommits({ owner: 'lost', repo: 'nowhere' }, ...commits),
    }));
    expect((await night(hidden)).summary).toMatchObject({ compared: 0, not_compared: 2 });
    expect((await ledger())['lost/tool@v1']?.at(-1)).toEqual([two, null]);
    // No ref leads to the first commit any more. It is tried again as long as moves are counted.
    expect((await night(undefined, 40 * day)).summary).toMatchObject({ compared: 2, not_compared: 0 });
    // After weeks without an observation the same commit is a row of its own.
    for (const name of ['lost/tool@v1', 'lost/tool@v2'])
      expect((await ledger())[name]).toEqual([
        [one, null],
        [two, 'rewritten'],
        [two, null],
      ]);
  });

  test('a file that was not scanned for want of time is read again', async () => {
    service.double.addRepository({ name: 'slow/tool', facts: { id: 910 }, refs: [tag('v1', one)] });
    await add('octo/seventh', using('slow/tool@v1'));
    const { scanner } = service.app.services;
    const slow = { ...scanner, run: async () => ({ state: 'timeout', ms: 600, waitedMs: 0 }) as const };
    expect((await night(undefined, day, slow)).summary).toMatchObject({ changed: 1, failed: 1 });
    expect(Object.keys(await ledger())).not.toContain('slow/tool@v1');
    expect((await night()).summary).toMatchObject({ changed: 1, failed: 0 });
    expect((await ledger())['slow/tool@v1']).toEqual([[one, null]]);
  });

  test('what a process saw that was left behind is not written', async () => {
    const find = async () =>
      (await store().actionLedger.refsInUse(100)).find(({ actionKey }) => actionKey === 'good/tool');
    const before = await find();
    await night();
    const { history, ...ref } = (await find()) as NonNullable<typeof before>;
    const at = service.clock.now() + hour;
    const nothing = { commit: null, tagObject: null, codehostId: null, repository: null, alarm: null, judgedAt: null };
    const row = { ...nothing, observedFrom: at, observedTo: at, state: 'gone' } as const;
    await store().actionLedger.observe([
      {
        refId: ref.id,
        repository: null,
        isBranch: null,
        lastObservedTo: before?.history.at(-1)?.observedTo ?? null,
        row: { ...row, previousCommit: two, moveClass: 'gone' },
      },
    ]);
    expect((await find())?.history).toEqual(history);
  });

  test('paths, kinds and images are told apart, and the ref of a repository is observed once', async () => {
    const image = `node@sha256:${'a'.repeat(64)}`;
    service.double.addRepository({
      name: 'path/tool',
      facts: { id: 920 },
      refs: [tag('v1', one), branch('next', two)],
    });
    await add(
      'octo/eighth',
      using('path/tool/Init@v1', 'path/tool/analyze@v1', 'path/tool@heads/next', 'docker://a/b'),
    );
    put(
      'octo/eighth',
      'other.yml',
      `${calling('path/tool/.github/workflows/ci.yml@v1')}  test:\n    container: ${image}\n    services: {db: {image: 'postgres:18'}}\n`,
    );
    expect((await night()).summary).toMatchObject({ changed: 1, failed: 0 });
    const used = await store().actionInventory.presentUses([
      repositoryOf(service.double.world, 'octo/eighth').facts.id,
    ]);
    expect(used.map(({ actionKey, path, kind, ref }) => [actionKey, path, kind, ref]).sort()).toEqual([
      ['docker://a/b', '', 'image', 'latest'],
      ['docker://node', '', 'image', `sha256:${'a'.repeat(64)}`],
      ['docker://postgres', '', 'image', '18'],
      ['path/tool', '', 'action', 'heads/next'],
      ['path/tool', '.github/workflows/ci.yml', 'reusable_workflow', 'v1'],
      ['path/tool', 'Init', 'action', 'v1'],
      ['path/tool', 'analyze', 'action', 'v1'],
    ]);
    expect(used.find(({ ref }) => ref === 'heads/next')).toMatchObject({ isBranch: true });
    const rows = Object.entries(await ledger()).filter(([name]) => /^path|^docker/.test(name));
    expect(Object.fromEntries(rows)).toEqual({
      'path/tool@v1': [[one, null]],
      'path/tool@heads/next': [[two, null]],
    });
    expect((await night()).summary).toMatchObject({ changed: 0 });
    const again = await store().actionInventory.presentUses([
      repositoryOf(service.double.world, 'octo/eighth').facts.id,
    ]);
    expect(again).toEqual(used);
  });

  test('a release is read once for each commit of its tag, and weekly while it is not immutable', async () => {
    const release = (id: number, name: string, more: object = {}) => ({ id, tag: name, createdAt: 0, ...more });
    const refs = [tag('v1', one), tag('v2', one), tag('v3', two, one), branch('next', two, one)];
    service.double.addRepository({ name: 'free/tool', facts: { id: 930 }, refs });
    service.double.putRelease('free/tool', release(1, 'v1', { isImmutable: true }));
    service.double.putRelease('free/tool', release(2, 'v2'));
    await add('octo/ninth', using('free/tool@v1', 'free/tool@refs/tags/v2', 'free/tool@v3'));
    const reads = async () => (await night()).requests.filter((one) => one === 'repos/get-release').length;
    expect(await reads()).toBe(2);
    const found = await store().actionLedger.releases(['free/tool']);
    expect(found.map(({ tag: name, commit, immutable }) => [name, commit, immutable]).sort()).toEqual([
      ['v1', one, true],
      ['v2', one, false],
    ]);
    for (let nights = 0; nights < 6; nights++) expect(await reads()).toBe(0);
    expect(await reads()).toBe(1);
    // The platform says that such a tag cannot move; one that is on no branch is no maintainer's.
    setRefs('free/tool', tag('v1', two, one), tag('v2', one), tag('v3', evil, two, one), branch('next', two, one));
    await night();
    expect(await alarms('free/tool')).toEqual({ v1: 'immutable_release', 'refs/tags/v2': null, v3: 'on_no_branch' });
  });

  test('a night reads twenty releases, the longest not read first, and says nothing of the rest', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `v${index + 1}`);
    service.double.addRepository({ name: 'free/many', facts: { id: 931 }, refs: names.map((name) => tag(name, one)) });
    for (const [index, name] of names.entries())
      service.double.putRelease('free/many', { id: 100 + index, tag: name, createdAt: 0 });
    await add('octo/many', using(...names.map((name) => `free/many@${name}`)));
    const reads = async () => (await night()).requests.filter((one) => one === 'repos/get-release').length;
    const known = async () => (await store().actionLedger.releases(['free/many'])).length;
    const seen: [number, number][] = [];
    for (let nights = 0; nights < 3; nights++) seen.push([await reads(), await known()]);
    expect(seen.map(([, count]) => count)).toEqual([20, 40, 45]);
    expect(Math.max(...seen.map(([count]) => count))).toBeLessThanOrEqual(20);
    const at = new Map(
      (await store().actionLedger.releases(['free/many'])).map(({ tag: name, seenAt }) => [name, seenAt]),
    );
    for (let nights = 0; nights < 4; nights++) await reads();
    expect(await reads()).toBe(20);
    const again = await store().actionLedger.releases(['free/many']);
    const readNow = again
      .filter(({ tag: name, seenAt }) => seenAt !== at.get(name))
      .map(({ tag: name }) => at.get(name) ?? 0);
    const left = again.filter(({ tag: name, seenAt }) => seenAt === at.get(name)).map(({ seenAt }) => seenAt);
    expect(Math.max(...readNow)).toBeLessThanOrEqual(Math.min(...left));
  });

  test('releases that cannot be read keep no other one from being read, and are tried again', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `v${index + 1}`);
    service.double.addRepository({ name: 'free/ill', facts: { id: 932 }, refs: names.map((name) => tag(name, one)) });
    for (const [index, name] of names.entries())
      service.double.putRelease('free/ill', { id: 200 + index, tag: name, createdAt: 0 });
    await add('octo/ill', using(...names.map((name) => `free/ill@${name}`)));
    const tried: number[] = [];
    const connect = failing(({ release }) => ({
      release: (name, id) => {
        if (name.repo !== 'ill') return release(name, id);
        tried.push(id);
        return id < 225 ? away() : release(name, id);
      },
    }));
    for (let nights = 0; nights < 2; nights++) await night(connect);
    expect(new Set(tried).size).toBe(30);
    const found = await store().actionLedger.releases(['free/ill']);
    expect(found.filter(({ immutable }) => immutable !== null)).toHaveLength(5);
    for (let nights = 0; nights < 6; nights++) await night(connect);
    expect(tried.filter((id) => id === 200).length).toBeGreaterThan(1);
    expect(tried.filter((id) => id === 229)).toHaveLength(1);
    put('octo/ill', 'ci.yml', using('free/ill@v1'));
    await night();
  });

  test('what composite actions and called workflows use in turn is read once for each commit, and recorded', async () => {
    const expression = `\${{ github.x }}/y@v1`;
    const [c1, c2, c3, c4] = ['c1', 'c2', 'c3', 'c4'].map(shaOf) as [string, string, string, string];
    const addAction = (name: string, id: number, ...refs: DoubleRef[]) =>
      service.double.addRepository({ name, facts: { id }, refs });
    addAction(
      'turn/outer',
      940,
      withFile(tag('v1', c1), 'sub/action.yml', composite('turn/inner@v1', './local', 'docker://i:1')),
    );
    addAction(
      'turn/inner',
      941,
      withFile(tag('v1', c2), 'action.yaml', composite(`turn/last@v1`, 'turn/outer/sub@v1')),
    );
    addAction('turn/last', 942, withFile(tag('v1', c3), 'action.yml', script));
    const flow = '.github/workflows/flow.yml';
    addAction('turn/flows', 943, withFile(tag('v1', c4), flow, using('turn/last@v1', expression)));
    await add('octo/tenth', using('turn/outer/sub@v1'));
    put('octo/tenth', 'call.yml', calling(`turn/flows/${flow}@v1`));
    const first = await night();
    expect(first).toMatchObject({ status: 'done' });
    const counted = (requests: readonly (string | null)[], name: string) =>
      requests.filter((one) => one === name).length;
    // A level at a time: files, then where the refs in them lead.
    expect(counted(first.requests, 'ActionFiles')).toBe(2);
    const id = repositoryOf(service.double.world, 'octo/tenth').facts.id;
    const used = async () =>
      (await store().actionInventory.presentUses([id])).map(({ actionKey, through }) => [actionKey, through]).sort();
    const expected = [
      ['docker://i', 'turn/outer/sub@v1'],
      ['turn/flows', ''],
      ['turn/inner', 'turn/outer/sub@v1'],
      ['turn/last', `turn/flows/${flow}@v1`],
      ['turn/last', 'turn/outer/sub@v1'],
      ['turn/outer', ''],
    ];
    expect(await used()).toEqual(expected);
    const [read] = await store().actionInventory.lookedAt([id]);
    expect(read?.unknownUses.toSorted((one, other) => (one.reason < other.reason ? -1 : 1))).toEqual([
      { reason: 'expression', text: expression, through: `turn/flows/${flow}@v1`, privateSources: [] },
      { reason: 'local_action', text: './local', through: 'turn/outer/sub@v1', privateSources: [] },
    ]);
    expect((await ledger())['turn/last@v1']).toEqual([[c3, null]]);
    const second = await night();
    expect(counted(second.requests, 'ActionFiles')).toBe(0);
    expect(await used()).toEqual(expected);
    // The new commit is read, and a ref that is no longer used in turn is not any more.
    repositoryOf(service.double.world, 'turn/inner').refs = [
      withFile(tag('v1', shaOf('c5'), c2), 'action.yml', script),
    ];
    expect(counted((await night()).requests, 'ActionFiles')).toBe(1);
    expect(await used()).toEqual(
      expected.filter(([key, through]) => key !== 'turn/last' || through !== 'turn/outer/sub@v1'),
    );
  });

  const usesOf = async (name: string) => {
    const id = repositoryOf(service.double.world, name).facts.id;
    const [read] = await store().actionInventory.lookedAt([id]);
    const uses = await store().actionInventory.presentUses([id]);
    return { uses: uses.map(({ actionKey, through }) => [actionKey, through]).sort(), unknown: read?.unknownUses };
  };

  test('what is used in turn is observed in the night in which the workflow files changed, and its move judged', async () => {
    const [before, after] = ['inner before', 'inner after'].map(shaOf) as [string, string];
    const outer = withFile(tag('v1', shaOf('outer')), 'action.yml', composite('chain/inner@v1'));
    service.double.addRepository({ name: 'chain/outer', facts: { id: 950 }, refs: [outer] });
    service.double.addRepository({ name: 'chain/inner', facts: { id: 951 }, refs: [tag('v1', before)] });
    await add('octo/eleventh', using('chain/outer@v1'));
    await night();
    setRefs('chain/inner', tag('v1', after), branch('old', before));
    put('octo/eleventh', 'ci.yml', using('chain/outer@v1', `chain/inner/sub@${before}`));
    expect(await night()).toMatchObject({ status: 'done' });
    expect((await ledger())['chain/inner@v1']).toEqual([
      [before, null],
      [after, 'rewritten'],
    ]);
  });

  test('one look that brings nothing leaves what is used in turn, and a file that cannot be read is listed', async () => {
    const expected = await usesOf('octo/eleventh');
    expect(expected.uses).toContainEqual(['chain/inner', 'chain/outer@v1']);
    const withoutChain = await night(
      failing(({ refTargets }) => ({
        refTargets: (questions) => (questions.some(({ owner }) => owner === 'chain') ? away() : refTargets(questions)),
      })),
    );
    expect(withoutChain).toMatchObject({ status: 'done' });
    expect((await ledger())['chain/outer@v1']?.at(-1)).toEqual(['unreadable', null]);
    expect(await usesOf('octo/eleventh')).toEqual(expected);

    const next = withFile(tag('v1', shaOf('outer 2'), shaOf('outer')), 'action.yml', composite('chain/inner@v1'));
    setRefs('chain/outer', next);
    expect(await night(failing(() => ({ actionFiles: away })))).toMatchObject({ status: 'partial' });
    expect((await usesOf('octo/eleventh')).unknown).toEqual([
      { reason: 'unreadable_action', text: 'chain/outer@v1', through: 'chain/outer@v1', privateSources: [] },
    ]);
    expect(await night()).toMatchObject({ status: 'done' });
    expect(await usesOf('octo/eleventh')).toEqual(expected);
  });

  test('a commit that one repository has not is read in another', async () => {
    const commit = shaOf('of one alone');
    service.double.addRepository({ name: 'fork/tool', facts: { id: 960 }, refs: [tag('v1', one)] });
    const own = withFile(branch('next', commit), 'action.yml', composite('chain/inner@v1'));
    service.double.addRepository({ name: 'real/tool', facts: { id: 961 }, refs: [own] });
    await add('octo/twelfth', using(`fork/tool@${commit}`));
    expect(await night()).toMatchObject({ status: 'done' });
    const through = `fork/tool@${commit}`;
    expect((await usesOf('octo/twelfth')).unknown).toEqual([
      { reason: 'unreadable_action', text: through, through, privateSources: [] },
    ]);
    await add('octo/thirteenth', using(`real/tool@${commit}`));
    await night();
    expect((await usesOf('octo/thirteenth')).uses).toContainEqual(['chain/inner', `real/tool@${commit}`]);
  });

  test('rules are evaluated while there is time, and not where nothing was observed', async () => {
    const { services } = service.app;
    let evaluated = 0;
    const evaluateAfterSync: Services['evaluateAfterSync'] = async (...given) => {
      evaluated += 1;
      return services.evaluateAfterSync(...given);
    };
    const reading = (mayContinue: () => boolean, connect = services.connect) =>
      runActionLedger({
        services: { ...services, connect, evaluateAfterSync },
        signal: never,
        mayContinue,
        until: 0,
        since: null,
      });
    expect(await reading(() => evaluated < 2)).toMatchObject({ complete: false, resumeAt: null });
    expect(evaluated).toBe(2);
    service.clock.advance(day);
    await expect(
      reading(
        () => true,
        failing(() => ({ refTargets: away })),
      ),
    ).rejects.toThrow();
    expect(evaluated).toBe(2);
    await night();
  });

  test('rules about what was observed come before searches, which may be left, and wait for no quota', async () => {
    const { services } = service.app;
    const reading = async (connect = services.connect, left = Number.POSITIVE_INFINITY) => {
      service.clock.advance(day);
      const feeds: string[] = [];
      const evaluateAfterSync: Services['evaluateAfterSync'] = async (_, feed) => {
        feeds.push(feed);
        return { evaluated: 0, fired: 0 };
      };
      const mayContinue = () => feeds.length < left;
      const given = { services: { ...services, connect, evaluateAfterSync }, signal: never, mayContinue };
      const { complete, resumeAt } = await runActionLedger({ ...given, until: 0, since: null });
      return { complete, resumeAt, feeds };
    };
    const repositories = await store().repositories.countTracked();
    const each = (feed: string) => Array.from({ length: repositories }, () => feed);
    expect((await reading()).feeds).toEqual([...each('actions'), ...each('exposure')]);
    const all = await reading();
    const cut = await reading(undefined, repositories + 1);
    expect(cut).toEqual({ ...all, feeds: [...each('actions'), 'exposure'] });
    const limited = new Problem('upstream_rate_limited', 'GitHub gives nothing for now.');
    const spent = await reading(failing(() => ({ actionAdvisories: () => Promise.reject(limited) })));
    expect(spent).toMatchObject({ complete: false, feeds: all.feeds });
    expect(spent.resumeAt).toBeGreaterThan(service.clock.now());
  });

  test('refs that were not looked at for longest come first', async () => {
    const last = (await store().actionLedger.refsInUse(100)).map(({ history }) => history.at(-1)?.observedTo ?? 0);
    expect(last).toEqual(last.toSorted((a, b) => a - b));
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

test('a daily call of another scheduler that comes earlier than the day before is not skipped', async () => {
  const CRON_SECRET = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';
  const service = await startService({
    DATABASE_URL: anyDatabase,
    CODEHOST_TOKEN: 'token-ann',
    SCHEDULER: 'external',
    CRON_SECRET,
  });
  const call = async () => {
    await service.ask('GET', '/api/cron/sync', { headers: { authorization: `Bearer ${CRON_SECRET}` } });
    await service.app.services.background.ended();
    return (await service.app.services.store?.jobRuns.latest(actionLedger.name, 9))?.length;
  };
  const untilHalfPastFive = 5.5 * hour - (service.clock.now() % day) + day;
  service.clock.advance(untilHalfPastFive);
  expect(await call()).toBe(1);
  service.clock.advance(23 * hour);
  expect(await call()).toBe(2);
  service.clock.advance(23 * hour);
  expect(await call()).toBe(3);
  await service.close();
});
