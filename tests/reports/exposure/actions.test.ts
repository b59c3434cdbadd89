import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionLedger } from '../../../jobs/action-ledger.ts';
import { runJob } from '../../../jobs/run-job.ts';
import type { Services } from '../../../server/access/context.ts';
import { expectProblem } from '../../api/endpoints.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import type { DoubleRef } from '../../codehost-double/refs.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { trackAll } from '../../jobs/night.ts';
import { aRun } from '../../metrics/worlds.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';
import { day, hour } from '../../sync/stage.ts';

const [one, two, evil] = ['one', 'two', 'evil'].map(shaOf) as [string, string, string];
const tag = (name: string, ...commits: string[]): DoubleRef => ({ kind: 'tags', name, commits });
const using = (...uses: string[]) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${uses.map((use) => `      - uses: ${use}\n`).join('')}`;

aDatabase((given) => {
  let service: Service;
  const store = () => service.app.services.store as NonNullable<Services['store']>;
  const ask = (query = '', as = 'token-ann') => service.ask('GET', `/api/exposure/actions?org=octo${query}`, { as });
  const history = (name: string, ref: string, as = 'token-ann') =>
    service.ask('GET', `/api/exposure/actions/history?${new URLSearchParams({ org: 'octo', name, ref })}`, { as });
  const night = async () => {
    service.clock.advance(day);
    const start = { slot: String(service.clock.now()), trigger: 'http', stopping: AbortSignal.any([]) } as const;
    expect((await runJob(actionLedger, service.app.services, start))?.status).toBe('done');
  };
  const add = async (name: string, text: string, isPrivate = false) => {
    const visibility = isPrivate ? 'private' : 'public';
    service.double.addRepository({ name, facts: { private: isPrivate, visibility } });
    service.double.putWorkflowFile(name, '.github/workflows/ci.yml', text);
    await trackAll(service.double, store(), [name], service.clock.now());
  };

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated(), CODEHOST_TOKEN: 'token-ann' });
    const { double } = service;
    double.addRepository({ name: 'some/tool', refs: [tag('v1', one), tag('v1.0.0', one)] });
    double.addRepository({ name: 'actions/checkout', refs: [tag('v6', one)] });
    double.addRepository({ name: 'secret/tool', refs: [tag('v1', one)] });
    await add('octo/seen', using('some/tool@v1', 'some/tool@v1.0.0', `some/tool@${one}`, 'actions/checkout@v6'));
    await add('octo/hidden', using('some/tool@v1', 'secret/tool@v1'), true);
  });
  afterAll(() => service?.close());

  test('before the first night there is nothing, and no value is made up', async () => {
    expect((await ask()).body).toMatchObject({
      actions: [],
      totals: { refs: 0, share_pinned_pct: null },
      repositories: { read: 0 },
      ledger: { started_at: null, complete_at: null },
    });
    expect((await ask()).body.totals).toMatchObject({ moves_90d: null, alarming_90d: null, advisories: null });
  });

  test('the inventory shows what is used, how it is pinned, and what has moved', async () => {
    await night();
    repositoryOf(service.double.world, 'some/tool').refs = [
      tag('v1', two, one),
      tag('v1.0.0', evil),
      { kind: 'heads', name: 'next', commits: [two, one] },
    ];
    await night();
    const { body } = await ask();
    expect(body.totals).toEqual({
      actions: 3,
      refs: 5,
      uses: 6,
      share_pinned_pct: 16.7,
      third_party_unpinned: 3,
      moves_90d: 2,
      alarming_90d: 1,
      not_compared_90d: 0,
      advisories: 0,
    });
    expect(body.repositories).toMatchObject({ read: 2, unread_files: 0 });
    expect(body.ledger).toMatchObject({ refs: 4, unreadable: 0 });
    expect(body.actions.map(({ name }: { name: string }) => name)).toEqual([
      'some/tool',
      'secret/tool',
      'actions/checkout',
    ]);
    const [tool] = body.actions;
    expect(tool).toMatchObject({ kind: 'action', publisher: 'third_party', repositories: 2, workflows: 4 });
    expect(tool.refs).toMatchObject([
      { ref: 'v1.0.0', pin: 'version_tag', commit: evil, last_move: { class: 'rewritten', alarming: true, from: one } },
      { ref: 'v1', pin: 'major_tag', commit: two, repositories: 2, last_move: { class: 'forward', alarming: false } },
      { ref: one, pin: 'sha', commit: one, state: null, last_move: null },
    ]);
    expect(body.actions[2]).toMatchObject({ publisher: 'platform' });
  });

  test('filters choose rows and leave the totals; a page is a page', async () => {
    const { body } = await ask('&pin=sha');
    expect(body.actions).toMatchObject([{ name: 'some/tool', refs: [{ ref: one }] }]);
    expect(body.totals.refs).toBe(5);
    expect((await ask('&q=SECRET')).body.actions).toHaveLength(1);
    expect((await ask('&kind=reusable_workflow')).body.actions).toEqual([]);
    expect((await ask('&limit=1&page=2')).body).toMatchObject({ actions: [{ name: 'secret/tool' }], pages: 3 });
    const csv = await ask('&format=csv');
    expect(csv.text.split('\r\n')[0]).toContain('name,kind,publisher,ref,commit,pin,state');
    expect(csv.text.trim().split('\r\n')).toHaveLength(6);
  });

  test('an owner chooses actions, and they are sorted as asked', async () => {
    const names = async (query: string) => (await ask(query)).body.actions.map(({ name }: { name: string }) => name);
    expect(await names('&owner=Actions')).toEqual(['actions/checkout']);
    expect(await names('&sort=name')).toEqual(['actions/checkout', 'secret/tool', 'some/tool']);
    expect((await names('&sort=repositories'))[0]).toBe('some/tool');
  });

  test('who does not see a repository finds nothing of it, in totals neither', async () => {
    const { body } = await ask('', 'token-bo');
    expect(body.totals).toMatchObject({ actions: 2, refs: 4, uses: 4 });
    expect(body.actions.map(({ name }: { name: string }) => name)).not.toContain('secret/tool');
    expectProblem(await history('secret/tool', 'v1', 'token-bo'), 404, 'not_found');
    expect((await history('some/tool', 'v1', 'token-bo')).body.used_by).toMatchObject([{ repo: 'octo/seen' }]);
  });

  test('the history of a ref has its observations and who uses it', async () => {
    const { body } = await history('Some/Tool', 'v1');
    expect(body).toMatchObject({ name: 'some/tool', ref: 'v1', gaps: [] });
    expect(body.observations).toMatchObject([
      { commit: one, state: 'present', class: null, alarming: false },
      { commit: two, state: 'present', class: 'forward', alarming: false },
    ]);
    const today = new Date(service.clock.now()).toISOString().slice(0, 10);
    const before = new Date(service.clock.now() - day).toISOString().slice(0, 10);
    expect(body.used_by).toEqual([
      { repo: 'octo/hidden', path: '', first_day: before, last_day: today, days: 2 },
      { repo: 'octo/seen', path: '', first_day: before, last_day: today, days: 2 },
    ]);
    expectProblem(await history('some/tool', 'v9'), 404, 'not_found');
  });

  test('a repository that is not tracked any more uses nothing at present, and its history stays', async () => {
    const hidden = await store().repositories.find(repositoryOf(service.double.world, 'octo/hidden').facts);
    await store().repositories.untrack(hidden?.id as number);
    expect((await ask()).body.totals).toMatchObject({ actions: 2, uses: 4 });
    expect((await history('secret/tool', 'v1')).status).toBe(200);
  });

  test('once nobody has looked for more than 26 hours there is no figure of moves, and the gap is shown', async () => {
    const before = (await ask()).body;
    expect(before.totals).toMatchObject({ moves_90d: 2, alarming_90d: 1 });
    service.clock.advance(1.5 * day);
    const { totals, ledger } = (await ask()).body;
    expect(totals).toMatchObject({ moves_90d: null, alarming_90d: null });
    expect(ledger).toEqual(before.ledger);
    const now = new Date(service.clock.now()).toISOString();
    expect((await history('some/tool', 'v1')).body.gaps).toMatchObject([{ to: now }]);
  });

  test('what is used in turn names what leads to it, and is not counted among what is not pinned', async () => {
    const { double } = service;
    const [outer, inner] = ['outer', 'inner'].map(shaOf) as [string, string];
    const composite = `runs: {using: composite, steps: [{uses: deep/inner@v1.0.0}, {uses: "\${{ inputs.x }}/y@v1"}]}`;
    double.addRepository({
      name: 'deep/outer',
      refs: [{ ...tag('v1', outer), files: new Map([['init/action.yml', composite]]) }],
    });
    double.addRepository({ name: 'deep/inner', refs: [tag('v1.0.0', inner)] });
    double.putRelease('deep/inner', { id: 9, tag: 'v1.0.0', createdAt: 0, isImmutable: true });
    await add('octo/deep', using('deep/outer/init@v1'));
    const before = (await ask()).body.totals;
    await night();
    await night();
    const { body } = await ask('&owner=deep&sort=name');
    expect(body.actions).toMatchObject([
      {
        name: 'deep/inner',
        workflows: 0,
        repositories: 1,
        refs: [{ pin: 'immutable', transitive_of: ['deep/outer/init@v1'] }],
      },
      { name: 'deep/outer/init', workflows: 1, refs: [{ pin: 'major_tag', transitive_of: [] }] },
    ]);
    expect(body.unknown).toContainEqual({
      reason: 'expression',
      text: `\${{ inputs.x }}/y@v1`,
      through: 'deep/outer/init@v1',
      repositories: 1,
    });
    expect(body.totals).toMatchObject({ uses: before.uses + 1, third_party_unpinned: before.third_party_unpinned + 1 });
    expect((await history('deep/outer/init', 'v1')).body.used_by).toMatchObject([{ repo: 'octo/deep', path: 'init' }]);
    expect((await history('deep/outer/other', 'v1')).status).toBe(404);
  });

  test('of a private action is shown what the caller sees: its name in a workflow file, and the rest with its repository', async () => {
    const expression = `\${{ github.private }}/y@v1`;
    const action = `runs:\n  using: composite\n  steps:\n    - uses: inner/tool@v1\n    - uses: ${expression}\n`;
    const flowsCommit = shaOf('flows');
    const flows = { ...tag('v1', flowsCommit), files: new Map([['action.yml', action]]) };
    service.double.addRepository({
      name: 'octo/flows',
      facts: { private: true, visibility: 'private' },
      refs: [flows],
    });
    const script = new Map([['action.yml', 'runs: {using: node24, main: a.js}']]);
    service.double.addRepository({ name: 'inner/tool', refs: [{ ...tag('v1', shaOf('inner')), files: script }] });
    await add('octo/open', using('octo/flows@v1'));
    await night();
    const found = async (as: string) => {
      const { body } = await ask('&limit=1000', as);
      const named = (name: string) => body.actions.find((action: { name: string }) => action.name === name);
      return { flows: named('octo/flows')?.refs[0], inner: named('inner/tool')?.refs[0], unknown: body.unknown, body };
    };
    const ann = await found('token-ann');
    expect(ann.flows).toMatchObject({ commit: flowsCommit, state: 'present', pin: 'major_tag', workflows: 1 });
    expect(ann.inner).toMatchObject({ commit: shaOf('inner'), transitive_of: ['octo/flows@v1'] });
    expect(ann.unknown).toContainEqual({
      reason: 'expression',
      text: expression,
      through: 'octo/flows@v1',
      repositories: 1,
    });
    const bo = await found('token-bo');
    expect(bo.flows).toMatchObject({ commit: null, state: 'unreadable', pin: null, repository: null, workflows: 1 });
    expect(bo.inner).toBeUndefined();
    expect(bo.unknown.filter(({ text }: { text: string }) => text === expression)).toEqual([]);
    expect(bo.body.ledger).toMatchObject({ unreadable: 1 });
    expect(bo.body.totals.alarming_90d).not.toBeNull();
    for (const name of ['octo/flows', 'inner/tool']) {
      expect((await history(name, 'v1')).body.observations).toHaveLength(1);
      expectProblem(await history(name, 'v1', 'token-bo'), 404, 'not_found');
    }
  });

  test('a search shows of a private action what the caller sees, in totals and the table too', async () => {
    const open = await store().repositories.find(repositoryOf(service.double.world, 'octo/open').facts);
    const createdAt = service.clock.now() - hour;
    await store().runs.ingest(open?.id ?? 0, [aRun({ id: 900, createdAt })], { syncedAt: service.clock.now() });
    const search = (query: string, as: string) =>
      service.ask('GET', `/api/exposure/search?org=octo&repo=octo/open&${query}`, { as });
    const flows = `name=octo/flows&sha=${shaOf('flows')}`;
    const ann = (await search(flows, 'token-ann')).body;
    expect(ann.uses).toMatchObject([{ verdict: 'possible', likelihood: 'likely' }]);
    expect(ann.ledger_since).not.toBeNull();
    const bo = (await search(flows, 'token-bo')).body;
    const hidden = ['unreadable_action', 'log_unread', 'unreadable_file'];
    expect(bo.uses).toMatchObject([{ verdict: 'possible', likelihood: 'open', reasons: hidden }]);
    expect(bo).toMatchObject({ ledger_since: null, suspects: [{ names: ['octo/flows'] }] });
    expect((await search('name=inner/tool', 'token-ann')).body.totals.attempts).toMatchObject({ possible: 1 });
    const inner = (await search('name=inner/tool', 'token-bo')).body;
    expect(inner.totals.attempts).toMatchObject({ possible: 0, unknown: 1 });
    expect(inner.repositories.flatMap(({ refs, through }: Record<string, string[]>) => [refs, through]).flat()).toEqual(
      [],
    );
    const csv = await search('name=inner/tool&format=csv', 'token-bo');
    expect(csv.text).toContain('octo/open,inner/tool,unknown');
    expect(csv.text).not.toContain('possible');
  });
});
