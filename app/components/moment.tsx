import { type At, dateText, dateTimeText, timeText, toInstant } from '../charts/zone-time.ts';

interface MomentProps {
  at: At | null;
  zone: string;
  /** The page's own clock, from its loader; needed for `ago`, so that server and browser say the same. */
  now?: At;
  as?: 'ago' | 'short' | 'age' | 'date' | 'time' | 'date-time';
}

/** A point in time: readable, exact on pointing, and in machine form. Unknown is a dash. */
export function Moment({ at, zone, now, as = now === undefined ? 'date-time' : 'ago' }: MomentProps) {
  if (at === null || Number.isNaN(toInstant(at))) return <span className="muted absent">–</span>;
  const exact = dateTimeText(at, zone);
  return (
    <time dateTime={new Date(toInstant(at)).toISOString()} title={`${exact} (${zone})`}>
      {spell(at, zone, now, as)}
    </time>
  );
}

function spell(at: At, zone: string, now: At | undefined, as: NonNullable<MomentProps['as']>): string {
  if (as !== 'ago' && as !== 'short' && as !== 'age') return spellings[as](at, zone);
  if (now === undefined) return spellings['date-time'](at, zone);
  if (as === 'short') return ago(at, now).replace(/ minutes?\b/, ' min');
  return as === 'age' ? ago(at, now).replace(' ago', '') : ago(at, now);
}

const spellings = { date: dateText, time: timeText, 'date-time': dateTimeText };

interface Stored {
  /** The requested range. */
  window: { from: At; to: At };
  /** From when on and up to when facts are stored; null where none were read. */
  from: At | null;
  through: At | null;
}

/** Why there is no value for a range: nothing was read, all that is stored is younger, or older. */
export function whyUnread({ window, from, through }: Stored, zone: string): string {
  if (through === null) return 'Not read yet.';
  const isYounger = from !== null && toInstant(from) > toInstant(window.from);
  return isYounger && toInstant(through) >= toInstant(window.from)
    ? `Stored since ${dateText(from, zone)}.`
    : `Not read since ${dateTimeText(through, zone)}.`;
}

/** Up to when a value covers its range. */
export const ReadThrough = ({ at, now, zone }: { at: At | null; now: At; zone: string }) =>
  at === null ? null : (
    <>
      Read through {dateTimeText(at, zone)}, <Moment at={at} now={now} zone={zone} />
    </>
  );

/** `just now`, `5 minutes ago`, `3 days ago`, `in 2 hours`. */
export function ago(at: At, now: At): string {
  const distance = toInstant(now) - toInstant(at);
  const seconds = Math.abs(distance) / 1000;
  const [size, word] = steps.find(([, , below]) => seconds < below) ?? steps[0];
  if (seconds < 45) return distance < 0 ? 'in a moment' : 'just now';
  const number = Math.max(1, Math.round(seconds / size));
  const text = `${number} ${word}${number === 1 ? '' : 's'}`;
  return distance < 0 ? `in ${text}` : `${text} ago`;
}

const steps = [
  [60, 'minute', 3570],
  [3600, 'hour', 84_600],
  [86_400, 'day', 86_400 * 44],
  [2_629_800, 'month', 86_400 * 548],
  [31_557_600, 'year', Number.POSITIVE_INFINITY],
] as const;
