import type { Context } from '../access/context.ts';
import { type Calendar, calendarOf } from '../metrics/workday-hours.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';

/** The calendar in which the team reads days and hours. */
export async function teamCalendar({ services }: Pick<Context, 'services'>): Promise<Calendar> {
  return calendarOf((await readSetting(workday, services.store)).value.timezone);
}
