import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { FeatureKey } from '../../access/features.ts';
import type { Domain } from '../../api/wire.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, WorkflowRun } from '../../metrics/kernel/facts.ts';
import type { Interval } from '../../metrics/kernel/intervals.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { unreadAuthor } from '../../metrics/people/people.ts';
import type { Half } from '../../metrics/people/profile.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import type { AlertSeverity, AlertSource } from '../../metrics/security/security-alerts.ts';
import { instant, provenance } from './instants.ts';
import type { Range } from './period.ts';
import { coveredRepositories } from './repository-coverage.ts';

export const EvidenceItem = z
  .object({
    label: z.string(),
    url: z.string().nullable(),
    at: instant.nullable().meta({ description: 'When it happened.' }),
    value: z.number().nullable().meta({ description: 'What it adds; null where items are only counted.' }),
    note: z.string().nullable(),
  })
  .meta({ id: 'EvidenceItem' });

/** A number and its evidence: its definition, what counted, what did not and why. */
export const Explained = z
  .object({
    metric: z.string(),
    label: z.string(),
    definition: z.string().nullable(),
    levels: z.string().nullable().meta({ description: 'How a value is judged; null where it is not.' }),
    no_value: z.string().nullable().meta({ description: 'When there is no value; null where there always is one.' }),
    value: z.number().nullable().meta({ description: 'null when it is unknown.' }),
    unit: z.string(),
    better: z.enum(['higher', 'lower', 'neither']),
    sample: z.int(),
    part: z.int().nullable().meta({
      description: 'Of the sample, how many a percentage is made of; null where the value is no such share.',
    }),
    source: z.string(),
    window: z.object({ from: instant, to: instant }).nullable(),
    interval: z
      .object({ low: z.number(), high: z.number() })
      .nullable()
      .meta({ description: '95 %, where it is known.' }),
    partial: z.boolean(),
    coverage: coveredRepositories.coverage.nullable().meta({
      description: 'Which repositories of a scope count; null for a number that is not of several.',
    }),
    repositories: coveredRepositories.repositories,
    counted: z.array(EvidenceItem).meta({ description: 'The newest 500.' }),
    left_out: z.array(z.object({ reason: z.string(), count: z.int(), items: z.array(EvidenceItem) })).meta({
      description: 'By reason; the newest 20 items of each.',
    }),
    ...provenance,
  })
  .meta({ id: 'Explained' });

type Item = Domain<typeof EvidenceItem>;

/** The parameters of a number's explanation; each metric needs some of them. */
export interface ExplainInput {
  owner?: string | undefined;
  repo?: string | undefined;
  org?: string | undefined;
  login?: string | undefined;
  /** Of a person the last 45 days, or the 45 before. */
  half?: Half | undefined;
  /** Whether pull requests of bots count, in metrics where they may. */
  bots?: Bots | undefined;
  environment?: string | undefined;
  /** Of a merge queue; without it the default branch, or the busiest one with a queue. */
  branch?: string | undefined;
  /** Of a recommendation. */
  id?: string | undefined;
  /** A job by its full name. */
  job?: string | undefined;
  source?: AlertSource | undefined;
  severity?: AlertSeverity | undefined;
  /** What security alerts and findings are about, and for how many days alerts have been open. */
  rule?: string | undefined;
  age?: number | undefined;
  workflow_id?: number | undefined;
  per_page?: number | undefined;
  page?: number | undefined;
  days?: number | undefined;
  range?: Range | undefined;
  year?: number | undefined;
  month?: number | undefined;
}

/** How one headline number explains itself; the list of them is `explanations`. */
export interface Explanation {
  /** The metric's key. */
  key: string;
  feature: FeatureKey | null;
  needs: readonly (keyof ExplainInput)[];
  /** What it can do with in their place: the same number of something larger. */
  orNeeds?: readonly (keyof ExplainInput)[];
  /** true where `days` may be any number from 7 to 90, and not only 30 or 90. */
  anyDays?: true;
  explain(input: ExplainInput, context: Context, reply: Reply): Promise<Domain<typeof Explained>>;
}

/** Of which repositories a number of several is. */
type Repositories = Pick<Domain<typeof Explained>, 'coverage' | 'repositories'>;

interface About<Fact> extends Partial<Repositories> {
  window: Window | null;
  partial: boolean;
  asOf: Instant;
  source: 'live' | 'database' | 'mixed';
  interval?: Interval | null;
  item(fact: Fact): Item;
}

/** A metric's value with its evidence, in the shape of the answer. */
export function explainMetric<Fact>(
  metric: Metric<Fact>,
  facts: readonly Fact[],
  { window, partial, asOf, source, interval = null, coverage = null, repositories = [], item }: About<Fact>,
): Domain<typeof Explained> {
  const { key, label, definition, levels, noValue, better } = metric;
  const { value, unit, sample, source: counts } = metric(facts);
  const { counted, excluded } = metric.evidence(facts);
  const reasons = Map.groupBy(excluded, ({ reason }) => reason);
  return {
    metric: key,
    label,
    definition,
    levels,
    noValue,
    value,
    unit,
    better,
    sample,
    part: value === null ? null : metric.countPart(counted),
    source: counts,
    interval,
    partial,
    coverage,
    repositories,
    window: window && { from: window.from, to: window.to },
    counted: newestFirst(counted.map(item)).slice(0, maxCounted),
    leftOut: [...reasons].map(([reason, items]) => ({
      reason,
      count: items.length,
      items: newestFirst(items.map(({ fact }) => item(fact))).slice(0, maxExcluded),
    })),
    generatedAt: asOf,
    dataSource: source,
  };
}

/** A pull request as an item of evidence, with what it adds; titles are known only of those just read. */
export function namedPullRequest(pullRequest: NamedPullRequest, value: number | null): Item {
  const { number, title, htmlUrl, mergedAt, closedAt, createdAt, author, isAuthorUnread } = pullRequest;
  return {
    label: title === null ? `#${number}` : `#${number} ${title}`,
    url: htmlUrl,
    at: mergedAt ?? closedAt ?? createdAt,
    value,
    note: isAuthorUnread ? unreadAuthor : (author?.login ?? deletedAccount),
  };
}

type NamedPullRequest = Pick<
  PullRequest,
  'number' | 'title' | 'htmlUrl' | 'mergedAt' | 'closedAt' | 'createdAt' | 'author' | 'isAuthorUnread'
>;

export const pullRequestItem =
  (measured: (pullRequest: PullRequest) => number | null) =>
  (pullRequest: PullRequest): Item =>
    namedPullRequest(pullRequest, measured(pullRequest));

/** The outcome of a run, as its badge shows it. */
export function runNote({ status, conclusion }: Pick<WorkflowRun, 'status' | 'conclusion'>): string {
  const result = conclusion ?? status;
  return runLabels[result] ?? result.replaceAll('_', ' ');
}

const runLabels: Record<string, string> = {
  success: 'passed',
  failure: 'failed',
  startup_failure: 'failed to start',
  action_required: 'needs action',
  in_progress: 'running',
};

export const deletedAccount = 'deleted account';

const maxCounted = 500;
const maxExcluded = 20;

const newestFirst = (items: Item[]) => items.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
