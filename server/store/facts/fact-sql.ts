import type { FactKind } from '../../facts/shelf.ts';
import { fromMs, toMs } from '../wire-sql.ts';
import { columnOf, type FactTable, factTables, type Keeping } from './tables.ts';

/** The statements of a kind. In all of them $1 is the repository. */
export interface FactSql {
  /** Adds or renews the facts of the JSON $2, unless what is kept is newer. */
  put: string;
  /** Removes all but the keys $2 of what matters at $3 or later, or always. */
  keepOnly: string;
  /** Removes what mattered before $2, and so is in no window. */
  forgetBefore: string;
  /** Rows as facts, newest first, but accounts as keys; here $1 is the platform's id of the repository. */
  since: string;
}

/** The type of a field in the JSON that is sent, and how it becomes the column. */
const received: Record<Keeping, { type: string; column: (value: string) => string } | null> = {
  text: { type: 'text', column: (value) => value },
  int: { type: 'int', column: (value) => value },
  bigint: { type: 'bigint', column: (value) => value },
  boolean: { type: 'boolean', column: (value) => value },
  instant: { type: 'float8', column: fromMs },
  json: { type: 'jsonb', column: (value) => value },
  account: { type: 'bigint', column: (value) => value },
  reviews: { type: 'jsonb', column: (value) => value },
  'not kept': null,
};

/** The column as the field of a fact: numbers are numbers, and instants epoch milliseconds. */
const told: Partial<Record<Keeping, (column: string) => string>> = {
  instant: toMs,
  bigint: (column) => `${column}::float8`,
  account: (column) => `${column}::text`,
};

function statementsOf<Kind extends FactKind>({ table, fields, ...about }: FactTable<Kind>): FactSql {
  const all = Object.entries<Keeping>(fields);
  const columns = all.flatMap(([field, keeping]) => {
    const from = received[keeping];
    const column = columnOf(field, keeping);
    return from ? [{ column, field: `"${field}"`, type: from.type, value: from.column(`"${field}"`) }] : [];
  });
  const named = columns.map(({ column }) => column).join(', ');
  const of = (row: string) => `(${columns.map(({ column }) => `${row}.${column}`).join(', ')})`;
  const key = columnOf(about.key, fields[about.key]);
  const notOlder = about.version ? `${about.version('excluded')} >= ${about.version('stored')} and` : '';
  const keyType = received[fields[about.key]]?.type;
  const answered = all.map(([field, keeping]) => {
    const column = columnOf(field, keeping);
    return `${keeping === 'not kept' ? 'null' : (told[keeping]?.(column) ?? column)} as "${field}"`;
  });
  return {
    // In the order of the keys; the same fact twice counts once, the newer or later copy of it.
    put: `
      insert into ${table} as stored (repo_id, ${named})
      select distinct on (${key}) $1::int, ${named}
      from (select ${columns.map(({ column, value }) => `${value} as ${column}`).join(', ')}, place
            from rows from (json_to_recordset($2::json) as (${columns.map(({ field, type }) => `${field} ${type}`).join(', ')}))
              with ordinality as sent(${columns.map(({ field }) => field).join(', ')}, place)) given
      order by ${key}, ${about.version ? `${about.version('given')} desc,` : ''} place desc
      on conflict (repo_id, ${key}) do update set (${named}) = row ${of('excluded')}
      where ${notOlder} ${of('stored')} is distinct from ${of('excluded')}`,
    keepOnly: `
      delete from ${table} where repo_id = $1::int and (${about.mattersAt} < ${fromMs('$3')}) is not true
        and not exists (select from unnest($2::${keyType}[]) kept(key) where kept.key = ${table}.${key})`,
    forgetBefore: `delete from ${table} where repo_id = $1::int and ${about.mattersAt} < ${fromMs('$2')}`,
    since: `
      select ${answered.join(', ')} from ${table}
      where repo_id = (select id from repos where codehost_repo_id = $1::bigint)
        and ${about.mattersAt} >= ${fromMs('$2')} ${about.never ? `and not (${about.never})` : ''}
      order by ${about.mattersAt} desc, ${key}`,
  };
}

export const factSql: { readonly [Kind in FactKind]: FactSql } = {
  pull_requests: statementsOf(factTables.pull_requests),
  commits: statementsOf(factTables.commits),
  issues: statementsOf(factTables.issues),
  deployments: statementsOf(factTables.deployments),
  releases: statementsOf(factTables.releases),
};
