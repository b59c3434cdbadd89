// Requests to the platform that each operation costs, counted by the double, next to what is allowed.
// node tests/bench/upstream.mjs [only operations with this in their name]…
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../server/api/registry.ts';
import { startService } from '../support/service.ts';

const web = 'owner=octo&repo=web';
const later = 16 * 60_000;
/** One conditional request more is allowed, as the proof that the caller may see the repository. */
const proof = 1;

/**
 * Operation, question, and the most requests for a cold and a later answer; null where no limit is laid down. Then the
 * repositories that are synchronized before.
 */
const questions = [
  ['GET /api/codehost/repos', '', 3, 0],
  ['GET /api/codehost/org-repos', 'org=octo', 1, 0],
  ['GET /api/codehost/org-repos', 'org=many', 3, 0],
  ['GET /api/codehost/orgs', '', 1, 0],
  ['GET /api/codehost/repo-attention', 'org=octo', null, null],
  ['GET /api/codehost/repo-summary', web, 2, 0],
  ['GET /api/codehost/repo-overview', web, 6, 1],
  ['GET /api/codehost/workflows', web, 1, 0],
  ['GET /api/codehost/runs', `${web}&workflow_id=7001`, 1, 0],
  ['GET /api/codehost/workflow-health', `${web}&workflow_id=7001`, null, null],
  ['GET /api/codehost/run-details', `${web}&run_id=5011`, 1, 0],
  ['GET /api/codehost/workflow-reliability', `${web}&workflow_id=7001`, 1, 0],
  ['GET /api/codehost/job-stats', `${web}&workflow_id=7001`, 5, 1],
  ['GET /api/codehost/runner-stats', web, 31, 1],
  ['GET /api/codehost/repo-dora', web, 9, 1],
  ['GET /api/codehost/deployments', web, 5, 1],
  ['GET /api/codehost/repo-contributors', web, 3, 1],
  ['GET /api/codehost/repo-contributors', `${web}&days=90`, 2, 2],
  ['GET /api/codehost/contributor-profile', 'owner=octo&login=ana', 5, 4],
  ['GET /api/codehost/team-stats', web, 1, 0],
  ['GET /api/codehost/bus-factor', web, 10, 3],
  ['GET /api/codehost/security-scan', web, 1, 1],
  ['GET /api/codehost/team-workload-risk', web, 21, 2],
  ['GET /api/codehost/open-pr-health', web, 6, 2],
  ['GET /api/codehost/issues', web, 21, 1],
  ['GET /api/codehost/security-alerts', web, 6, 0],
  ['GET /api/codehost/audit-log', web, 1, 1],
  ['GET /api/codehost/workflow-change-outcomes', web, 2, 1],
  ['GET /api/codehost/org-overview', 'org=octo', 22, 20],
  ['GET /api/codehost/org-contributors', 'org=octo', null, null, ['web', 'api']],
  ['GET /api/codehost/org-health-scorecard', 'org=octo', 90, 5],
  ['GET /api/codehost/org-health-scorecard', 'org=many', 90, 5],
  ['GET /api/codehost/billing', 'org=octo', 2, 0],
  ['GET /api/codehost/billing/cost-analysis', 'org=octo', 2, 0],
  ['GET /api/codehost/workflow-cost', `${web}&workflow_id=7001`, null, null],
  ['GET /api/codehost/rate-limit', '', 0, 0],
  ['POST /api/codehost/create-issue', `${web}&title=Slow`, 1, 1],
  ['POST /api/db/sync', web, null, null],
  ['GET /api/db/runs', web, 0, 0],
  ['GET /api/db/trends', web, 0, 0],
  ['GET /api/db/compare', `${web}&metrics=success_rate,duration_p95,runs,lead_time,first_review`, 0, 0],
];

const only = process.argv.slice(2);
const isWanted = ([operation]) => only.length === 0 || only.some((part) => operation.includes(part));

const table = [];
for (const [operation, query, cold, warm, tracked = []] of questions.filter(isWanted)) {
  const service = await startService({ DATABASE_URL: 'pglite://memory' });
  await service.signIn('token-ann');
  for (const repo of tracked) await cost(service, 'POST /api/db/sync', `owner=octo&repo=${repo}`);
  const ask = () => cost(service, operation, query);
  const [first, again] = [await ask(), await ask()];
  service.clock.advance(later);
  const steady = await ask();
  await service.close();
  const within = (counted, limit) => limit === null || counted <= limit + proof;
  table.push({
    operation: `${operation}${query ? `?${query}` : ''}`,
    'cold requests': first.requests,
    'cold points': first.quota,
    'again at once': again.requests,
    'later requests': steady.requests,
    'later paid': steady.paid,
    'later points': steady.quota,
    'limit cold/later': `${cold ?? '-'}/${warm ?? '-'}`,
    within: within(first.paid, cold) && within(steady.paid, warm) ? 'yes' : 'NO',
  });
}
console.table(table);
console.log(
  `later: ${later / 60_000} minutes. Paid leaves out what was answered by 304; points are what GraphQL charges for them. One more is allowed as the proof of visibility.`,
);

const asked = new Set(questions.map(([operation]) => operation));
const forgotten = operations
  .map(({ method, path }) => `${method} ${path}`)
  .filter((name) => /\/api\/(codehost|db)\//.test(name) && !asked.has(name));
if (forgotten.length > 0) console.log(`not measured: ${forgotten.join(', ')}`);
if (forgotten.length > 0 || table.some(({ within }) => within === 'NO')) process.exitCode = 1;

async function cost({ ask, double }, operation, query) {
  const [method, path] = operation.split(' ');
  double.requests.length = 0;
  for (let computing = true; computing; ) {
    const { status, text, body } = await ask(method, query ? `${path}?${query}` : path, { as: 'token-ann' });
    if (status >= 300) throw new Error(`${operation}: ${status} ${text}`);
    // Scores are computed behind the answer: what they cost is known when they are done.
    computing = body.computing === true;
    if (computing) await sleep(200);
  }
  const quota = double.requests.reduce((sum, one) => sum + one.cost, 0);
  const paid = double.requests.filter((one) => one.cost > 0).length;
  return { requests: double.requests.length, paid, quota };
}
