import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backUp } from '../../server/maintenance/backup.ts';
import { restore } from '../../server/maintenance/restore.ts';
import { continueBackfills } from '../../server/otlp/backfill.ts';
import { exportSpans } from '../../server/otlp/export.ts';
import { createLog } from '../../server/platform/log.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { findPrograms } from '../support/postgres.ts';
import { by, env, jobOf, minute, noon, openStage, run } from './stage.ts';

const programs = { ...process.env, PATH: [findPrograms(), process.env.PATH].join(delimiter) };

/** Sends everything that is stored once more. */
async function sendAgain(store: Store, destinationId: number): Promise<void> {
  const clock = { now: () => noon + 60 * minute };
  const range = { from: 0, to: clock.now(), repo: null, again: true };
  await store.otlpBackfills.start({ destinationId, ...range }, { ...by, now: clock.now() });
  await continueBackfills({ store, clock }, () => true);
  await exportSpans({ store, env, clock, log: createLog('silent') }, () => true);
}

eachDatabase((given) => {
  test('after a dump and its restoration the same spans are sent, byte by byte', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'restored-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const url = await given.address();
    const store = await openTestStore(url);
    const stage = await openStage(store);
    await stage.take(
      run(1),
      run(2),
      run(2, { attempt: 2, startedAt: noon + 2 * minute, updatedAt: noon + 9 * minute }),
    );
    await stage.takeJobs(1, [jobOf(1)]);
    stage.clock.advance(minute);
    await stage.send();
    const { spans, repeated } = stage.receiver;
    expect(spans.size).toBe(3 + 4);
    expect(JSON.stringify(await store.otlpDestinations.list())).not.toContain('secret-value');
    await store.close();

    const file = join(folder, 'of-traces.backup');
    await backUp(file, url, programs);
    const target = given.name === 'embedded' ? `pglite://${join(folder, 'db')}` : await given.empty();
    await restore(file, target, programs);
    const restored = await openTestStore(target);
    onTestFinished(() => restored.close());
    await sendAgain(restored, stage.id);
    expect(spans.size).toBe(3 + 4);
    expect(repeated).toHaveLength(spans.size);
    for (const span of repeated) expect(span.bytes).toBe(spans.get(`${span.traceId} ${span.spanId}`)?.bytes);
    expect(stage.receiver.requests.at(-1)?.headers['x-key']).toBe('secret-value');
  });
});
