// The files for Prometheus and Grafana, made from the declared families: `node tests/support/monitoring-files.ts`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ownFamilies } from '../../server/openmetrics/families.ts';
import { deliveryFamilies } from '../../server/openmetrics/repository-families.ts';
import { sharedFamilies } from '../../server/openmetrics/shared.ts';
import { sampleName } from '../../server/platform/exposition.ts';
import type { MetricFamily } from '../../server/platform/metric-family.ts';

const folder = fileURLToPath(new URL('../../public/docs/files', import.meta.url));

const all = new Map([...ownFamilies, ...sharedFamilies, ...deliveryFamilies].map((family) => [family.name, family]));

/** The samples of a declared family, with a selector; a family that is not declared cannot be named. */
function samples(name: string, selector = '', suffix = ''): string {
  const family = all.get(`das_${name}`) as MetricFamily<string> | undefined;
  if (!family) throw new Error(`no family das_${name}`);
  for (const [, label = ''] of selector.matchAll(/(\w+)=/g))
    if (!family.labels.includes(label) && label !== 'le') throw new Error(`das_${name} has no label ${label}`);
  return `${sampleName(family)}${suffix}${selector && `{${selector}}`}`;
}

/** What all processes see alike, once. */
const shared = (name: string, by: string, selector = '') =>
  by ? `max by (${by}) (${samples(name, selector)})` : `max(${samples(name, selector)})`;

interface Alert {
  name: string;
  query: string;
  minutes: number;
  summary: string;
}

const alerts: readonly Alert[] = [
  {
    name: 'DeliveryAnalyticsJobOverdue',
    query: `${shared('job_overdue', 'job')} == 1`,
    minutes: 5,
    summary: 'A scheduled job did not complete for 36 hours, or 12 hours beyond a longer rhythm.',
  },
  {
    name: 'DeliveryAnalyticsQueueStuck',
    query: `${shared('queue_oldest_item_age_seconds', 'queue')} > 900`,
    minutes: 5,
    summary: 'The oldest item of a queue is older than 15 minutes.',
  },
  {
    name: 'DeliveryAnalyticsDatabaseDown',
    query: `${samples('database_up')} == 0`,
    minutes: 2,
    summary: 'A process does not reach its database.',
  },
  {
    name: 'DeliveryAnalyticsGitHubBudgetLow',
    query: `min by (job, api) (${samples('codehost_budget_remaining_ratio')}) < 0.1`,
    minutes: 5,
    summary: 'Less than a tenth of the quota of the service token is left until it is renewed.',
  },
  {
    name: 'DeliveryAnalyticsAiBudgetLow',
    query: `${shared('ai_budget_remaining_ratio', '')} < 0.1`,
    minutes: 5,
    summary: 'Less than a tenth of the tokens for generated texts is left today.',
  },
  {
    name: 'DeliveryAnalyticsTracesStuck',
    query: `${shared('otlp_oldest_due_age_seconds', 'destination')} > 1800`,
    minutes: 5,
    summary: 'Traces have waited for a destination for 30 minutes.',
  },
  {
    name: 'DeliveryAnalyticsDataOld',
    query: `${shared('repository_data_age_seconds', 'owner, repo')} > 26 * 3600`,
    minutes: 10,
    summary: 'A repository was not synced for 26 hours.',
  },
];

const recorded: readonly [name: string, query: string][] = [
  ['das:job_overdue:max', shared('job_overdue', 'job')],
  ['das:queue_oldest_item_age_seconds:max', shared('queue_oldest_item_age_seconds', 'queue')],
  ['das:repository_data_age_seconds:max', shared('repository_data_age_seconds', 'owner, repo')],
  ['das:http_requests:rate5m', `sum by (operation, status_class) (rate(${samples('http_requests')}[5m]))`],
];

const scrape = `# For prometheus.yml. The token is METRICS_TOKEN of the service.
scrape_configs:
  - job_name: delivery-analytics
    scrape_interval: 60s
    scheme: https
    authorization:
      type: Bearer
      credentials_file: /etc/prometheus/delivery-analytics.token
    static_configs:
      - targets: ["analytics.example.org"]
`;

const rules = `# For rule_files of prometheus.yml.
groups:
  - name: delivery-analytics-recorded
    rules:
${recorded.map(([name, query]) => `      - record: ${name}\n        expr: ${query}\n`).join('')}  - name: delivery-analytics
    rules:
${alerts
  .map(
    ({ name, query, minutes, summary }) => `      - alert: ${name}
        expr: ${query}
        for: ${minutes}m
        labels:
          severity: warning
        annotations:
          summary: ${summary}
`,
  )
  .join('')}`;

interface Panel {
  title: string;
  unit: string;
  queries: readonly [query: string, legend: string][];
  /** A table with a column for each query. */
  isTable?: boolean;
  thresholds?: readonly [number, string][];
}

const own = 'owner=~"$owner",repo=~"$repo"';
const quantile = (name: string, window: string, value: string) =>
  samples(name, `${own},window="${window}",quantile_of="${value}"`);
const perRepository = '{{owner}}/{{repo}}';

const deliveryPanels: readonly Panel[] = [
  {
    title: 'Lead time, median, 90 days',
    unit: 's',
    queries: [[perRepo(quantile('repository_lead_time_seconds', '90d', '0.5')), perRepository]],
    thresholds: [
      [86_400, 'yellow'],
      [604_800, 'orange'],
      [2_592_000, 'red'],
    ],
  },
  {
    title: 'Reverts and hotfixes with sample size, 90 days',
    unit: 'percentunit',
    isTable: true,
    queries: [
      [perRepo(samples('repository_change_failure_ratio', `${own},window="90d"`)), 'Reverts and hotfixes'],
      [perRepo(samples('repository_samples', `${own},window="90d",of="change_failure_ratio"`)), 'Sample size'],
    ],
  },
  {
    title: 'Time to merge a fix, median, 90 days',
    unit: 's',
    queries: [[perRepo(quantile('repository_restore_time_seconds', '90d', '0.5')), perRepository]],
  },
  {
    title: 'Deployments, 30 days',
    unit: 'short',
    queries: [[perRepo(samples('repository_deployments', `${own},window="30d"`)), perRepository]],
  },
  {
    title: 'Merged pull requests, 90 days',
    unit: 'short',
    queries: [[perRepo(samples('repository_pull_requests_merged', `${own},window="90d"`)), perRepository]],
  },
  {
    title: 'Time to first review, median, 90 days',
    unit: 's',
    queries: [[perRepo(quantile('repository_first_review_time_seconds', '90d', '0.5')), perRepository]],
  },
  {
    title: 'Success rate of workflow runs with sample size, 30 days',
    unit: 'percentunit',
    isTable: true,
    queries: [
      [perRepo(samples('repository_workflow_success_ratio', `${own},window="30d"`)), 'Success rate'],
      [perRepo(samples('repository_samples', `${own},window="30d",of="workflow_success_ratio"`)), 'Sample size'],
      [perRepo(samples('repository_coverage_ratio', `${own},window="30d"`)), 'Part that is stored'],
    ],
  },
  {
    title: 'Duration of workflow runs, 90th percentile, 30 days',
    unit: 's',
    queries: [[perRepo(quantile('repository_workflow_duration_seconds', '30d', '0.9')), perRepository]],
  },
  {
    title: 'Queue wait, 90th percentile, 30 days',
    unit: 's',
    queries: [[perRepo(quantile('repository_workflow_queue_seconds', '30d', '0.9')), perRepository]],
  },
  {
    title: 'CI cost at list prices, 30 days',
    unit: 'currencyUSD',
    queries: [[perRepo(samples('repository_ci_cost_usd', `${own},window="30d"`)), perRepository]],
  },
  {
    title: 'Age of the data',
    unit: 's',
    queries: [[perRepo(samples('repository_data_age_seconds', own)), perRepository]],
    thresholds: [[93_600, 'red']],
  },
];

function perRepo(query: string): string {
  return `max by (owner, repo) (${query})`;
}

const servicePanels: readonly Panel[] = [
  {
    title: 'Requests per second, 5 minutes',
    unit: 'reqps',
    queries: [[`sum by (status_class) (rate(${samples('http_requests')}[5m]))`, '{{status_class}}']],
  },
  {
    title: 'Time to answer, 95th percentile, 5 minutes',
    unit: 's',
    queries: [
      [
        `histogram_quantile(0.95, sum by (le, operation) (rate(${samples('http_request_duration_seconds', '', '_bucket')}[5m])))`,
        '{{operation}}',
      ],
    ],
  },
  { title: 'Requests being answered', unit: 'short', queries: [[samples('http_requests_in_flight'), '{{instance}}']] },
  {
    title: 'Errors per second by code, 5 minutes',
    unit: 'cps',
    queries: [[`sum by (code) (rate(${samples('http_refusals')}[5m]))`, '{{code}}']],
  },
  {
    title: 'Requests to GitHub per second, 5 minutes',
    unit: 'reqps',
    queries: [[`sum by (api, outcome) (rate(${samples('codehost_requests')}[5m]))`, '{{api}} {{outcome}}']],
  },
  {
    title: 'Event loop delay, 99th percentile, since the last scrape',
    unit: 's',
    queries: [[samples('event_loop_delay_seconds', 'quantile_of="0.99"'), '{{instance}}']],
  },
  { title: 'Resident memory', unit: 'bytes', queries: [[samples('process_resident_memory_bytes'), '{{instance}}']] },
  {
    title: 'Processor time per second, 5 minutes',
    unit: 's',
    queries: [[`rate(${samples('process_cpu_seconds')}[5m])`, '{{instance}}']],
  },
  { title: 'Database reached', unit: 'short', queries: [[samples('database_up'), '{{instance}}']] },
  {
    title: 'Database connections',
    unit: 'short',
    queries: [[`sum by (state) (${samples('database_connections')})`, '{{state}}']],
  },
  { title: 'Queue items', unit: 'short', queries: [[shared('queue_items', 'queue, state'), '{{queue}} {{state}}']] },
  {
    title: 'Time since a job last completed',
    unit: 's',
    queries: [[`time() - ${shared('job_last_success_timestamp_seconds', 'job')}`, '{{job}}']],
  },
  {
    title: 'Webhook deliveries per second, 5 minutes',
    unit: 'cps',
    queries: [[`max by (event, outcome) (rate(${samples('webhook_deliveries')}[5m]))`, '{{event}} {{outcome}}']],
  },
  {
    title: 'Time from an event to its storage, latest delivery',
    unit: 's',
    queries: [[shared('webhook_ingest_lag_seconds', ''), 'Latest delivery']],
  },
  {
    title: 'Series excluded',
    unit: 'short',
    queries: [[`max by (family) (${samples('exposition_series_dropped')}) > 0`, '{{family}}']],
  },
];

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the dashboard.
const datasource = { type: 'prometheus', uid: '${datasource}' };

function panel({ title, unit, queries, isTable = false, thresholds = [] }: Panel, index: number) {
  return {
    id: index + 1,
    type: isTable ? 'table' : 'timeseries',
    title,
    datasource,
    gridPos: { h: 8, w: 12, x: (index % 2) * 12, y: Math.floor(index / 2) * 8 },
    fieldConfig: {
      defaults: {
        unit,
        thresholds: {
          mode: 'absolute',
          steps: [{ color: 'green', value: null }, ...thresholds.map(([value, color]) => ({ color, value }))],
        },
      },
      overrides: isTable
        ? [{ matcher: { id: 'byName', options: 'Sample size' }, properties: [{ id: 'unit', value: 'short' }] }]
        : [],
    },
    targets: queries.map(([expr, legendFormat], place) => ({
      refId: String.fromCharCode(65 + place),
      datasource,
      expr,
      legendFormat,
      ...(isTable && { format: 'table', instant: true }),
    })),
    ...(isTable && {
      transformations: [
        { id: 'merge', options: {} },
        {
          id: 'organize',
          options: {
            excludeByName: { Time: true },
            renameByName: Object.fromEntries(
              queries.map(([, label], place) => [`Value #${String.fromCharCode(65 + place)}`, label]),
            ),
          },
        },
      ],
    }),
  };
}

const byLabel = (name: string, label: string, selector = '') => ({
  name,
  label: name,
  type: 'query',
  datasource,
  query: `label_values(${samples('repository_data_age_seconds', selector)}, ${label})`,
  refresh: 2,
  includeAll: true,
  multi: true,
});

function dashboard(title: string, uid: string, panels: readonly Panel[], variables: readonly object[]) {
  const source = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };
  const value = {
    id: null,
    uid,
    title,
    schemaVersion: 41,
    refresh: '1m',
    time: { from: 'now-7d', to: 'now' },
    templating: { list: [source, ...variables] },
    panels: panels.map(panel),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Every file by its name. */
export const monitoringFiles: ReadonlyMap<string, string> = new Map([
  ['prometheus-scrape.yml', scrape],
  ['prometheus-rules.yml', rules],
  [
    'grafana-delivery.json',
    dashboard('Delivery', 'das-delivery', deliveryPanels, [
      byLabel('owner', 'owner'),
      byLabel('repo', 'repo', 'owner=~"$owner"'),
    ]),
  ],
  ['grafana-service.json', dashboard('Delivery Analytics', 'das-service', servicePanels, [])],
]);

/** The queries of the rules and dashboards. */
export const monitoringQueries: readonly string[] = [
  ...alerts.map(({ query }) => query),
  ...recorded.map(([, query]) => query),
  ...[...deliveryPanels, ...servicePanels].flatMap(({ queries }) => queries.map(([query]) => query)),
];

export const readServed = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');

if (import.meta.main) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of monitoringFiles) writeFileSync(`${folder}/${name}`, text);
}
