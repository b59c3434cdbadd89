import type { z } from 'zod';
import type { Plan } from './plan-schema.ts';
import type { Recommendations } from './schema.ts';

type Item = z.output<typeof Recommendations>['recommendations'][number];

/** A recommendation as a row of a table. */
export const toRow = (item: Item) => ({
  id: item.id,
  kind: item.kind,
  title: item.title,
  workflow_path: item.workflow_path,
  line: item.line,
  state: item.state,
  certainty: item.certainty,
  predicted: item.effect.predicted,
  reduction_low_pct: item.effect.next_28_days?.reduction_pct.low ?? null,
  reduction_high_pct: item.effect.next_28_days?.reduction_pct.high ?? null,
  minutes_saved_low: item.effect.next_28_days?.minutes_saved.low ?? null,
  minutes_saved_high: item.effect.next_28_days?.minutes_saved.high ?? null,
  cost_saved_low: item.effect.next_28_days?.cost_saved?.low ?? null,
  cost_saved_high: item.effect.next_28_days?.cost_saved?.high ?? null,
  wall_p50_low_s: item.effect.next_28_days?.wall_p50_change_s?.low ?? null,
  wall_p50_high_s: item.effect.next_28_days?.wall_p50_change_s?.high ?? null,
  finding: item.finding.text,
  sample: item.finding.sample,
  reason: [...new Set([item.effect.reason, ...item.reasons].flatMap((one) => one?.code ?? []))].join(' '),
  pull_request_url: item.pull_request?.html_url ?? null,
  pull_request_state: item.pull_request?.state ?? null,
  verdict: item.verdict?.state ?? null,
});

/** A row of a plan likewise. */
export const toPlanRow = ({ alone, marginal, ...row }: z.output<typeof Plan>['rows'][number]) => ({
  ...row,
  minutes_saved_low: alone?.minutes_saved.low ?? null,
  minutes_saved_high: alone?.minutes_saved.high ?? null,
  cost_saved_low: alone?.cost_saved?.low ?? null,
  cost_saved_high: alone?.cost_saved?.high ?? null,
  marginal_minutes: marginal?.minutes_saved ?? null,
  marginal_cost: marginal?.cost_saved ?? null,
});
