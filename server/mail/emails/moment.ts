import type { Instant } from '../../metrics/kernel/facts.ts';

/** An instant in the team's zone and in UTC: `16 Nov 2026, 17:00 Asia/Saigon (10:00 UTC)`. */
export function formatMoment(at: Instant, zone: string): string {
  const [day, time] = formatClock(at, zone);
  const [utcDay, utcTime] = formatClock(at, 'UTC');
  if (zone === 'UTC') return `${day}, ${time} UTC`;
  return `${day}, ${time} ${zone} (${day === utcDay ? '' : `${utcDay}, `}${utcTime} UTC)`;
}

/** The same in the team's zone alone, for tables whose heading names the zone. */
export const shortMoment = (at: Instant, zone: string): string => formatClock(at, zone).join(', ');

function formatClock(at: Instant, zone: string): [day: string, time: string] {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(at);
  return [
    part({ day: 'numeric', month: 'short', year: 'numeric' }),
    part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  ];
}
