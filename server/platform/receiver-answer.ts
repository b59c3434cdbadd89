import { UnsafeAddress } from './safe-address.ts';

/** How long a receiver requests to wait, from seconds or a date, as ms from now; null where it requests nothing. */
export function readRetryAfter(
  header: string | string[] | undefined,
  longestMs: number,
  now: number = Date.now(),
): number | null {
  if (typeof header !== 'string') return null;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) || waitMs < 0 ? null : Math.min(waitMs, longestMs);
}

/** Whether a connection was not made because of where it would have led. */
export const isUnsafe = (error: unknown): boolean =>
  error instanceof UnsafeAddress || (error instanceof Error && error.cause instanceof UnsafeAddress);

/** Why a connection failed: its message, or its code where it has none. */
export const connectionError = (error: unknown): string =>
  error instanceof Error
    ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
    : 'unknown error';
