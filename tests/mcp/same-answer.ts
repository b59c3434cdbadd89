import { expect } from 'vitest';
import { z } from 'zod';
import { type Measurement, unexplained, valueAt } from '../../server/mcp/measurement.ts';
import type { ToolAnswer } from '../../server/mcp/result.ts';
import type { Answered, Service } from '../support/service.ts';

/** Holds every number of a tool, and all that goes with it, against the answer of the API that it points to. */
export async function expectSameAsApi(
  { measurements }: ToolAnswer,
  service: Pick<Service, 'ask'>,
  headers: Record<string, string>,
): Promise<void> {
  for (const [path, own] of Map.groupBy(measurements, ({ rest }) => rest.path)) {
    const answered = await service.ask('GET', path, { headers });
    expect([path, answered.status]).toEqual([path, 200]);
    for (const measurement of own) expectSame(measurement, answered);
  }
}

function expectSame(measurement: Measurement, { body, headers }: Answered): void {
  const { path, pointer } = measurement.rest;
  const { value, n, interval, low_sample, as_of, missing, coverage } = measurement;
  const beside = besideOf(path, body, pointer);
  // A side of a comparison says for itself of when it is and how complete; a difference is made of two of them.
  const [, side, isDifference] = /^(\/metrics\/\d+\/(?:[ab]|(difference)))\//.exec(pointer) ?? [];
  const said = Said.parse(side ? valueAt(body, side) : body);
  expect({ path, pointer, value, n, interval, low_sample, as_of, isMissing: missing !== null }).toEqual({
    path,
    pointer,
    value: valueAt(body, pointer) ?? null,
    n: beside.n ?? null,
    interval: beside.interval && { ...beside.interval, level: 0.95 },
    low_sample: beside.lowSample,
    as_of: said.as_of ?? body.generated_at ?? headers.get('x-data-as-of'),
    isMissing: value === null,
  });
  expect([path, pointer, missing]).not.toEqual([path, pointer, unexplained]);
  const isPartial = said.partial ?? headers.get('x-partial') === 'true';
  const uncounted = { complete: !isPartial, expected: null, read: n, reasons: said.partial_reasons ?? [] };
  const counted = said.coverage ?? (path.includes('/security-scan') ? coverageOfScan(body) : uncounted);
  if (!isDifference) expect([path, pointer, coverage]).toEqual([path, pointer, counted]);
}

/** Of its files, those that were scanned. */
const coverageOfScan = ({
  workflows_found: expected,
  workflows_scanned: read,
  not_scanned,
  partial,
}: Answered['body']) => ({
  complete: read === expected && !partial,
  expected,
  read,
  reasons: [...new Set(not_scanned.map(({ reason }: Answered['body']) => reason))],
});

/** What answers of the API, or parts of them, say about themselves. */
const Said = z.object({
  as_of: z.string().nullish(),
  partial: z.boolean().optional(),
  partial_reasons: z.array(z.string()).optional(),
  coverage: z
    .object({
      complete: z.boolean(),
      expected: z.number().nullable(),
      read: z.number(),
      reasons: z.array(z.string()),
    })
    .optional()
    .catch(undefined),
});

/** Where the sample of a number stands, by what its address and its pointer begin and end with; others have none. */
const samples: readonly [address: RegExp, pointer: RegExp, sample: string][] = [
  [/repo-summary/, /^\/success_rate$/, '/success_rate_sample'],
  [/repo-dora/, /^\/deployment_frequency\/per_day$/, '/deployment_frequency/total'],
  [/repo-dora/, /^\/lead_time\/.*$/, '/lead_time/sample_size'],
  [/repo-dora/, /^\/change_failure_rate\/.*$/, '/change_failure_rate/total'],
  [/repo-dora/, /^\/mttr\/.*$/, '/mttr/recoveries'],
  [/repo-dora/, /^\/cycle_breakdown\/median_(\w+)_ms$/, '/cycle_breakdown/samples/$1'],
  [/deployments/, /^(.*)\/(total|total_deployments)$/, '$1/$2'],
  [/deployments/, /^(.*)\/mttr_hours$/, '$1/mttr_samples'],
  [/explain/, /^\/value$/, '/sample'],
  [/workflow-(health|reliability)/, /^(\/measurements\/\d+)\/value$/, '$1/sample'],
  [/workflow-cost/, /^\/total\/est_cost$/, '/est_cost_sample'],
  [/workflow-cost/, /^\/(median_run_cost|cost_per_pull_request|wasted_cost)$/, '/$1_sample'],
  [/workflow-cost/, /^\/wasted_minutes$/, '/wasted_cost_sample'],
  [/open-pr-health/, /^\/total_open$/, '/total_open'],
  [/open-pr-health/, /^\/(awaiting_review_count|stale_count)$/, '/fetched_prs'],
  [/open-pr-health/, /^\/(time_\w+)_p\d\d_hours$/, '/$1_sample'],
  [/open-pr-health/, /^\/abandon_rate$/, '/abandon_rate_sample'],
  [/issues/, /^\/\w+_days_to_close$/, '/days_to_close_sample'],
  [/security-scan/, /^.*$/, '/workflows_scanned'],
  [/org-overview/, /^(\/\w+)\/pooled_success_rate$/, '$1/pooled_success_rate_sample'],
  [/org-health-scorecard/, /^\/median_score$/, '/repos_analysed'],
  [/db\/compare/, /^(\/metrics\/\d+\/[ab])\/value$/, '$1/n'],
  [/db\/cost/, /^\/totals\/\w+_per_month$/, '/totals/cost_sample'],
  [/db\/cost/, /^\/forecast\/expected$/, '/forecast/sample_days'],
  [/contributor-profile/, /^(.*)\/median_hours_to_merge_(\w+)$/, '$1/prs_merged_$2'],
];

function besideOf(address: string, answer: unknown, pointer: string) {
  const [, at, sample = ''] = samples.find(([path, value]) => path.test(address) && value.test(pointer)) ?? [];
  const n = at ? valueAt(answer, pointer.replace(at, sample)) : null;
  const lowSample = valueAt(answer, pointer.replace(/[^/]+$/, 'low_sample')) ?? (typeof n === 'number' && n < 5);
  return { n, interval: intervalBeside(answer, pointer), lowSample };
}

/** Names of the two ends where an answer has no object of them. */
const ends: Readonly<Record<string, readonly [low: string, high: string]>> = {
  projected_net_amount: ['projected_net_low', 'projected_net_high'],
  expected: ['low', 'high'],
};

/** Under any of the names that an answer has for the interval of a number. */
function intervalBeside(answer: unknown, pointer: string): { low: number; high: number } | null {
  const [, parent, name = '', unit = ''] = /^(.*\/)(\w+?)(_ms|_pct)?$/.exec(pointer) ?? [];
  const at = (one: string) => valueAt(answer, `${parent}${one}`);
  const [low = '', high = ''] = ends[name] ?? [];
  const named = [
    ...(name === 'value' || name === 'absolute' ? ['interval'] : []),
    `${name}_interval`,
    `${name}_interval${unit}`,
  ];
  const found = [{ low: at(low), high: at(high) }, ...named.map(at)].map((one) => Interval.safeParse(one).data);
  return found.find((one) => one !== undefined) ?? null;
}

const Interval = z.object({ low: z.number(), high: z.number() });
