import type { Services } from '../../access/context.ts';
import type { AlertEvent } from '../../store/alert-events.ts';

/** What came of handing a message over; `error` is the other side's own text. */
export type Handed =
  | { ok: true }
  | { ok: false; permanent: boolean; error: string /** How long it asks to wait. */; retryAfterMs: number | null };

export type ChannelServices = Pick<Services, 'clock' | 'env' | 'mailer' | 'store'>;

/** A way to tell of an event that is sent by itself. Never throws for what the other side does. */
export type Channel = (event: AlertEvent, services: ChannelServices) => Promise<Handed>;
