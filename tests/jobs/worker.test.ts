import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { JobContext } from '../../jobs/job.ts';
import { runJob } from '../../jobs/run-job.ts';
import { runsSync } from '../../jobs/runs-sync.ts';
import { worker } from '../../jobs/worker.ts';
import { createMigrated } from '../support/created-databases.ts';
import { type Service, startService } from '../support/service.ts';
import { hour } from '../sync/stage.ts';
import { fillPlatform, goOn, storedAndAvailable, trackAll } from './night.ts';

const socket = inject('postgres');
const never = new AbortController().signal;

describe.skipIf(socket === null)('work that one process began', () => {
  let service: Service;
  let beside: Service;
  let names: string[];
  let night = 0;
  beforeAll(async () => {
    const env = { DATABASE_URL: await createMigrated(socket as string), CODEHOST_TOKEN: 'token-ann' };
    service = await startService(env);
    beside = await startService(env, service);
    names = fillPlatform(service.double, 8, service.clock.now());
    if (service.app.services.store) await trackAll(service.double, service.app.services.store, names, 0);
  });
  afterAll(async () => {
    await beside?.close();
    await service?.close();
  });
  beforeEach(() => {
    service.clock.advance(24 * hour);
    goOn(service.double, names, service.clock.now(), ++night);
    service.double.requests.length = 0;
  });

  const sent = () => service.double.requests.filter(({ path }) => names.some((name) => path === `/repos/${name}`));
  /** Begins in one process, and takes part in the other once three repositories are being read. */
  async function together(atThree: () => void = () => undefined) {
    service.double.fault({ path: '/repos/octo/*', times: 3 }, { kind: 'latency', ms: 1500 });
    const begun = runJob(runsSync, service.app.services, { slot: `night ${night}`, trigger: 'http', stopping: never });
    await expect.poll(() => sent().length).toBe(3);
    atThree();
    const context: JobContext = {
      services: beside.app.services,
      signal: never,
      mayContinue: () => true,
      until: Infinity,
      since: null,
    };
    const { summary } = await worker.run(context);
    const end = await begun;
    if (!end?.outcome) return expect.fail('The job did not run.');
    return { helped: summary.repositories ?? 0, outcome: end.outcome };
  }

  test('another takes part in, so that each repository is read once, and reports the first what came of it', async () => {
    const { helped, outcome } = await together();
    expect(helped).toBeGreaterThan(0);
    expect(
      sent()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(names.map((name) => `/repos/${name}`).toSorted());
    expect(outcome).toMatchObject({ partial: false, resumeAt: null, report: { tracked: 8, remaining: 0 } });
    expect(outcome.report.results.map(({ status }) => status)).toEqual(names.map(() => 'ok'));
    const { store } = service.app.services;
    if (!store) return expect.fail('There is no database.');
    const { kept, there } = await storedAndAvailable(service.double, store, names);
    expect(kept.map(({ runs }) => runs)).toEqual(there.map(({ runs }) => runs));
  });

  test('another meets the limit in: it stops there, and the first knows when to go on', async () => {
    const { helped, outcome } = await together(() =>
      service.double.fault({ path: '/repos/octo/*' }, { kind: 'primary_limit' }),
    );
    expect(helped).toBe(1);
    expect(outcome.report.results.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill('ok'), 'partial']);
    expect(outcome.partial).toBe(true);
    expect((outcome.resumeAt ?? 0) - service.clock.now()).toBeGreaterThan(3000_000);
  });
});
