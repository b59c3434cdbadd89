import { z } from 'zod';
import { within } from '../platform/fields.ts';
import { setting } from './setting.ts';

/** A time-zone name that the runtime knows, aliases included; fixed offsets are no names. */
const ianaZone = z.string().refine((name) => /^[A-Za-z]/.test(name) && isZone(name), 'is not a time-zone name');

/** When the team works: hours of a day, Monday to Friday, in the team's zone. */
export const workday = setting({
  key: 'team',
  title: 'Team workday',
  shape: z
    .object({ timezone: ianaZone, start: within(0, 23), end: within(1, 24) })
    .refine((day) => day.start < day.end, {
      path: ['end'],
      message: 'must be after start',
    }),
  fallback: { timezone: 'Asia/Saigon', start: 8, end: 19 },
  saved: ({ timezone }, store) => store.rollups.rebuild(timezone),
});

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
