import { beforeAll, describe, expect, test } from 'vitest';
import { priceChanges } from '../../server/metrics/cost/runner-prices.ts';
import type { Statement } from '../../server/platform/source-files.ts';
import type { Database } from '../../server/store/database.ts';
import { workflowStatements } from '../../server/store/statements.ts';
import { eachDatabase } from '../support/database.ts';
import { day, noon, track } from './world.ts';

const repositories = 40;

/** Many runs of many repositories, some of them run again, with what their jobs cost. */
async function fill(database: Database, ids: readonly number[]): Promise<void> {
  await database.query(runs, [ids, new Date(noon).toISOString()]);
  await database.query(attempts);
  await database.query(costs);
  await database.query('analyze');
}

const columns = `id, repo_id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch,
  head_sha, created_at, run_started_at, updated_at, completed_at, duration_ms, queue_wait_ms, synced_at`;
const runs = `
  insert into workflow_runs (${columns})
  select n, ($1::int[])[1 + n % ${repositories}], 1 + (n % 11 = 0)::int, n % 3, 'CI', n, 'push', 'completed', 'success',
    'main', md5(n::text) || '00000000', at, at, at, at, 1000 * (n % 900), 1000, at
  from (select n, $2::timestamptz - (n % 5000) * interval '30 minutes' as at from generate_series(1, 20000) n) made`;
const attempts = `
  insert into workflow_run_attempts (${columns})
  select id, repo_id, 1, workflow_id, workflow_name, run_number, event, status, 'failure', head_branch,
    head_sha, created_at, run_started_at, updated_at, completed_at, duration_ms, queue_wait_ms, synced_at
  from workflow_runs where run_attempt = 2`;
const costs = `
  insert into attempt_costs (run_id, run_attempt, part, repo_id, labels, started_at, jobs, untimed, idle, minutes,
    has_begun, stored_at)
  select id, attempt, part, repo_id, '[]', created_at, 1, 0, 0, 1, true, created_at
  from workflow_runs cross join generate_series(0, 1) part cross join generate_series(1, run_attempt) attempt`;

eachDatabase((given) => {
  describe('statements about workflows', () => {
    let database: Database;
    let ids: number[];
    beforeAll(async () => {
      const opened = await given.openRaw();
      database = opened.database;
      ids = [];
      for (let id = 1; id <= repositories; id++) ids.push(await track(opened.store, id));
      await fill(database, ids);
    });

    const names = [
      'workflow_figures',
      'workflow_days',
      'workflow_flakiness',
      'workflow_costs',
      'runs_of_window',
    ] as const;

    test.each(names)('%s finds the runs of a repository, and their costs, by indexes', async (name) => {
      const values: Record<string, unknown> = {
        repo_ids: ids.slice(0, 1),
        from: noon - 30 * day,
        to: noon,
        zone: 'Asia/Saigon',
        price_changes: priceChanges,
        public_ids: [],
        limit: 100,
      };
      const { text, parameters }: Statement = workflowStatements[name];
      const plan = await database.query<{ 'QUERY PLAN': string }>(
        `explain ${text}`,
        parameters.map((parameter) => values[parameter]),
      );
      const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => /Scan/.test(line));
      expect(scans.filter((line) => /Seq Scan on (workflow_|attempt_)/.test(line))).toEqual([]);
      expect(scans.some((line) => /workflow_runs_by_creation/.test(line))).toBe(true);
      expect(scans.some((line) => /attempt_costs_pkey/.test(line))).toBe(name === 'workflow_costs');
    });
  });
});
