import type { Instant } from '../metrics/kernel/facts.ts';

/** Why a recommendation is not wanted; contract of the advisor, section 6.3. */
export const dismissalReasons = ['wanted', 'wrong', 'later', 'other'] as const;

export type DismissalReason = (typeof dismissalReasons)[number];

/** That a recommendation is not wanted, as somebody said it. */
export interface Dismissal {
  reason: DismissalReason;
  note: string | null;
  /** The last day, in UTC; null without an end. */
  until: string | null;
  byLogin: string;
  at: Instant;
}

/** Whether it still counts: on its last day it does. */
export const isInForce = ({ until }: Pick<Dismissal, 'until'>, now: Instant): boolean =>
  until === null || new Date(now).toISOString().slice(0, 10) <= until;
