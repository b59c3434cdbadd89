import { expect, test } from 'vitest';
import { expectFields, visitService } from '../endpoints.ts';

const visit = visitService();
const preview = (query: string) => visit.service.ask('GET', `/api/settings/team/preview?${query}`, { as: 'token-ann' });

interface Example {
  weekday: number;
  time: string;
  counts_as: string;
  outside_workday: boolean;
}

const reported = async (query: string) =>
  (await preview(query)).body.examples.map(
    ({ weekday, time, counts_as, outside_workday }: Example) =>
      `${weekday} ${time} ${counts_as}${outside_workday ? ' outside' : ''}`,
  );

test('commits around the edges of a workday count as the measures count them', async () => {
  expect(await reported('timezone=Asia/Saigon&start=8&end=19')).toEqual([
    '1 07:30 after_hours outside',
    '1 08:00 workday',
    '5 18:30 workday',
    '5 19:00 after_hours outside',
    '5 20:30 after_hours outside',
    '6 11:00 weekend outside',
  ]);
  expect(await reported('timezone=Asia/Kathmandu&start=0&end=24')).toEqual([
    '1 00:00 workday',
    '5 20:30 workday',
    '5 23:30 workday',
    '6 11:00 weekend outside',
  ]);
});

test('a workday that cannot be is rejected by its field', async () => {
  expectFields(await preview('timezone=Mars/Base&start=8&end=19'), ['timezone', 'invalid']);
  expectFields(await preview('timezone=UTC&start=19&end=8'), ['end', 'invalid']);
  expectFields(await preview('timezone=UTC'), ['start', 'missing'], ['end', 'missing']);
});
