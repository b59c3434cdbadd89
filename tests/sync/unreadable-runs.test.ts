import { expect, test } from 'vitest';
import { namedNow } from '../codehost-double/named-world.ts';
import { aDatabase } from '../support/a-database.ts';
import { manyRuns } from './many-runs.ts';
import { day, hour } from './stage.ts';

aDatabase((given) => {
  const stage = manyRuns(given);
  const { platform, sync, stored, wanted } = stage;
  const id = (number: number) => stage.firstId + number;
  /** So long ago that only single requests tell how they ended. */
  const begin = (number: number) =>
    platform.double.putRun(stage.name, { id: id(number), createdAt: namedNow - 9 * day, status: 'in_progress' });

  test('a run that cannot be read holds up no other, nor earlier attempts', async () => {
    begin(1000);
    begin(1001);
    await sync();
    for (const number of [1000, 1001]) platform.double.completeRun(stage.name, id(number), 'success', namedNow);
    platform.double.putRun(stage.name, { id: id(1002), createdAt: namedNow - hour, conclusion: 'failure' });
    platform.double.rerun(stage.name, id(1002), namedNow, { status: 'completed', conclusion: 'success' });
    platform.double.fault({ path: `${stage.path}/${id(1000)}`, times: 3 }, { kind: 'status', status: 502 });
    const { results } = await sync();
    expect(results).toMatchObject([{ status: 'error', code: 'upstream_unavailable', totalInDb: 353 }]);
    const late = (await stored()).filter((run) => run.id >= id(1000));
    expect(late.map((run) => [run.id - id(0), run.attempt, run.status])).toEqual([
      [1000, 1, 'in_progress'],
      [1001, 1, 'completed'],
      [1002, 1, 'completed'],
      [1002, 2, 'completed'],
    ]);
    expect((await sync()).results).toMatchObject([{ status: 'ok' }]);
    expect(await stored()).toEqual(wanted());
  });

  test('where none can be read, no more than three are requested, and others the next time', async () => {
    for (let number = 1000; number < 1009; number++) begin(number);
    await sync();
    const requested = () =>
      platform.double.requests.flatMap(({ path }) =>
        path.startsWith(`${stage.path}/`) ? [path.split('/').at(-1)] : [],
      );
    platform.double.requests.length = 0;
    platform.double.fault({ path: `${stage.path}/*`, times: 3 }, { kind: 'status', status: 403 });
    expect((await sync()).results).toMatchObject([{ status: 'error', code: 'upstream_forbidden' }]);
    const first = requested();
    expect(first).toHaveLength(3);
    platform.double.requests.length = 0;
    expect((await sync()).results).toMatchObject([{ status: 'ok' }]);
    expect(requested().slice(-2)).toEqual(first.slice(0, 2));
  });
});
