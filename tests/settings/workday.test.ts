import { expect, test } from 'vitest';
import { readSetting } from '../../server/settings/setting.ts';
import { workday } from '../../server/settings/workday.ts';
import { aDatabase } from '../support/a-database.ts';

const byAnn = (now: number) => ({ actor: { id: 101, login: 'ann' }, requestId: null, now });
const fallback = { timezone: 'Asia/Saigon', start: 8, end: 19 };

test('without a database the fallback holds and the answer says so', async () => {
  expect(await readSetting(workday, null)).toEqual({
    value: fallback,
    source: 'default',
    updatedBy: null,
    updatedAt: null,
    version: 0,
    databaseAvailable: false,
  });
});

aDatabase((given) => {
  test('a saved value is in effect, with who saved it and when', async () => {
    const store = await given.open();
    const value = { timezone: 'Europe/Berlin', start: 9, end: 17 };
    await store.settings.put('team', { value, by: byAnn(1_800_000_000_000) });
    expect(await readSetting(workday, store)).toEqual({
      value,
      source: 'saved',
      updatedBy: 'ann',
      updatedAt: 1_800_000_000_000,
      version: 1,
      databaseAvailable: true,
    });
  });

  test('a value that no longer fits the shape does not take effect', async () => {
    const store = await given.open();
    await store.settings.put('team', { value: { timezone: 'Mars/Base' }, by: byAnn(1) });
    expect(await readSetting(workday, store)).toMatchObject({ value: fallback, source: 'default' });
  });
});

test.each([
  ['Asia/Saigon', 8, 19, true],
  ['Asia/Ho_Chi_Minh', 0, 24, true],
  ['UTC', 8, 19, true],
  ['Mars/Base', 8, 19, false],
  ['+07:00', 8, 19, false],
  ['UTC', 19, 8, false],
  ['UTC', 8, 8, false],
  ['UTC', 8, 25, false],
  ['UTC', -1, 8, false],
  ['UTC', 8.5, 19, false],
])('%s from %d to %d is a workday: %s', (timezone, start, end, valid) => {
  expect(workday.shape.safeParse({ timezone, start, end }).success).toBe(valid);
});
