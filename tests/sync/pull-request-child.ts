// Reads the pull requests of one repository and their commits, as a process that may be killed at any moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCodehost, createCodehostShared } from '../../server/codehost/client/codehost.ts';
import { systemClock as clock } from '../../server/platform/clock.ts';
import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';
import { syncPullRequestCommits } from '../../server/sync/pull-request-commits.ts';

const [databaseUrl = '', apiUrl = '', owner = '', repo = ''] = process.argv.slice(2);
const log = createLog('silent');
const store = await openStore({ url: databaseUrl, log, poolMax: 2, statementTimeoutMs: 60_000, migrate: false });
const shared = createCodehostShared();
const access = { apiUrl, graphqlUrl: `${apiUrl}/graphql`, token: 'token-ann' };
const codehost = createCodehost({ ...access, clock, log, shared });
const repository = await codehost.repositories.get({ owner, repo });
const repoId = await store.repositories.track(repository, 'ann', clock.now());

process.stdout.write('begun\n');
for (let isDone = false; !isDone; ) {
  const options = { codehost, store, clock, facts: store.facts, mayContinue: () => true };
  const { complete, problem } = await syncPullRequestCommits(repoId, repository, options);
  if (problem) process.exit(3);
  isDone = complete;
  await sleep(1);
}
process.stdout.write('done\n');
await store.close();
await shared.close();
