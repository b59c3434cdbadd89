// npm run otlp:backfill -- --destination 1 --from DAY --to DAY: sends stored runs to a destination of traces.
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { openStore } from '../store/orm.ts';
import { runCommand } from './command.mjs';
import { startBackfill } from './otlp-backfill.ts';

await runCommand(async ({ databaseUrl: url }) => {
  const store = await openStore({
    url,
    log: createLog('silent'),
    poolMax: 1,
    statementTimeoutMs: 300_000,
    migrate: true,
  });
  try {
    return await startBackfill(process.argv.slice(2), store, systemClock);
  } finally {
    await store.close();
  }
});
