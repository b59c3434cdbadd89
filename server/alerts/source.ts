import type { Context } from '../access/context.ts';
import type { Store } from '../store/orm.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { sampleAlerts } from './demo.ts';

/** Where rules, and what came of them, are stored. */
export interface AlertSource {
  alertRules: Pick<Store['alertRules'], 'list' | 'statuses' | 'days'>;
  alertEvents: Pick<Store['alertEvents'], 'list' | 'countOpen'>;
  firedAlerts: Store['firedAlerts'];
  repositories: { tracked(): Promise<Pick<KnownRepository, 'owner' | 'repo' | 'unreachableSince'>[]> };
}

export const readAlerts = async (context: Context): Promise<AlertSource> =>
  context.isDemo ? sampleAlerts(context) : context.store;
