import { setTimeout as sleep } from 'node:timers/promises';
import type { Double } from '../codehost-double/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { type Service, startService } from '../support/service.ts';

const web = 'owner=octo&repo=web';

/** Operations that read GraphQL, and the most requests of a cold answer: contract-codehost §7. */
export const coldBudgets: Record<string, number> = {
  [`repo-summary?${web}`]: 2,
  [`repo-overview?${web}`]: 6,
  [`job-stats?${web}&workflow_id=7001`]: 5,
  [`repo-dora?${web}`]: 9,
  [`deployments?${web}`]: 5,
  [`repo-contributors?${web}`]: 3,
  [`repo-contributors?${web}&days=90`]: 2,
  'contributor-profile?owner=octo&login=ana': 5,
  [`bus-factor?${web}`]: 10,
  [`team-workload-risk?${web}`]: 21,
  [`open-pr-health?${web}`]: 6,
  [`issues?${web}`]: 21,
  'org-overview?org=octo': 21,
  'org-health-scorecard?org=octo': 90,
  [`security-scan?${web}`]: 1,
  [`audit-log?${web}`]: 1,
};

/** Types of errors that the platform gives, and one that it may come to give. */
export const errorTypes = [
  'NOT_FOUND',
  'FORBIDDEN',
  'INSUFFICIENT_SCOPES',
  'UNPROCESSABLE',
  'INTERNAL',
  'SERVICE_UNAVAILABLE',
  'RESOURCE_LIMITS_EXCEEDED',
  'MAX_NODE_LIMIT_EXCEEDED',
  'SOMETHING_NEW',
];

/** One request more is allowed as the proof that the caller may see the repository (decision 45). */
const proof = 1;
export const allowedRequests = (question: string) => 2 * (coldBudgets[question] ?? 0) + 2 + proof;
export const allowedMs = 15_000;
/** What a failing field adds beyond the time that this machine takes for as many requests. */
export const addedMs = (cost: Cost, cold: Cost) => cost.ms - (cold.ms * cost.requests) / cold.requests;

export interface Cost {
  requests: number;
  ms: number;
  status: number;
  /** Fields of the GraphQL answers. */
  fields: string[];
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
  body: any;
  /** The header `X-Partial`. */
  partial: string | null;
}

const day = 86_400_000;

/** A repository with so many merged pull requests that every list of them has many pages. */
function addManyPages(double: Double): void {
  double.addRepository({ name: 'octo/many', facts: { id: 88_001 } });
  double.addPullRequests('octo/many', 600, { from: namedNow - 80 * day, to: namedNow - day, first: 1 });
}

/** What a cold answer costs while every instance of a field fails for good with an error; without one when null. */
export async function costWith(beside: Service, question: string, failing: { field: string; type: string } | null) {
  const service = await startService({}, beside);
  const { double } = beside;
  if (question.includes('repo=many')) addManyPages(double);
  await service.signIn('token-ann');
  double.requests.length = 0;
  if (failing) double.fault({ path: '/graphql', times: 100_000 }, { kind: 'failing_field', ...failing });
  const started = performance.now();
  const ask = () => service.ask('GET', `/api/codehost/${question}`, { as: 'token-ann' });
  let answer = await ask();
  const ms = performance.now() - started;
  while (answer.body?.computing === true) {
    await sleep(50);
    answer = await ask();
  }
  const requests = double.requests.filter(({ path }) => path !== '/rate_limit');
  const fields = [...new Set(requests.flatMap((one) => one.fields ?? []))].filter(
    (one) => !one.startsWith('RateLimit'),
  );
  await service.close();
  double.reset();
  const { status, body, headers } = answer;
  return { requests: requests.length, ms, status, fields, body, partial: headers.get('x-partial') } satisfies Cost;
}
