import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionLedger } from '../../../jobs/action-ledger.ts';
import { runJob } from '../../../jobs/run-job.ts';
import type { Services } from '../../../server/access/context.ts';
import type { Platform } from '../../../server/codehost/changes/client.ts';
import { Problem } from '../../../server/platform/problem.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import type { DoubleRef } from '../../codehost-double/refs.ts';
import { trackAll } from '../../jobs/night.ts';
import { hour } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';
import { day } from '../../sync/stage.ts';

const [one, two] = ['one', 'two'].map(shaOf) as [string, string];
const tag = (name: string, ...commits: string[]): DoubleRef => ({ kind: 'tags', name, commits });
const id = 'GHSA-aaaa-bbbb-cccc';
const other = { id: 'GHSA-dddd-eeee-ffff', patched: null };

aDatabase((given) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated(), CODEHOST_TOKEN: 'token-ann' });
  });
  afterAll(() => service?.close());

  test('advisories stand beside the versions that they affect, as long as they were read of late', async () => {
    const refs = [tag('v1', two, one), tag('v1.0.0', one), tag('v1.1.0', two, one)];
    service.double.addRepository({ name: 'some/tool', refs });
    service.double.addRepository({ name: 'octo/seen' });
    const uses = ['some/tool@v1', 'some/tool@v1.0.0', `some/tool@${one}`, 'docker://node:24'];
    const steps = uses.map((use) => `      - uses: ${use}\n`).join('');
    const text = `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${steps}`;
    service.double.putWorkflowFile('octo/seen', '.github/workflows/ci.yml', text);
    const store = service.app.services.store as NonNullable<Services['store']>;
    await trackAll(service.double, store, ['octo/seen'], service.clock.now());
    service.double.world.advisories = [{ id, package: 'some/tool', range: '<= 1.0.0', patched: '1.0.1' }];
    const ask = async () => {
      const { body } = await service.ask('GET', '/api/exposure/actions?org=octo', { as: 'token-ann' });
      const used: { ref: string; advisories: string[] | null }[] = body.actions.flatMap(
        (action: { refs: object[] }) => action.refs,
      );
      return { total: body.totals.advisories, of: Object.fromEntries(used.map((ref) => [ref.ref, ref.advisories])) };
    };
    const readWith = async (change: (platform: Platform) => Partial<Platform>) => {
      const connect: Services['connect'] = (token, options) => {
        const platform = service.app.services.connect(token, options);
        return { ...platform, ...change(platform) };
      };
      const start = { slot: String(service.clock.now()), trigger: 'http', stopping: AbortSignal.any([]) } as const;
      return (await runJob(actionLedger, { ...service.app.services, connect }, start))?.status;
    };
    expect((await ask()).total).toBeNull();
    service.clock.advance(day);
    expect(await readWith(() => ({}))).toBe('done');
    expect(await ask()).toEqual({ total: 1, of: { 'v1.0.0': [id], v1: [], [one]: [id], 24: null } });
    // Used since, in a night in which advisories were not read: it is not known what affects it.
    service.double.putWorkflowFile('octo/seen', '.github/workflows/ci.yml', `${text}      - uses: some/tool@v1.1.0\n`);
    service.clock.advance(hour);
    const failed = new Problem('upstream_unavailable', 'GitHub is not responding properly.');
    expect(await readWith(() => ({ actionAdvisories: () => Promise.reject(failed) }))).toBe('partial');
    expect(await ask()).toEqual({ total: 1, of: { 'v1.0.0': [id], v1: [], [one]: [id], 'v1.1.0': null, 24: null } });
    service.clock.advance(2 * day);
    expect(await ask()).toEqual({
      total: null,
      of: { 'v1.0.0': null, v1: null, [one]: null, 'v1.1.0': null, 24: null },
    });
    // Tags are not read: what the ref names itself is known, and none of it is affected, but not of the others.
    service.double.world.advisories = [{ ...other, package: 'some/tool', range: '> 2' }];
    expect(await readWith(() => ({ tagsOfActions: async () => new Map() }))).toBe('done');
    const of = { 'v1.0.0': [], v1: null, [one]: null, 'v1.1.0': [], 24: null };
    expect(await ask()).toEqual({ total: null, of });
    service.clock.advance(hour);
    expect(await readWith(() => ({}))).toBe('done');
    expect(await ask()).toEqual({ total: 0, of: { ...of, v1: [], [one]: [] } });
  });
});
