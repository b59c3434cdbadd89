import type { z } from 'zod';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import type { CiReport } from './schema.ts';

type Row = z.output<typeof CiReport>['workflows'][number];

/** A row of the file, where nothing rounds a rate for the eye: as many decimals as distinguish any two counts. */
export function toExactRow(row: Row): Row {
  const { failed_runs: failed, cancelled_runs: cancelled, flaky_commits: flaky } = row;
  return {
    ...row,
    failure_rate: refine(row.failure_rate, failed, row.failure_rate_sample),
    cancelled_share: refine(row.cancelled_share, cancelled, row.cancelled_share_sample),
    flaky_rate: refine(row.flaky_rate, flaky, row.flaky_sample),
  };
}

/** What is not said stays so, as a flaky rate of few commits. */
function refine(answered: number | null, part: number, total: number): number | null {
  const exact = answered === null ? null : percent(part, total);
  return exact === null ? null : roundTo(exact, 4);
}
