import { z } from 'zod';
import { repository } from '../../api/parameters.ts';
import { getDelivery } from '../../reports/delivery/operations.ts';
import { getDeployments } from '../../reports/deployments/operations.ts';
import { paging } from '../input.ts';
import { bounds, measure, type Place, type Shared } from '../measurement.ts';
import type { Part, Reader } from '../reader.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const ms = 'milliseconds';
const noLeadTime = 'No pull request of people was merged whose first commit is known.';
const noneFinished = 'No deployment has finished, or the statuses of one could not be read.';

const keys: readonly Place[] = [
  {
    key: 'deployment_frequency',
    label: 'Deployment frequency',
    unit: 'per_day',
    better: 'higher',
    at: '/deployment_frequency/per_day',
    n: '/deployment_frequency/total',
    missing: 'When a release was published could not be read.',
  },
  {
    key: 'lead_time',
    label: 'Lead time to merge, median',
    unit: ms,
    better: 'lower',
    at: '/lead_time/median_ms',
    n: '/lead_time/sample_size',
    interval: bounds('/lead_time/median_interval_ms'),
    lowSample: '/lead_time/low_sample',
    missing: noLeadTime,
  },
  {
    key: 'lead_time_p95',
    label: 'Lead time to merge, p95',
    unit: ms,
    better: 'lower',
    at: '/lead_time/p95_ms',
    n: '/lead_time/sample_size',
    lowSample: '/lead_time/low_sample',
    missing: noLeadTime,
  },
  {
    key: 'change_failure_rate',
    label: 'Change failure rate',
    unit: 'percent',
    better: 'lower',
    at: '/change_failure_rate/rate',
    n: '/change_failure_rate/total',
    interval: bounds('/change_failure_rate/rate_interval'),
    missing: 'No change of people was merged of which it is known whether it is a revert or a hotfix.',
  },
  {
    key: 'fix_cycle_time',
    label: 'Time to restore, median',
    unit: ms,
    better: 'lower',
    at: '/mttr/median_ms',
    n: '/mttr/recoveries',
    missing: 'No revert or hotfix of people was merged, or labels could not be read.',
  },
  ...(['time_to_open', 'pickup', 'review', 'merge'] as const).map((phase) => ({
    key: `cycle_${phase}`,
    label: `Cycle time, ${phase.replaceAll('_', ' ')}, median`,
    unit: ms,
    better: 'lower' as const,
    at: `/cycle_breakdown/median_${phase}_ms`,
    n: `/cycle_breakdown/samples/${phase}`,
    missing: 'No merged pull request of people has this phase with times that could be read.',
  })),
];

/** Of all production environments together, or of one. */
const placesOfDeployments = (at: string, total: string, rate: string): readonly Place[] => [
  {
    key: 'total_deployments',
    label: 'Deployments',
    unit: 'count',
    better: 'neither',
    at: `${at}/${total}`,
    n: `${at}/${total}`,
    missing: null,
  },
  {
    key: 'deploys_per_day',
    label: 'Deployments per day',
    unit: 'per_day',
    better: 'higher',
    at: `${at}/deploys_per_day`,
    missing: noneFinished,
  },
  {
    key: 'change_failure_rate_pct',
    label: 'Failed deployments',
    unit: 'percent',
    better: 'lower',
    at: `${at}/${rate}_pct`,
    interval: bounds(`${at}/${rate}_interval`),
    missing: noneFinished,
  },
  {
    key: 'mttr_hours',
    label: 'Time to restore of deployments, average',
    unit: 'hours',
    better: 'lower',
    at: `${at}/mttr_hours`,
    n: `${at}/mttr_samples`,
    missing: 'No failed deployment was followed by one that succeeded, or statuses could not be read.',
  },
];

export const deliveryMetrics = tool({
  name: 'delivery_metrics',
  title: 'Delivery metrics',
  question: 'How long does a change of acme/shop take to reach the default branch?',
  description:
    'The four DORA keys of a repository over 90 days with cycle time by phase, and its production deployments of 30 days by environment.',
  input: z.object({
    ...repository,
    environment: z.string().max(255, 'is longer than 255 characters').optional(),
    ...paging,
  }),
  operations: [getDelivery, getDeployments],
  questions: ({ owner, repo }) => [
    { operation: getDelivery, params: { owner, repo } },
    { operation: getDeployments, params: { owner, repo } },
  ],
  async run({ owner, repo, environment }, reader) {
    const delivery = await reader.readPart('delivery', getDelivery, { owner, repo });
    const deployments = await reader.readPart('deployments', getDeployments, { owner, repo });
    if (delivery) noteDelivery(reader, delivery.answer);
    if (deployments) noteDeployments(reader, deployments.answer, environment);
    const page = repositoryPage({ owner, repo });
    const shared = sharedOf(reader, { owner, repo }, page);
    return {
      subject: { owner, repo },
      parts: [delivery, deployments].filter((part) => part !== null),
      measurements: [
        ...(delivery ? keys.map((place) => measure(delivery, place, shared)) : []),
        ...measureDeployments(deployments, environment, { ...shared, explained: { owner, repo, environment } }),
      ],
      items: (deployments?.answer.by_environment ?? [])
        .filter((one) => environment === undefined || one.environment === environment)
        .map((one) => ({ key: one.environment, value: { ...one, environment: untrusted(one.environment) } })),
      page,
    };
  },
});

type Deployments = z.output<typeof getDeployments.output>;

/** What stands for a number that the repository does not have. */
function noteDelivery({ notes }: Reader, { basis }: z.output<typeof getDelivery.output>): void {
  if (basis.deployment_frequency === 'merged_prs')
    notes.push({ code: 'basis', text: 'No releases: the deployment frequency counts merged pull requests.' });
}

/** Why there are no numbers of deployments, or of this environment. */
function noteDeployments({ notes }: Reader, answer: Deployments, environment: string | undefined): void {
  if (answer.source === 'none') notes.push({ code: 'source', text: 'The repository records no deployments.' });
  if (answer.source === 'stale') notes.push({ code: 'source', text: 'No deployment was recorded for a long time.' });
  if (environment !== undefined && answer.by_environment.every((one) => one.environment !== environment))
    notes.push({ code: 'not_found', text: 'No environment of this name had deployments.' });
}

function measureDeployments(part: Part<Deployments> | null, environment: string | undefined, shared: Shared) {
  if (part === null) return [];
  const index = part.answer.by_environment.findIndex((one) => one.environment === environment);
  if (environment !== undefined && index === -1) return [];
  const places =
    environment === undefined
      ? placesOfDeployments('', 'total_deployments', 'change_failure_rate')
      : placesOfDeployments(`/by_environment/${index}`, 'total', 'failure_rate');
  return places.map((place) => measure(part, place, shared));
}
