// Synchronizes one repository until nothing is left, as a process that may be killed at any moment. Says so on stdout.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEvaluateAfterSync } from '../../server/alerts/evaluate-after-sync.ts';
import { createCodehost, createCodehostShared } from '../../server/codehost/client/codehost.ts';
import { systemClock as clock } from '../../server/platform/clock.ts';
import { readEnv } from '../../server/platform/env.ts';
import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';
import { type SyncResult, syncRepositories } from '../../server/sync/sync-repositories.ts';

const [databaseUrl = '', apiUrl = '', owner = '', repo = ''] = process.argv.slice(2);
const log = createLog('silent');
const env = readEnv({ NODE_ENV: 'test', SESSION_SECRET: randomUUID() + randomUUID() });
const store = await openStore({ url: databaseUrl, log, poolMax: 2, statementTimeoutMs: 60_000, migrate: false });
const shared = createCodehostShared();
const access = { apiUrl, graphqlUrl: `${apiUrl}/graphql`, token: 'token-ann' };
const codehost = createCodehost({ ...access, clock, log, shared });
const evaluateAfterSync = createEvaluateAfterSync({ env, clock, log, store, queue: null });
const repositories = [await codehost.repositories.get({ owner, repo })];

process.stdout.write('begun\n');
for (let result: SyncResult | null = null; result?.partial !== false; ) {
  result = await syncRepositories(
    { env, clock, log, evaluateAfterSync },
    { codehost, store, repositories, trackedBy: 'ann', source: 'sync', budgetMs: 50_000, signal: AbortSignal.any([]) },
  );
  const [{ status } = { status: 'error' }] = result.results;
  if (status === 'locked') process.stdout.write('locked\n');
  if (status === 'locked') result = null;
  if (status === 'error') process.exit(3);
  await sleep(1);
}
process.stdout.write('done\n');
await store.close();
await shared.close();
