import { describe, expect, test } from 'vitest';
import { aDatabase } from '../support/a-database.ts';
import { manyRuns } from './many-runs.ts';
import { minute } from './stage.ts';

aDatabase((given) => {
  describe('a repository that the platform does not give', () => {
    const stage = manyRuns(given);
    const { platform, sync } = stage;
    const { known } = stage;
    const reject = (status: number, after = 0) =>
      platform.double.fault({ path: stage.path, after }, { kind: 'status', status });

    test.each<[number, 'not_found' | 'legally_blocked']>([
      [404, 'not_found'],
      [451, 'legally_blocked'],
    ])('is marked from the first %d on, and no longer once it was read', async (status, code) => {
      await sync();
      reject(status);
      const first = await sync([stage.name, 'octo/api']);
      const since = stage.client.clock.now();
      expect(first.results[0]).toMatchObject({ status: 'error', code, unreachableSince: since, totalInDb: 350 });
      expect(first.results[1]).not.toHaveProperty('unreachableSince');
      expect(await known()).toMatchObject({ tracked: true, unreachableSince: since, lastErrorCode: code });
      platform.advance(10 * minute);
      reject(status);
      expect((await sync()).results).toMatchObject([{ status: 'error', code, unreachableSince: since }]);
      const [back] = (await sync()).results;
      expect(back).toMatchObject({ status: 'ok' });
      expect(back).not.toHaveProperty('unreachableSince');
      expect(await known()).toMatchObject({ tracked: true, unreachableSince: null, lastErrorCode: null });
    });

    test.each([403, 502, 429])('an error with %d says nothing about reach', async (status) => {
      await sync();
      platform.double.fault({ path: stage.path, times: 3 }, { kind: 'status', status });
      await sync();
      expect(await known()).toMatchObject({ unreachableSince: null, lastErrorCode: null });
    });

    test('a mark stays while the reading cannot come to an answer', async () => {
      reject(404);
      const since = (await sync()).results[0]?.unreachableSince;
      expect(since).toEqual(expect.any(Number));
      platform.double.fault({ path: stage.path }, { kind: 'status', status: 403 });
      const response = await sync();
      expect(response.results[0]).toMatchObject({ status: 'error', code: 'upstream_forbidden' });
      expect(await known()).toMatchObject({ unreachableSince: since, lastErrorCode: 'not_found' });
    });
  });
});
