import { organization } from '../demo/catalogue.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import { failingStreak, failureRate, outlierCount, slowQueueWait } from './ci-metrics.ts';
import type { SampleSource } from './demo-facts.ts';
import type { AlertFacts, AlertMetric } from './metric.ts';
import { slowReview } from './people-metrics.ts';
import { parseScope } from './scope.ts';

export interface SampleRule {
  rule: AlertRule;
  metric: AlertMetric<AlertFacts, SampleSource>;
}

interface Plan extends Pick<SampleRule, 'metric'> {
  /** Of the organization; null for all of them. */
  repo: string | null;
  threshold: number;
  days: number;
  minSample?: number;
  channel: AlertRule['channel'];
  destination?: string;
  note?: string;
  isMuted?: true;
}

const plans: readonly Plan[] = [
  {
    metric: failingStreak,
    repo: 'harbor-gateway',
    threshold: 4,
    days: 1,
    channel: 'slack',
    destination: 'https://hooks.slack.com/services/…',
    note: 'Whoever merged last looks first.',
  },
  {
    metric: failureRate,
    repo: null,
    threshold: 15,
    days: 7,
    minSample: 20,
    channel: 'email',
    destination: `platform@${organization.login}.example`,
  },
  {
    metric: slowQueueWait,
    repo: null,
    threshold: 10,
    days: 7,
    minSample: 20,
    channel: 'email',
    destination: `platform@${organization.login}.example`,
  },
  { metric: slowReview, repo: 'tidewater-web', threshold: 24, days: 14, channel: 'browser' },
  { metric: outlierCount, repo: 'beacon-api', threshold: 4, days: 1, channel: 'browser', isMuted: true },
];

/** The rules of the sample organization, of which one was muted some days ago. */
export const sampleRules = (now: Instant): SampleRule[] => plans.map((plan, index) => toRule(plan, index + 1, now));

/** What a rule of the sample watches; undefined for what none does. */
export const findSampleMetric = (key: string): SampleRule['metric'] | undefined =>
  plans.find(({ metric }) => metric.key === key)?.metric;

function toRule({ metric, repo, days, ...plan }: Plan, id: number, now: Instant): SampleRule {
  const { login } = organization;
  const scope = parseScope(repo === null ? `org:${login}` : `repo:${login}/${repo}`);
  if (!scope) throw new Error('The rules of the sample are about its organization.');
  const createdAt = now - 45 * dayMs;
  const rule: AlertRule = {
    id,
    scope: scope.scope,
    scopeKind: scope.scopeKind,
    scopeKey: scope.scopeKey,
    metric: metric.key,
    threshold: plan.threshold,
    windowHours: 24 * days,
    minSample: plan.minSample ?? null,
    channel: plan.channel,
    destination: plan.destination ?? null,
    enabled: true,
    mutedUntil: plan.isMuted ? now + 4 * dayMs : null,
    ownerNote: plan.note ?? null,
    runbookUrl: null,
    deliveryFailingSince: null,
    createdBy: 'mira-okafor',
    createdAt,
    updatedBy: 'mira-okafor',
    updatedAt: plan.isMuted ? now - 3 * dayMs : createdAt,
  };
  return { rule, metric };
}
