import type { Context } from '../../access/context.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import type { LedgerRow } from '../../metrics/security/ref-ledger.ts';
import type { LookedAt, PresentUse, UsedOnDays } from '../../store/action-inventory.ts';
import { sampleLedger } from './demo.ts';

/** What is known of the refs that repositories use; these are named by the platform's ids. */
export interface LedgerSource {
  /** Repositories whose workflow files were read. */
  lookedAt(repositoryIds: readonly number[]): Promise<LookedAt[]>;
  presentUses(repositoryIds: readonly number[]): Promise<PresentUse[]>;
  usedOnDays(ref: Pick<PresentUse, 'actionKey' | 'ref'>, repositoryIds: readonly number[]): Promise<UsedOnDays[]>;
  /** All that was observed of refs, oldest first. */
  histories(refIds: readonly number[]): Promise<Map<number, LedgerRow[]>>;
}

/** The ledger; of the sample organization one of its own. */
export const findLedger = async (repositories: readonly Repository[], context: Context): Promise<LedgerSource> =>
  context.isDemo ? sampleLedger(repositories, context) : context.store.actionInventory;
