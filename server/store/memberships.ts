import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';

/** In which organizations an account was an active member when last asked. That it was not is never kept. */
export const memberships = (database: Database) => ({
  /** Keys of these organizations in which the account was a member at `since` or later. */
  async fresh(id: number, organizations: readonly string[], since: Instant): Promise<string[]> {
    const rows = await database.query<{ key: string }>(select, [id, organizations.map(keyOf), since]);
    return rows.map(({ key }) => key);
  },
  async keep(id: number, organization: string, role: string, now: Instant): Promise<void> {
    await database.query(upsert, [id, keyOf(organization), role, now]);
  },
  async forget(id: number): Promise<void> {
    await database.query('delete from org_membership_cache where codehost_id = $1', [id]);
  },
});

const keyOf = (organization: string) => organization.toLowerCase();

const select = `
  select org_key as key from org_membership_cache
  where codehost_id = $1 and org_key = any($2::text[]) and checked_at >= to_timestamp($3::float8 / 1000)`;

const upsert = `
  insert into org_membership_cache (codehost_id, org_key, role, checked_at)
  values ($1, $2, $3, to_timestamp($4::float8 / 1000))
  on conflict (codehost_id, org_key) do update set role = excluded.role, checked_at = excluded.checked_at`;
