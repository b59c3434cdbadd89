import type { Instant } from '../metrics/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import type { Database } from './database.ts';

/** One cell of the matrix, as somebody last set it. */
export interface Permission {
  group: string;
  flag: string;
  granted: boolean;
  updatedBy: string;
  updatedAt: Instant;
}

export const permissions = (database: Database) => ({
  /** Every cell that was ever set; what is not there is not granted. */
  all: (): Promise<Permission[]> => database.query<Permission>(select),
  /** Keys that at least one of these groups is granted, unknown ones included. */
  async grantedTo(groups: readonly string[]): Promise<string[]> {
    return (await database.query<{ flag: string }>(granted, [groups])).map(({ flag }) => flag);
  },
  /** Sets one cell. Answers whether that changed anything; only then it is written down. */
  set: (
    { group, flag, granted }: Pick<Permission, 'group' | 'flag' | 'granted'>,
    { actor, requestId, now }: ChangedBy,
  ): Promise<boolean> =>
    database.transaction(async (queries) => {
      const changed = await queries.query(upsert, [group, flag, granted, actor.login, now]);
      if (changed.length === 0) return false;
      const entry = {
        ...{ category: 'access' as const, action: granted ? 'permission.granted' : 'permission.revoked', actor },
        ...{ targetType: 'permission', target: `${group}/${flag}`, before: !granted, after: granted },
        ...{ requestId, note: null },
      };
      await appendAudit(queries, entry, now);
      return true;
    }),
});

const select = `
  select group_name as "group", flag, granted, updated_by as "updatedBy",
    (extract(epoch from updated_at) * 1000)::float8 as "updatedAt"
  from group_permissions order by group_name, flag`;

const granted = 'select distinct flag from group_permissions where granted and group_name = any($1::text[])';

/** A cell that was never set counts as not granted, so that taking it away changes nothing. */
const upsert = `
  insert into group_permissions as cell (group_name, flag, granted, updated_by, updated_at)
  select $1, $2, $3::boolean, $4, to_timestamp($5::float8 / 1000)
  where $3::boolean or exists (select from group_permissions where group_name = $1 and flag = $2)
  on conflict (group_name, flag) do update
    set granted = excluded.granted, updated_by = excluded.updated_by, updated_at = excluded.updated_at
    where cell.granted <> excluded.granted
  returning flag`;
