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

const [actions, refs, repositories] = [250, 600, 200];
const files = new Map([['action.yml', 'runs: {using: node24, main: a.js}']]);
const commit = shaOf('one');

aDatabase((given) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated(), CODEHOST_TOKEN: 'token-ann' });
  });
  afterAll(() => service?.close());

  test('section 1.9: a night of 600 refs of 250 actions in 200 repositories takes at most 30 requests', async () => {
    const tag = (name: string): DoubleRef => ({ kind: 'tags', name, commits: [commit], files });
    const named = Array.from({ length: refs }, (_, index) => ({ action: index % actions, tag: `v${index}` }));
    for (const [action, own] of Map.groupBy(named, (one) => one.action))
      service.double.addRepository({ name: `some/a${action}`, refs: own.map((one) => tag(one.tag)) });
    const names = Array.from({ length: repositories }, (_, index) => `octo/r${index}`);
    for (const [index, name] of names.entries()) {
      service.double.addRepository({ name });
      const used = named.slice(index * 3, index * 3 + 3);
      const steps = used.map((one) => `      - uses: some/a${one.action}@${one.tag}\n`).join('');
      const text = `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${steps}`;
      service.double.putWorkflowFile(name, '.github/workflows/ci.yml', text);
    }
    service.double.world.advisories = Array.from({ length: 150 }, (_, index) => ({
      id: `GHSA-aaaa-bbbb-${String(index).padStart(4, '0')}`,
      package: `some/a${index}`,
      range: '< 1.0.0',
      patched: null,
    }));
    const store = service.app.services.store as NonNullable<Services['store']>;
    await trackAll(service.double, store, names, service.clock.now());
    const night = async () => {
      service.clock.advance(day);
      service.double.requests.length = 0;
      const slot = new Date(service.clock.now()).toISOString();
      const stopping = new AbortController().signal;
      const end = await runJob(actionLedger, service.app.services, { slot, trigger: 'http', stopping });
      expect(end?.status).toBe('done');
      return service.double.requests.length;
    };
    await night();
    expect(await store.actionLedger.refsInUse(1000)).toHaveLength(refs);
    expect(await night()).toBeLessThanOrEqual(30);
  });
});
