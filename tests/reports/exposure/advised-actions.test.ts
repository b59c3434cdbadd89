import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionLedger } from '../../../jobs/action-ledger.ts';
import { runJob } from '../../../jobs/run-job.ts';
import type { Services } from '../../../server/access/context.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import type { DoubleRef } from '../../codehost-double/refs.ts';
import { trackAll } from '../../jobs/night.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';
import { day } from '../../sync/stage.ts';

const [one, two] = ['one', 'two'].map(shaOf) as [string, string];
const tag = (name: string, ...commits: string[]): DoubleRef => ({ kind: 'tags', name, commits });
const id = 'GHSA-aaaa-bbbb-cccc';

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
    expect((await ask()).total).toBeNull();
    service.clock.advance(day);
    const start = { slot: String(service.clock.now()), trigger: 'http', stopping: AbortSignal.any([]) } as const;
    expect((await runJob(actionLedger, service.app.services, start))?.status).toBe('done');
    expect(await ask()).toEqual({ total: 1, of: { 'v1.0.0': [id], v1: [], [one]: [id], 24: null } });
    service.clock.advance(2 * day);
    expect(await ask()).toEqual({ total: null, of: { 'v1.0.0': null, v1: null, [one]: null, 24: null } });
  });
});
