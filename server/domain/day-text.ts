export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A calendar day `YYYY-MM-DD` as `3 May 2026`; no zone is involved. */
export const dayText = (day: string): string => `${dayOfMonthText(day)} ${day.slice(0, 4)}`;

/** The same without its year, `3 May`, for what is at most some months old. */
export const dayOfMonthText = (day: string): string =>
  `${Number(day.slice(8, 10))} ${months[Number(day.slice(5, 7)) - 1]}`;

/** The day in UTC of an instant in epoch milliseconds, `3 May 2026`. */
export const utcDayText = (at: number): string => dayText(new Date(at).toISOString().slice(0, 10));
