import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { addDays, createCalendar, getWeekStart } from '../../metrics/people/workday-hours.ts';
import { isAfterHours, isOutsideWorkday, isWeekend, type Workday } from '../../metrics/people/workload.ts';

export const WorkdayExamples = z
  .object({
    timezone: z.string(),
    examples: z.array(
      z.object({
        weekday: z.int().meta({ description: '0 = Sunday … 6 = Saturday.' }),
        time: z.string().meta({ description: 'Of the clock in the zone, `20:30`.' }),
        counts_as: z.enum(['workday', 'after_hours', 'weekend']),
        outside_workday: z.boolean().meta({ description: 'Whether it adds to the share outside the workday.' }),
      }),
    ),
  })
  .meta({ id: 'WorkdayExamples' });

type Examples = Domain<typeof WorkdayExamples>;

const [monday, friday, saturday] = [0, 4, 5];
const halfHour = 30 * 60_000;

/** How commits around the edges of a workday would count, by the measures that count them. */
export async function workdayExamples(
  { timezone, start, end }: { timezone: string; start: number; end: number },
  { services: { clock } }: Context,
): Promise<Examples> {
  const workday = { calendar: createCalendar(timezone), start, end };
  const week = addDays(getWeekStart(workday.calendar.getDay(clock.now())), -7);
  const moments: [day: number, halfHours: number][] = [
    ...(start > 0 ? [[monday, start * 2 - 1] as [number, number]] : []),
    [monday, start * 2],
    [friday, end * 2 - 1],
    ...(end < 24 ? [[friday, end * 2] as [number, number]] : []),
    [friday, 41],
    [saturday, 22],
  ];
  const at = ([day, halfHours]: (typeof moments)[number]) =>
    workday.calendar.getStart(addDays(week, day)) + halfHours * halfHour;
  return {
    timezone,
    examples: [...new Set(moments.map(at))].sort((a, b) => a - b).map((one) => toExample(one, workday)),
  };
}

function toExample(instant: number, workday: Workday): Examples['examples'][number] {
  const { calendar } = workday;
  const minute = Math.floor((instant - calendar.getStart(calendar.getDay(instant))) / 60_000) % 60;
  return {
    weekday: calendar.getWeekday(instant),
    time: `${String(calendar.getHour(instant)).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
    countsAs: isWeekend(instant, workday) ? 'weekend' : isAfterHours(instant, workday) ? 'after_hours' : 'workday',
    outsideWorkday: isOutsideWorkday(instant, workday),
  };
}
