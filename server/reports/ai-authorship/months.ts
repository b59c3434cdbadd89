import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { addDays, type Calendar } from '../../metrics/people/workday-hours.ts';
import { invalidRequest } from '../../platform/problem.ts';

/** A calendar month, `YYYY-MM`. */
export type Month = string;

const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'is not a month, such as 2026-11')
  .optional();

export const monthsInput = {
  from: month.meta({ description: 'First month, YYYY-MM; without it the last six complete months.' }),
  to: month.meta({ description: 'Last month, YYYY-MM, a complete one; at most 13 with the first.' }),
};

export interface MonthsInput {
  from?: Month | undefined;
  to?: Month | undefined;
}

export interface Months {
  from: Month;
  to: Month;
  /** Every one, oldest first. */
  all: Month[];
}

const maxMonths = 13;
const usualMonths = 6;

/**
 * The months that are requested: without any, the last six complete ones of the team's calendar.
 * @throws Problem `invalid_request` for more than 13, or when the last is before the first or has not
 * ended: what a day adds to a running month would be of one person.
 */
export function findMonths({ from, to }: MonthsInput, now: Instant, calendar: Calendar): Months {
  const present = monthOf(now, calendar);
  const last = to ?? addMonths(present, -1);
  const first = from ?? addMonths(last, 1 - usualMonths);
  const count = monthsBetween(first, last) + 1;
  if (count < 1) throw invalidMonth('to is before from.');
  if (count > maxMonths) throw invalidMonth(`from and to are more than ${maxMonths} months.`);
  if (last >= present) throw invalidMonth('to has not ended.');
  return { from: first, to: last, all: Array.from({ length: count }, (_, index) => addMonths(first, index)) };
}

export const monthOf = (at: Instant, calendar: Calendar): Month => calendar.getDay(at).slice(0, 7);

/** The first instant of a month. */
export const startOfMonth = (one: Month, calendar: Calendar): Instant => calendar.getStart(`${one}-01`);

/** The last day of a month, `YYYY-MM-DD`. */
export const lastDayOf = (one: Month): string => addDays(`${addMonths(one, 1)}-01`, -1);

export function addMonths(one: Month, count: number): Month {
  const index = toIndex(one) + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

const monthsBetween = (first: Month, last: Month) => toIndex(last) - toIndex(first);

const toIndex = (one: Month) => Number(one.slice(0, 4)) * 12 + Number(one.slice(5)) - 1;

const invalidMonth = (message: string) => invalidRequest([{ field: 'to', reason: 'invalid', message }]);
