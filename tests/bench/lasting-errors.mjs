// Requests and seconds of each operation while every node of one GraphQL field fails for good, over all fields and
// types of errors. node tests/bench/lasting-errors.mjs [only questions with this in their name]…
import { allowedMs, allowedRequests, coldBudgets, costWith, errorTypes } from '../api/lasting-errors.ts';
import { startService } from '../support/service.ts';

const only = process.argv.slice(2);
const service = await startService();
const table = [];
for (const question of Object.keys(coldBudgets)) {
  if (only.length > 0 && !only.some((part) => question.includes(part))) continue;
  const cold = await costWith(service, question, null);
  const worst = { requests: 0, ms: 0, by: '' };
  for (const field of cold.fields) {
    for (const type of errorTypes) {
      const { requests, ms } = await costWith(service, question, { field, type });
      if (requests > worst.requests) Object.assign(worst, { requests, by: `${field} ${type}` });
      worst.ms = Math.max(worst.ms, ms);
    }
  }
  const isWithin = worst.requests <= allowedRequests(question) && worst.ms <= allowedMs;
  const cases = cold.fields.length * errorTypes.length;
  table.push({ question, cases, cold: cold.requests, worst: worst.requests, allowed: allowedRequests(question) });
  Object.assign(table.at(-1), { by: worst.by, 'worst ms': Math.round(worst.ms), within: isWithin ? 'yes' : 'NO' });
}
await service.close();
console.table(table);
if (table.some(({ within }) => within === 'NO')) process.exitCode = 1;
