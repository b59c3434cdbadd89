import type { Context } from '../../access/context.ts';
import { type Calendar, createCalendar } from '../../metrics/people/workday-hours.ts';
import type { Workday } from '../../metrics/people/workload.ts';
import { readSetting } from '../../settings/setting.ts';
import { workday } from '../../settings/workday.ts';

/** The calendar in which the team reads days and hours. */
export async function teamCalendar(context: Pick<Context, 'services'>): Promise<Calendar> {
  return (await teamWorkday(context)).calendar;
}

/** The team's workday with its calendar. */
export async function teamWorkday({ services }: Pick<Context, 'services'>): Promise<Workday> {
  const { timezone, start, end } = (await readSetting(workday, services.store)).value;
  return { calendar: createCalendar(timezone), start, end };
}
