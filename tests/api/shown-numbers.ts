import { shownAlerts, shownOrganizationSecurity } from '../alerts/shown-alerts.ts';
import { shownCi } from '../reports/ci/shown-ci.ts';
import { shownWorkflow } from '../reports/workflows/shown-workflow.ts';
import { shownCosts } from './shown-costs.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
export type Answer = any;

/** What an explanation is requested with, which answer shows the number, and where in it. */
export interface Shown {
  query: string;
  path: string;
  value(answer: Answer): number | null;
  sample?(answer: Answer): number;
}

/** Where an answer holds how many a share is made of. */
export const partsShown: Record<string, (answer: Answer) => number | null> = {
  pooled_success_rate: ({ aggregate }) => aggregate.pooled_passed_runs,
  first_pass_approval_rate: (answer) => answer.prs_first_pass_approved,
  reviewed_before_merge: (answer) => answer.prs_human_reviewed,
  self_merged: (answer) => answer.prs_self_merged,
  abandon_rate: (answer) => answer.abandoned_prs,
  outside_workday_pct: ({ team }) => team.outside_workday_commits,
  after_hours_pct: (answer) => answer.after_hours_commits,
};

const queueFigures = [
  'queue_time_p50',
  'queue_time_p90',
  'queue_total_p50',
  'queue_total_p90',
  'queue_gap_p50',
  'attempts_per_merge',
  'multiple_attempts_share',
  'queue_length',
  'ejection_rate',
  'innocent_rebuilds',
  'flaky_ejection_share',
  'batch_size_p50',
  'batch_size_max',
  'queue_ci_minutes_per_merge',
  'queue_wasted_minutes_per_merge',
  'throughput_per_hour',
  'checks_time_p50',
  'checks_time_p90',
  'bypass_share',
  'queue_to_production_p50',
  'queue_to_production_p90',
  'train_wait_p50',
  'batches_per_train',
];

const findProduction = ({ by_environment: rows }: Answer) => rows.find(({ is_production }: Answer) => is_production);

const share = (part: number, total: number) => (total === 0 ? null : Math.round((100 * part) / total));

/** Every headline number of a repository; requested anew for each of its windows, environments and people. */
export function shownOf(
  repo: string,
  owner = 'octo',
  people = ['ana', 'bob', 'cy', 'dependabot[bot]'],
): [metric: string, Shown][] {
  const query = `owner=${owner}&repo=${repo}`;
  const at = (path: string, value: Shown['value'], sample?: Shown['sample'], more = ''): Shown => ({
    query: `${query}${more}`,
    path: `/api/codehost/${path}?${query}${more}`,
    value,
    ...(sample && { sample }),
  });
  const same = (path: string, key: string, sample?: string, more = ''): [string, Shown] => [
    key,
    at(path, (answer) => answer[key], sample ? (answer) => answer[sample] : undefined, more),
  ];
  const windows = ['', '&days=30', '&days=90'];
  const periods = ['', '&days=7', '&days=45', '&days=90'];
  const ofOrganization = (key: string, value: (answer: Answer) => number, isCount = false): [string, Shown] => [
    key,
    {
      query: `org=${owner}`,
      path: `/api/codehost/org-overview?org=${owner}`,
      value,
      ...(isCount && { sample: value }),
    },
  ];
  return [
    ...shownCosts(repo, owner),
    // Without a database only the sample organization has stored runs; those of others are held by tests/reports/ci.
    ...(owner === 'lumen-harbor' ? shownCi(repo, owner) : []),
    ...(repo.startsWith('moving') ? [] : shownAlerts(query)),
    ...(repo === 'web' ? shownWorkflow(`${query}&workflow_id=7001`) : []),
    [
      'lead_time',
      at(
        'repo-dora',
        (answer) => answer.lead_time.median_ms,
        (answer) => answer.lead_time.sample_size,
      ),
    ],
    [
      'lead_time_p95',
      at(
        'repo-dora',
        (answer) => answer.lead_time.p95_ms,
        (answer) => answer.lead_time.sample_size,
      ),
    ],
    ...['time_to_open', 'pickup', 'review', 'merge'].map((phase): [string, Shown] => [
      `cycle_${phase}`,
      at(
        'repo-dora',
        ({ cycle_breakdown: cycle }) => cycle[`median_${phase}_ms`],
        ({ cycle_breakdown: cycle }) => cycle.samples[phase],
      ),
    ]),
    ...['corroborated_failures', 'rework_rate'].map((field): [string, Shown] => [
      field === 'rework_rate' ? 'rework_rate_pct' : 'corroborated_failure_rate_pct',
      at(
        'repo-dora',
        (answer) => answer[field]?.rate_pct ?? null,
        (answer) => answer[field]?.total ?? 0,
      ),
    ]),
    [
      'change_failure_rate',
      at(
        'repo-dora',
        (answer) => answer.change_failure_rate.rate,
        (answer) => answer.change_failure_rate.total,
      ),
    ],
    [
      'fix_cycle_time',
      at(
        'repo-dora',
        (answer) => answer.mttr.median_ms,
        (answer) => answer.mttr.recoveries,
      ),
    ],
    same('deployments', 'total_deployments', 'total_deployments'),
    same('deployments', 'deploys_per_day'),
    same('deployments', 'change_failure_rate_pct'),
    same('deployments', 'mttr_hours', 'mttr_samples'),
    [
      'mttr_median_hours',
      at(
        'deployments',
        (answer) => findProduction(answer)?.mttr_median_hours ?? null,
        (answer) => findProduction(answer)?.mttr_samples ?? 0,
      ),
    ],
    ...(['total_deployments', 'deploys_per_day', 'change_failure_rate_pct', 'mttr_hours'] as const).map(
      (key): [string, Shown] => {
        const staging = (answer: Answer) => answer.by_environment.find((one: Answer) => one.environment === 'staging');
        const field = { total_deployments: 'total', change_failure_rate_pct: 'failure_rate_pct' }[key as string] ?? key;
        return [
          key,
          {
            ...at('deployments', (answer) => staging(answer)?.[field] ?? (field === 'total' ? 0 : null)),
            query: `${query}&environment=staging`,
          },
        ];
      },
    ),
    [
      'bus_factor',
      at(
        'bus-factor',
        (answer) => answer.overall_bus_factor,
        (answer) => answer.total_commits,
      ),
    ],
    ...windows.flatMap((more): [string, Shown][] => [
      [
        'outside_workday_pct',
        at(
          'team-workload-risk',
          ({ team }) => team.outside_workday_pct,
          ({ team }) => team.commits,
          more,
        ),
      ],
      same('repo-contributors', 'prs_merged_total', 'prs_merged_total', more),
      same('repo-contributors', 'median_hours_to_merge', undefined, more),
      same('repo-contributors', 'first_pass_approval_rate', undefined, more),
      [
        'reviewed_before_merge',
        at(
          'repo-contributors',
          (answer) => answer.reviewed_before_merge_pct,
          (answer) => answer.prs_merged_total,
          more,
        ),
      ],
      [
        'self_merged',
        at(
          'repo-contributors',
          (answer) => answer.self_merged_pct,
          ({ prs_merged_total, bot_prs }) => prs_merged_total - bot_prs.merged,
          more,
        ),
      ],
      [
        'reviewed_before_merge',
        at('repo-contributors', (answer) => share(answer.prs_human_reviewed, answer.prs_merged_total), undefined, more),
      ],
      [
        'self_merged',
        at(
          'repo-contributors',
          (answer) => share(answer.prs_self_merged, answer.prs_merged_total - answer.bot_prs.merged),
          undefined,
          more,
        ),
      ],
    ]),
    ...windows
      .filter((more) => more !== '')
      .map((more) => same('repo-contributors', 'prs_opened_in_window', 'prs_opened_in_window', more)),
    ...queueFigures.flatMap((key) =>
      ['', '&days=7', '&days=90', '&branch=release'].map((more): [string, Shown] => [
        key,
        at('merge-queue', ({ figures }) => figures?.[key].value ?? null, undefined, more),
      ]),
    ),
    same('open-pr-health', 'abandon_rate', 'abandon_rate_sample'),
    ...['time_to_first_review', 'time_approval_to_merge'].flatMap((key) =>
      [50, 90].map((q) => same('open-pr-health', `${key}_p${q}_hours`, `${key}_sample`)),
    ),
    ...periods.flatMap((more) => [
      same('issues', 'median_days_to_close', 'closed_in_period', more),
      same('issues', 'p90_days_to_close', 'closed_in_period', more),
      ...[
        'open_count',
        'opened_in_period',
        'closed_in_period',
        'stale_count',
        'unanswered_count',
        'unlabelled_count',
        'unassigned_count',
      ].map((key) => same('issues', key, key, more)),
    ]),
    [
      'composite_score',
      {
        ...at('x', ({ repos }) => repos.find((one: Answer) => one.repo === repo)?.composite_score ?? null),
        path: `/api/codehost/org-health-scorecard?org=${owner}&limit=20`,
      },
    ],
    ...people.flatMap((login): [string, Shown][] => {
      const person = `owner=${owner}&login=${encodeURIComponent(login)}`;
      const of = (key: string, field = key, sample?: string): [string, Shown] => [
        key,
        {
          query: person,
          path: `/api/codehost/contributor-profile?${person}`,
          value: (answer) => answer[field],
          ...(sample && { sample: (answer: Answer) => answer[sample] }),
        },
      ];
      return [
        of('person_avg_hours_to_merge', 'avg_hours_to_merge'),
        of('person_median_hours_to_merge', 'median_hours_to_merge'),
        ...['prs_merged', 'prs_opened', 'reviews_given'].map((field) => of(`person_${field}`, field, field)),
        of('person_avg_pr_size', 'avg_pr_size', 'prs_opened'),
        of('person_avg_review_turnaround_hours', 'avg_review_turnaround_hours', 'review_turnaround_sample'),
        of('pr_merge_rate'),
        of('after_hours_pct'),
      ];
    }),
    ...shownOrganizationSecurity(owner),
    ofOrganization('total_repos', (answer) => answer.total_repos, true),
    ofOrganization('active_repos', (answer) => answer.active_repos, true),
    ofOrganization('total_runs', ({ aggregate }) => aggregate.total_runs),
    ofOrganization('pooled_success_rate', ({ aggregate }) => aggregate.pooled_success_rate),
  ];
}

/** The value made anew of the counted items, where they tell enough; undefined where they do not. */
export function remade({ metric, counted, sample, value }: Answer): number | null | undefined {
  const values = counted.flatMap(({ value: one }: Answer) => (one === null ? [] : [one])) as number[];
  if (/_security_alerts$|^org_(affected|severe)_/.test(metric)) return value === null ? null : sample;
  if (
    /_count$|_in_period$|^total_(deployments|repos)$|^active_repos$|^prs_merged_total$|^prs_opened_in_window$|^person_(prs_|reviews_)/.test(
      metric,
    )
  )
    return sample;
  const sum = rounded(
    values.reduce((total, one) => total + one, 0),
    2,
  );
  if (metric === 'scope_runs') return sample;
  if (/^(net_amount|gross_amount|billed_minutes|wasted_minutes|flaky_cost|total_run_time)$/.test(metric)) return sum;
  if (sample === 0) return metric === 'bus_factor' ? 0 : null;
  if (/^(estimated|wasted)_cost$|monthly_cost$/.test(metric)) return sum;
  const noted = (word: RegExp) => share(counted.filter(({ note }: Answer) => word.test(note ?? '')).length, sample);
  if (metric === 'failure_rate') return noted(/^(?!passed)/);
  if (metric === 'p90_duration') return quantile(values, 0.9, 0);
  if (metric === 'changes_before_failures') return counted.filter(({ note }: Answer) => note !== null).length;
  if (metric === 'critical_path_share') return noted(/^on the path/);
  if (/oldest_(open_)?security_alert$/.test(metric)) return Math.max(...values);
  if (metric === 'mean_days_to_fix') return rounded(values.reduce((all, one) => all + one, 0) / sample, 1);
  if (metric === 'median_days_to_fix') return quantile(values, 0.5, 1);
  if (metric === 'person_avg_pr_size') return rounded(values.reduce((sum, one) => sum + one, 0) / sample, 0);
  if (metric === 'change_failure_rate_pct') return noted(/^failed/);
  if (/^((pooled|recent)_)?success_rate$/.test(metric)) return noted(/^passed/);
  if (metric === 'outside_workday_pct') return noted(/weekend|before or after/);
  const delays = values.filter((wait) => wait > 300_000);
  if (metric === 'delayed_runs') return delays.length;
  if (metric === 'wasted_queue') return delays.reduce((total, one) => total + one, 0);
  if (metric === 'rerun_rate')
    return share(counted.filter(({ label }: Answer) => !/attempt 1$/.test(label)).length, sample);
  if (metric === 'flaky_rate') return sample < 10 ? null : noted(/^failed, then passed/);
  if (
    /^(lead_time|fix_cycle_time|cycle_\w+|ci_recovery|critical_path_time|(workflow_)?median_duration|(scope_)?queue_wait)$/.test(
      metric,
    )
  )
    return quantile(values, 0.5, 0);
  if (/p90_(duration|queue_wait)$/.test(metric)) return quantile(values, 0.9, 0);
  if (/p95/.test(metric)) return quantile(values, 0.95, 0);
  if (metric === 'average_duration') return rounded(values.reduce((sum, one) => sum + one, 0) / sample, 0);
  return undefined;
}

function quantile(values: number[], q: number, digits: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [place, rest] = [Math.floor(q * (sorted.length - 1)), (q * (sorted.length - 1)) % 1];
  const [low, high] = [sorted[place] ?? 0, sorted[place + 1] ?? sorted[place] ?? 0];
  return rounded(low + (high - low) * rest, digits);
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
