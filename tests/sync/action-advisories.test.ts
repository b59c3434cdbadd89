import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionLedger } from '../../jobs/action-ledger.ts';
import { runJob } from '../../jobs/run-job.ts';
import type { Services } from '../../server/access/context.ts';
import { shaOf } from '../codehost-double/delivery-builders.ts';
import type { DoubleRef } from '../codehost-double/refs.ts';
import { trackAll } from '../jobs/night.ts';
import { aDatabase } from '../support/a-database.ts';
import { type Service, startService } from '../support/service.ts';
import { day } from './stage.ts';

const [one, two] = ['one', 'two'].map(shaOf) as [string, string];
const files = new Map([['action.yml', 'runs: {using: node24, main: a.js}']]);
const tag = (name: string, commit: string): DoubleRef => ({ kind: 'tags', name, commits: [commit], files });
const using = (...uses: string[]) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${uses.map((use) => `      - uses: ${use}\n`).join('')}`;
const [id, other] = ['GHSA-aaaa-bbbb-cccc', 'GHSA-dddd-eeee-ffff'] as [string, string];

aDatabase((given) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated(), CODEHOST_TOKEN: 'token-ann' });
  });
  afterAll(() => service?.close());

  async function night(connect: Services['connect'] = service.app.services.connect) {
    service.clock.advance(day);
    service.double.requests.length = 0;
    const slot = new Date(service.clock.now()).toISOString();
    const end = await runJob(
      actionLedger,
      { ...service.app.services, connect },
      {
        slot,
        trigger: 'http',
        stopping: new AbortController().signal,
      },
    );
    return { status: end?.status, requests: service.double.requests.map(({ operation }) => operation) };
  }

  test('advisories are compared nightly with the versions that are used, and requests do not grow with them', async () => {
    const store = service.app.services.store as NonNullable<Services['store']>;
    const open = async () => {
      const refs = await store.exposure.usesOfActions();
      const now = await store.exposure.advisoriesOf(
        refs.map(({ refId }) => refId),
        service.clock.now() - day / 2,
      );
      const names = new Map(refs.map(({ refId, actionKey, ref }) => [refId, `${actionKey}@${ref}`]));
      return now.map(({ refId, advisoryId }) => `${names.get(refId)} ${advisoryId}`).sort();
    };
    const refs = [tag('v1', two), tag('v1.0.0', one), tag('v1.1.0', two)];
    service.double.addRepository({ name: 'some/Tool', facts: { id: 801 }, refs });
    service.double.addRepository({ name: 'some/fine', facts: { id: 802 }, refs: [tag('v1', one)] });
    service.double.addRepository({ name: 'octo/first' });
    const uses = ['some/tool@v1', 'some/Tool@v1.0.0', `some/tool@${one}`, 'some/fine@v1', 'docker://a:1'];
    service.double.putWorkflowFile('octo/first', '.github/workflows/ci.yml', using(...uses));
    await trackAll(service.double, store, ['octo/first'], service.clock.now());

    const first = await night();
    expect(first.status).toBe('done');
    expect(first.requests.filter((name) => name === 'AllActionAdvisories')).toHaveLength(1);
    expect(first.requests).not.toContain('Actions');
    expect(await open()).toEqual([]);

    service.double.world.advisories = [
      { id, package: 'some/Tool', range: '< 1.1.0', patched: '1.1.0' },
      { id: other, package: 'some/Tool', range: '= 1.1.0', patched: null },
      { id: 'GHSA-2222-3333-4444', package: 'some/unused', range: '>= 0', patched: null },
    ];
    const second = await night();
    expect(second.status).toBe('done');
    expect(second.requests.filter((name) => /Advisories|Actions/.test(name ?? ''))).toEqual([
      'AllActionAdvisories',
      'Actions',
    ]);
    expect(await open()).toEqual([`some/tool@${one} ${id}`, `some/tool@v1 ${other}`, `some/tool@v1.0.0 ${id}`]);

    service.double.world.advisories = service.double.world.advisories.map((each) =>
      each.id === id ? { ...each, withdrawn: true } : each,
    );
    expect((await night()).status).toBe('done');
    expect(await open()).toEqual([`some/tool@v1 ${other}`]);
  });

  test('where tags of an action are not read, what affected it goes on, and what does is else not known', async () => {
    const store = service.app.services.store as NonNullable<Services['store']>;
    const name = `some/tool@${one}`;
    const told = async () => {
      const refs = await store.exposure.usesOfActions();
      const newest = (await store.exposure.advisoryReadings(0)).at(-1);
      const rows = await store.exposure.advisoriesOf(
        refs.map(({ refId }) => refId),
        newest?.at ?? 0,
      );
      const toName = (id: number) => refs.flatMap((ref) => (ref.refId === id ? `${ref.actionKey}@${ref.ref}` : []))[0];
      const known = newest?.refIds.map(toName) ?? [];
      return {
        isKnown: known.includes(name),
        count: known.length,
        open: rows.map((row) => `${toName(row.refId)} ${row.advisoryId}`),
      };
    };
    /** The platform, whose answer about tags is another. */
    const answering =
      (change: (tags: Map<string, readonly string[] | null>, key: string) => void): Services['connect'] =>
      (token, options) => {
        const platform = service.app.services.connect(token, options);
        const tagsOfActions: typeof platform.tagsOfActions = async (uses) => {
          const tags = await platform.tagsOfActions(uses);
          for (const key of tags.keys()) if (key.endsWith(one)) change(tags, key);
          return tags;
        };
        return { ...platform, tagsOfActions };
      };
    const unread = answering((tags, key) => tags.set(key, null));
    const leftOut = answering((tags, key) => tags.delete(key));
    service.double.world.advisories = [{ id, package: 'some/Tool', range: '< 1.1.0', patched: '1.1.0' }];
    await night(unread);
    expect(await told()).toEqual({ isKnown: false, count: 3, open: [`some/tool@v1.0.0 ${id}`] });
    await night();
    const open = [`some/tool@v1.0.0 ${id}`, `${name} ${id}`];
    expect(await told()).toEqual({ isKnown: true, count: 4, open });
    for (const connect of [unread, leftOut]) {
      expect((await night(connect)).status).toBe('done');
      expect(await told()).toEqual({ isKnown: false, count: 3, open });
    }
    // What is withdrawn affects nothing, whatever is used.
    service.double.world.advisories = [{ id: other, package: 'some/Tool', range: '= 1.1.0', patched: null }];
    await night(leftOut);
    expect(await told()).toEqual({ isKnown: false, count: 3, open: [`some/tool@v1 ${other}`] });
  });

  test('a reading that fails is none, and the night is partial', async () => {
    const store = service.app.services.store as NonNullable<Services['store']>;
    const before = await store.exposure.advisoryReadings(0);
    // What comes before it are the trees and the refs.
    service.double.fault({ path: '/graphql', after: 2, times: 9 }, { kind: 'status', status: 502 });
    expect((await night()).status).toBe('partial');
    expect(await store.exposure.advisoryReadings(0)).toEqual(before);
  });
});
