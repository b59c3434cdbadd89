import { type At, dateTimeText } from '../charts/zone-time.ts';
import { Moment } from './moment.tsx';

/** Why there is no value for a range that begins after the last reading. */
export const readThrough = (at: At | null, zone: string): string =>
  at === null ? 'Not read yet.' : `Not read since ${dateTimeText(at, zone)}.`;

/** Up to when a value covers its range. */
export const ReadThrough = ({ at, now, zone }: { at: At | null; now: At; zone: string }) =>
  at === null ? null : (
    <>
      Read through {dateTimeText(at, zone)}, <Moment at={at} now={now} zone={zone} />
    </>
  );
