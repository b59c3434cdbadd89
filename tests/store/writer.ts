import { isDeepStrictEqual } from 'node:util';
import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';
import { recount } from './recount.ts';
import { hour, minute, noon, run, track } from './world.ts';

/**
 * A process that writes until it is killed: checks what earlier lives left behind, then brings batch after batch and
 * says which are safe. Arguments: address, number of the last batch that was reported safe.
 */
const [url = '', reported = '0'] = process.argv.slice(2);
const batchSize = 20;

const batch = (number: number) =>
  Array.from({ length: batchSize }, (_, i) => {
    const id = number * batchSize + i;
    const createdAt = noon + (id % 97) * hour;
    return run(id, { createdAt, startedAt: createdAt, updatedAt: createdAt + (1 + (id % 50)) * minute });
  });

const log = createLog('silent');
const store = await openStore({ url, log, poolMax: 2, statementTimeoutMs: 60_000, migrate: true });
const repo = await track(store);
const last = await check(Number(reported));
console.log(`checked ${last}`);
for (let number = last + 1; ; number++) {
  const runs = batch(number);
  // Runs of the batch before are re-run in the same transaction: all of it happens, or nothing.
  const again = number > 1 ? batch(number - 1).map((one) => ({ ...one, attempt: 2 })) : [];
  await store.runs.ingest(repo, [...runs, ...again], { syncedAt: noon });
  console.log(`safe ${number}`);
  if (number % 3 === 0) await store.runs.recomputeDirty();
}

/** Nothing reported is lost, nothing is there by half or twice, and the days add up. Answers the last whole batch. */
async function check(atLeast: number): Promise<number> {
  const runs = await store.runs.recent(repo, { limit: 1_000_000 });
  const complete = runs.length / batchSize;
  const attempts = await store.runs.attempts(repo, { since: 0, limit: 1_000_000 });
  const daily = () => store.trends.daily([repo], { from: '2026-01-01', to: '2026-12-31', timezone: 'UTC' });
  const problems = [
    !Number.isInteger(complete) && `${runs.length} runs are no whole number of batches`,
    complete < atLeast && `batch ${atLeast} was safe, but only ${complete} are there`,
    complete > atLeast + 1 && `${complete} batches are there, more than one beyond ${atLeast}`,
    new Set(runs.map((one) => one.id)).size !== runs.length && 'a run is there twice',
    complete > 0 &&
      attempts.length !== (2 * complete - 1) * batchSize &&
      `${attempts.length} attempts of ${complete} batches`,
    !isDeepStrictEqual(await daily(), recount(runs, 'UTC')) && 'days differ from their runs',
  ];
  await store.runs.recomputeDirty();
  problems.push(!isDeepStrictEqual(await daily(), recount(runs, 'UTC')) && 'rollups differ from their runs');
  for (const problem of problems) if (problem) throw new Error(problem);
  return complete;
}
