import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';

/** In which organizations an account was an active member when last checked. That it was not is never stored. */
export const memberships = (database: Database) => ({
  /** Keys of these organizations in which the account was a member at `since` or later. */
  async fresh(codehostId: number, organizations: readonly string[], since: Instant): Promise<string[]> {
    const rows = await database.db
      .selectFrom('org_membership_cache')
      .select('orgKey')
      .where('codehostId', '=', codehostId)
      .where('orgKey', '=', ({ fn, val }) => fn.any(val(organizations.map(toKey))))
      .where('checkedAt', '>=', since)
      .execute();
    return rows.map(({ orgKey }) => orgKey);
  },
  async store(codehostId: number, organization: string, role: string, checkedAt: Instant): Promise<void> {
    await database.db
      .insertInto('org_membership_cache')
      .values({ codehostId, orgKey: toKey(organization), role, checkedAt })
      .onConflict((conflict) => conflict.columns(['codehostId', 'orgKey']).doUpdateSet({ role, checkedAt }))
      .execute();
  },
  async forget(codehostId: number): Promise<void> {
    await database.db.deleteFrom('org_membership_cache').where('codehostId', '=', codehostId).execute();
  },
});

const toKey = (organization: string) => organization.toLowerCase();
