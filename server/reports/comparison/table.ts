import type { z } from 'zod';
import type { ComparisonReport } from './schema.ts';

type Metric = z.output<typeof ComparisonReport>['metrics'][number];

/** A metric as a row: both periods, and what differs. */
export const toComparisonRow = ({ metric, a, b, difference, verdict }: Metric): object => ({
  metric,
  unit: a.unit,
  ...toColumns('a', a),
  ...toColumns('b', b),
  difference: difference.absolute,
  difference_pct: difference.relative_pct,
  difference_low: difference.interval?.low ?? null,
  difference_high: difference.interval?.high ?? null,
  verdict,
});

const toColumns = (name: string, { value, n, interval, window, coverage, as_of }: Metric['a']) => ({
  [`${name}_from`]: window.from,
  [`${name}_to`]: window.to,
  [name]: value,
  [`${name}_n`]: n,
  [`${name}_low`]: interval?.low ?? null,
  [`${name}_high`]: interval?.high ?? null,
  [`${name}_complete`]: coverage.complete,
  [`${name}_as_of`]: as_of,
});
