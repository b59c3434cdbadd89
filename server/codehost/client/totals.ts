import type { Instant } from '../../metrics/kernel/facts.ts';

/** What the platform reports of a kind in total; null where it is not requested. */
export interface KindTotals {
  /** Its own count of all there are, of all time: issues, deployments, published releases. */
  total: number | null;
  /** Its own count of open issues. */
  openCount: number | null;
  /** The newest there is, in the window or not; for deployments. */
  newestAt: Instant | null;
  /** The commit that the default branch ends in; null also for an empty repository. */
  head: string | null;
}

/** The totals of a kind of which only facts are read. */
export const noTotals: KindTotals = { total: null, openCount: null, newestAt: null, head: null };
