import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDouble } from '../codehost-double/double.ts';
import type { Fault } from '../codehost-double/faults.ts';
import { beginChild } from '../support/child.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { day, hour, minute } from '../sync/stage.ts';
import { clockOf, setClock } from './movable-clock.ts';
import { fillPlatform, trackAll } from './night.ts';
import { isPatient } from './nightly-stage.ts';

eachDatabase((given) => {
  test('a process reported to end in the middle notes what is left, gives its lease back, and ends by itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ending-'));
    const clockFile = join(folder, 'clock');
    const due = Math.floor(Date.now() / day) * day + 3 * hour + 17 * minute;
    setClock(clockFile, due);
    const double = await startDouble({ clock: clockOf(clockFile) });
    const names = fillPlatform(double, 3, due - day);
    const url = await given.address();
    const store = await openTestStore(url);
    await trackAll(double, store, names, due - day);
    await store.close();
    // Where there is time, a question that is never answered: it is waited for no longer than questions are.
    const slow: Fault = isPatient ? { kind: 'hang' } : { kind: 'latency', ms: 1500 };
    double.fault({ path: `/repos/${names[0]}/actions/runs` }, slow);
    const settings = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
      CODEHOST_API_URL: double.url,
      CODEHOST_GRAPHQL_URL: double.graphqlUrl,
      CODEHOST_TOKEN: 'token-ann',
      DATABASE_URL: url,
    };
    const child = beginChild(join(import.meta.dirname, 'night-child.ts'), JSON.stringify(settings), clockFile);
    await expect.poll(() => child.said).toContain('begun');
    setClock(clockFile, due + 500);
    const hasHung = () => double.requests.some(({ path }) => path === `/repos/${names[0]}/actions/runs`);
    await expect.poll(hasHung).toBe(true);
    await child.kill('SIGTERM');
    expect(child.child.exitCode, 'nothing keeps it alive, and nothing ends it by force').toBe(0);
    const after = await openTestStore(url, { migrate: false });
    expect(await after.jobRuns.latest('runs-sync', 5)).toMatchObject([
      { status: 'partial', trigger: 'internal', resumeAt: expect.any(Number) },
    ]);
    expect(await after.leases.acquire('job:runs-sync', 'the next process')).toBe(true);
    await after.close();
    await double.close();
    rmSync(folder, { recursive: true });
  });
});
