import type { Context } from '../../access/context.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import type { Store } from '../../store/orm.ts';
import { sampleHistory } from './demo.ts';

/** Where stored runs, and what is known of them, come from. */
export interface HistorySource {
  repositories: {
    find(repository: Repository): Promise<{ id: number } | null>;
    tracked(owner: string): Promise<{ id: number; codehostId: number }[]>;
  };
  trends: Pick<Store['trends'], 'daily' | 'quarterly' | 'coverage'>;
  runs: Pick<Store['runs'], 'page'>;
  cursors: { get(repoId: number): Promise<Pick<NonNullable<Cursor>, 'syncedThrough'> | null> };
  collection: Store['collection'];
}

type Cursor = Awaited<ReturnType<Store['cursors']['get']>>;

/** Without a database this throws before any request to the platform. */
export const readHistory = async (context: Context): Promise<HistorySource> =>
  context.isDemo ? sampleHistory(context) : context.store;
