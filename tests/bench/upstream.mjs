// Requests to the platform that each operation costs, counted by the double, next to what is allowed.
// node tests/bench/upstream.mjs
import { operations } from '../../server/api/registry.ts';
import { startService } from '../support/service.ts';

const web = 'owner=octo&repo=web';
const later = 16 * 60_000;
/** One conditional request more is allowed, as the proof that the caller may see the repository. */
const proof = 1;

/** Operation, question, and the most requests for a cold and a later answer; null where no limit is laid down. */
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
  ['GET /api/codehost/rate-limit', '', 0, 0],
  ['POST /api/db/sync', web, null, null],
  ['GET /api/db/runs', web, 0, 0],
  ['GET /api/db/trends', web, 0, 0],
];

const table = [];
for (const [operation, query, cold, warm] of questions) {
  const service = await startService({ DATABASE_URL: 'pglite://memory' });
  await service.signIn('token-ann');
  const ask = () => cost(service, operation, query);
  const [first, again] = [await ask(), await ask()];
  service.clock.advance(later);
  const steady = await ask();
  await service.close();
  const within = (counted, limit) => limit === null || counted <= limit + proof;
  table.push({
    operation: `${operation}${query ? `?${query}` : ''}`,
    'cold requests': first.requests,
    'cold quota': first.quota,
    'again at once': again.requests,
    'later requests': steady.requests,
    'later quota': steady.quota,
    'limit cold/later': `${cold ?? '-'}/${warm ?? '-'}`,
    within: within(first.quota, cold) && within(steady.quota, warm) ? 'yes' : 'NO',
  });
}
console.table(table);
console.log(
  `later: ${later / 60_000} minutes. Quota leaves out what was answered by 304. One more is allowed as the proof of visibility.`,
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
  const { status, text } = await ask(method, query ? `${path}?${query}` : path, { as: 'token-ann' });
  if (status !== 200) throw new Error(`${operation}: ${status} ${text}`);
  const quota = double.requests.reduce((sum, one) => sum + one.cost, 0);
  return { requests: double.requests.length, quota };
}
