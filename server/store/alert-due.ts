import type { Database, Queries } from './database.ts';

/** A repository over which rules are to be evaluated. */
export interface DueRepository {
  id: number;
  owner: string;
  repo: string;
  defaultBranch: string | null;
  /** Which of its changes is meant. */
  since: string;
}

/** Repositories whose runs changed since rules were evaluated over them; noted where any rule is on. */
export const alertDue = (database: Database) => ({
  /** Those that wait, oldest first. */
  waiting: (limit: number): Promise<DueRepository[]> => database.query<DueRepository>(waiting, [limit]),
  /** Notes that one was evaluated; what changed since then waits on. */
  async evaluated({ id, since }: Pick<DueRepository, 'id' | 'since'>): Promise<void> {
    await database.query('delete from alert_due where repo_id = $1 and since = $2::timestamptz', [id, since]);
  },
});

/** Notes that runs of these repositories changed, in the transaction that counted them. */
export const noteDue = ({ query }: Queries, repoIds: readonly number[]): Promise<unknown> =>
  query(
    `insert into alert_due (repo_id, since)
     select id, clock_timestamp() from (select distinct unnest($1::int[]) as id) repos
     where exists (select from alert_rules where enabled)
     on conflict (repo_id) do update set since = excluded.since`,
    [repoIds],
  );

const waiting = `
  select r.id, r.owner, r.name as repo, r.default_branch as "defaultBranch", d.since::text
  from alert_due d join repos r on r.id = d.repo_id order by d.since limit $1`;
