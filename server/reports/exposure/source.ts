import type { Context } from '../../access/context.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { LedgerRow } from '../../metrics/security/ref-ledger.ts';
import type { ImmutableRelease, LookedAt, PresentUse, UsedOnDays } from '../../store/action-inventory.ts';
import { sampleLedger } from './demo.ts';

/** What is known of the refs that repositories use; these are named by the platform's ids. */
export interface LedgerSource {
  /** Repositories whose workflow files were read. */
  lookedAt(repositoryIds: readonly number[]): Promise<LookedAt[]>;
  presentUses(repositoryIds: readonly number[]): Promise<PresentUse[]>;
  usedOnDays(ref: Pick<PresentUse, 'actionKey' | 'ref'>, repositoryIds: readonly number[]): Promise<UsedOnDays[]>;
  /** What was observed of refs since an instant; before it the first readable row, the last move and the newest row. */
  recentHistories(refIds: readonly number[], since: Instant): Promise<Map<number, LedgerRow[]>>;
  /** The newest that was observed of refs, so many rows of each, oldest first. */
  newestHistories(refIds: readonly number[], limit: number): Promise<Map<number, LedgerRow[]>>;
  /**
   * Ids of the advisories that affected refs at the newest reading since an instant, without those of which that could
   * not be found out, and none was found before; null without a reading.
   */
  openAdvisories(refIds: readonly number[], since: Instant): Promise<Map<number, string[]> | null>;
  immutableReleases(actionKeys: readonly string[]): Promise<ImmutableRelease[]>;
}

/** The ledger; of the sample organization one of its own. */
export const findLedger = async (repositories: readonly Repository[], context: Context): Promise<LedgerSource> =>
  context.isDemo ? sampleLedger(repositories, context) : context.store.actionInventory;
