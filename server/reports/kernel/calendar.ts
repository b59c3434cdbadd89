import type { Context } from '../../access/context.ts';
import { type Calendar, createCalendar } from '../../metrics/people/workday-hours.ts';
import type { Workday } from '../../metrics/people/workload.ts';
import { Problem } from '../../platform/problem.ts';
import { readSetting } from '../../settings/setting.ts';
import { workday } from '../../settings/workday.ts';

/** The calendar in which the team reads days and hours. */
export async function teamCalendar(context: Pick<Context, 'services'>): Promise<Calendar> {
  return (await teamWorkday(context)).calendar;
}

/**
 * The team's workday with its calendar.
 * @throws Problem `db_unavailable` where it is stored and cannot be read: days of another time zone are other figures.
 */
export async function teamWorkday({ services: { store } }: Pick<Context, 'services'>): Promise<Workday> {
  const { value, databaseAvailable } = await readSetting(workday, store);
  if (store && !databaseAvailable) throw new Problem('db_unavailable', 'The time zone of the team could not be read.');
  const { timezone, start, end } = value;
  return { calendar: createCalendar(timezone), start, end };
}
