import { type At, dateText, dateTimeText, timeText, toInstant } from '../charts/zone-time.ts';
import { usePageContext } from './page-context.ts';

interface MomentProps {
  at: At | null;
  /** That of the page without it. */
  zone?: string;
  as?: 'ago' | 'short' | 'age' | 'date' | 'time' | 'date-time';
}

/** A point in time by the page's clock: readable, exact on pointing, and in machine form. Unknown is a dash. */
export function Moment({ at, zone: requested, as = 'ago' }: MomentProps) {
  const { now, zone: ofPage } = usePageContext();
  const zone = requested ?? ofPage;
  if (at === null || Number.isNaN(toInstant(at))) return <span className="muted absent">–</span>;
  const exact = dateTimeText(at, zone);
  return (
    <time dateTime={new Date(toInstant(at)).toISOString()} title={`${exact} (${zone})`}>
      {spell(at, zone, now, as)}
    </time>
  );
}

/** When an answer was made: never after the page, whose clock may be behind. */
export function PastMoment({ at }: { at: At }) {
  const { now } = usePageContext();
  return <Moment at={Math.min(toInstant(at), now)} />;
}

function spell(at: At, zone: string, now: At, as: NonNullable<MomentProps['as']>): string {
  if (as !== 'ago' && as !== 'short' && as !== 'age') return spellings[as](at, zone);
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
export const ReadThrough = ({ at }: { at: At | null }) =>
  at === null ? null : (
    <>
      Read through <Moment at={at} as="date-time" />, <Moment at={at} />
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
