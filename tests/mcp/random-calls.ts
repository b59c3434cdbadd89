import { between, pickOne } from '../../server/demo/random.ts';
import type { RandomStream } from '../../server/metrics/kernel/random-stream.ts';
import { comparedMetrics } from '../../server/reports/comparison/metrics.ts';
import type { RandomRepository } from '../codehost-double/random-repository.ts';
import { chance } from '../codehost-double/random-values.ts';

export type Call = [tool: string, input: Record<string, unknown>];

/** Valid calls of the tools that answer about a repository, with inputs that chance chooses. */
export function callsOfRepository(random: RandomStream, made: RandomRepository): Call[] {
  const of = { owner: made.owner, repo: made.repo };
  const run = some(random, made.runIds);
  return [
    ['repository_status', of],
    ['delivery_metrics', { ...of, ...maybe(random, 'environment', pickOne(random, made.environments)) }],
    ['explain_number', { ...of, metric: pickOne(random, explained) }],
    ['explain_number', { ...of, metric: pickOne(random, explained) }],
    ['workflow_health', of],
    ['open_pull_requests', { ...of, ...maybe(random, 'waiting_only', true) }],
    ['issue_health', { ...of, days: between(random, 7, 90) }],
    ['issue_health', { ...of, days: between(random, 7, 90) }],
    ['security_findings', { ...of, ...maybe(random, 'severity', pickOne(random, ['critical', 'high', 'low'])) }],
    ...Array.from({ length: 8 }, (): Call => ['compare_periods', compared(random, of)]),
    ['trends', trends(random, of)],
    ['ci_cost', of],
    ['inspect_run', { ...of, ...maybe(random, 'conclusion', pickOne(random, ['success', 'failure'])) }],
    ...(run === undefined ? [] : [['inspect_run', { ...of, run_id: run }] satisfies Call]),
    ...made.workflowIds.flatMap((workflow_id) => callsOfWorkflow(random, { ...of, workflow_id })),
  ];
}

const explained = ['lead_time', 'change_failure_rate', 'fix_cycle_time', 'open_count', 'abandon_rate', 'stale_count'];
const explainedOfWorkflow = ['success_rate', 'failure_rate', 'median_duration', 'flaky_rate'];

const callsOfWorkflow = (random: RandomStream, of: object): Call[] => [
  ['workflow_health', { ...of }],
  ['why_is_ci_slow', { ...of, ...maybe(random, 'sample', between(random, 1, 100)) }],
  ['flaky_and_reliability', { ...of }],
  ['ci_cost', { ...of }],
  ['explain_number', { ...of, metric: pickOne(random, explainedOfWorkflow) }],
];

/** The same of those that answer about all that the caller sees, or one owner. */
export function otherCalls(random: RandomStream, owner: string): Call[] {
  return [
    ['whoami', {}],
    ['find_repositories', maybe(random, 'query', pickOne(random, ['o', 'moving', 'web', 'nothing']))],
    ['contributor', { owner, login: pickOne(random, ['ana', 'bob', 'cy', 'dependabot[bot]']) }],
    ['organization', { org: owner, view: 'overview' }],
    ['organization', { org: owner, view: 'health' }],
    ['ci_cost', { org: owner, ...maybe(random, 'month', between(random, 1, 10)) }],
    ['alerts', maybe(random, 'state', pickOne(random, ['open', 'resolved']))],
  ];
}

const some = <One>(random: RandomStream, list: readonly One[]): One | undefined =>
  list.length === 0 ? undefined : pickOne(random, list);

const maybe = (random: RandomStream, name: string, value: unknown) => (chance(random, 0.5) ? { [name]: value } : {});

function compared(random: RandomStream, of: object) {
  const first = between(random, 0, comparedMetrics.length - 1);
  const metrics = [...comparedMetrics, ...comparedMetrics].slice(first, first + between(random, 1, 5));
  return { ...of, metrics, days: between(random, 7, 90) };
}

function trends(random: RandomStream, of: object) {
  const type = pickOne(random, ['daily', 'quarterly', 'org']);
  return { ...of, type, days: between(random, 1, 365), quarters: between(random, 1, 12) };
}
