import { expect, test } from 'vitest';
import { Migration20261128235032_otlp_locks } from '../../migrations/Migration20261128235032_otlp_locks.ts';
import { dayMs } from '../../server/metrics/kernel/window.ts';
import { leaseMs } from '../../server/store/otlp-outbox.ts';
import { postgresDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { dice } from '../sync/deliveries-world.ts';
import { by, jobOf, minute, noon, openStage, run, type Stage, saveDestination } from './stage.ts';

const turns = rounds('OTLP_LOCKS', 60, 400);
const everything = { from: 0, to: noon + 400 * minute, repo: null, again: true };

// The embedded database runs one transaction at a time.
postgresDatabase((given) => {
  test('whoever stores runs does not wait for a deletion of a destination, nor fail by it', async () => {
    const { store, database } = await given.openRaw();
    const stage = await openStage(store);
    await stage.take(run(1));
    await database.transaction(async ({ query }) => {
      await query('delete from otlp_destinations where id = $1', [stage.id]);
      // On another connection, which cannot see the deletion yet.
      await stage.take(run(2));
    });
    await stage.take(run(3));
    const left = () => database.query('select run_id::int as run from otlp_outbox group by 1 order by 1');
    expect(await left()).toEqual([{ run: 1 }, { run: 2 }]);
    const other = { ...stage, id: await saveDestination(store, stage.receiver) };
    await stage.take(run(4));
    expect(await store.otlpOutbox.deleteLeftovers()).toBe(4);
    expect(await store.otlpOutbox.deleteLeftovers()).toBe(0);
    expect(await left()).toEqual([{ run: 4 }]);
    stage.clock.advance(minute);
    expect(await other.send()).toBe(1);
  });

  test('what was sent to a destination that is deleted is forgotten, and nothing more is sent there', async () => {
    const { store, database } = await given.openRaw();
    const stage = await openStage(store);
    await stage.take(run(1), run(2));
    stage.clock.advance(minute);
    await stage.send();
    await stage.takeJobs(1, [jobOf(1)]);
    await store.otlpDestinations.delete(stage.id, by);
    expect(await store.otlpOutbox.claim(stage.id, 10, stage.clock.now() + minute)).toEqual([]);
    expect(await store.otlpOutbox.deleteLeftovers()).toBe(4);
    expect(await database.query('select from otlp_sent')).toEqual([]);
  });

  test('whoever stores jobs does not wait for spans that are being sent', async () => {
    const { store, database } = await given.openRaw();
    const stage = await openStage(store);
    await stage.take(run(1));
    stage.clock.advance(minute);
    await stage.send();
    await stage.send();
    stage.clock.advance(minute / 2);
    await database.transaction(async ({ query }) => {
      await query('select from otlp_outbox for update');
      await stage.takeJobs(1, [jobOf(1)]);
    });
    stage.clock.advance(minute);
    expect(await stage.send()).toBe(4);
  });

  test('what is forgotten of spans that were sent waits for nobody who has it', async () => {
    const { store, database } = await given.openRaw();
    const stage = await openStage(store);
    await stage.take(run(1), run(2));
    stage.clock.advance(minute);
    await stage.send();
    const purge = () => store.purge(stage.clock.now() + 500 * dayMs, { runDays: 400, mayContinue: () => true });
    const left = async () => (await database.query('select run_id::int as run from otlp_sent')) as { run: number }[];
    await database.transaction(async ({ query }) => {
      await query('select from otlp_sent where run_id = 1 for update');
      await purge();
    });
    expect(await left()).toEqual([{ run: 1 }]);
    await purge();
    expect(await left()).toEqual([]);
  });

  test('what a deleted destination left behind is deleted past what somebody has', async () => {
    const { store, database } = await given.openRaw();
    const stage = await openStage(store);
    await stage.take(run(1), run(2));
    stage.clock.advance(minute);
    await stage.send();
    await store.otlpDestinations.delete(stage.id, by);
    await database.transaction(async ({ query }) => {
      await query('select from otlp_sent where run_id = 1 for update');
      await query('select from otlp_outbox where run_id = 2 for update');
      expect(await store.otlpOutbox.deleteLeftovers()).toBe(2);
    });
    expect(await store.otlpOutbox.deleteLeftovers()).toBe(2);
  });

  test(`nobody waits in a circle, in ${turns} turns of all that changes the outbox at once`, async () => {
    const stage = await openStage(await given.open());
    const failures = (await Promise.all(Array.from({ length: 8 }, (_, seed) => work(stage, seed + 1)))).flat();
    expect(failures).toEqual([]);
  });
});

test('the migration of what is sent waits for whoever stores runs before it has anything that they take then', () => {
  const migration = new Migration20261128235032_otlp_locks(null as never, null as never);
  migration.up();
  const [first, ...others] = migration.getQueries().map(String);
  const [, runs, spans] =
    /^do .*lock table (.+) in share row exclusive.*lock table (.+) in access/s.exec(first ?? '') ?? [];
  expect(runs).toBe('workflow_runs, workflow_run_attempts, job_readings');
  expect(spans).toBe('otlp_destinations, otlp_backfills, otlp_outbox, otlp_sent');
  expect(others.filter((statement) => statement.includes('lock table'))).toEqual([]);
});

/** Does one thing after the other; answers what failed. */
async function work(stage: Stage, seed: number): Promise<string[]> {
  const { store, clock, id } = stage;
  const { otlpOutbox, otlpBackfills } = store;
  const random = dice(seed);
  const runId = () => 1 + random(40);
  const accepted = { rejected: 1, message: 'one was not taken' };
  const actions: (() => Promise<unknown>)[] = [
    () => stage.take(...Array.from({ length: 10 }, () => run(runId(), { updatedAt: clock.now() + random(minute) }))),
    () => {
      const id = runId();
      return stage.takeJobs(id, [jobOf(id)]);
    },
    async () => {
      const rows = await otlpOutbox.claim(id, 20, clock.now() + minute + random(leaseMs));
      const [first, ...others] = rows;
      if (first) await otlpOutbox.park(id, first, { spans: 1, message: 'no' }, clock.now());
      const spans = others.map((row) => ({ ...row, spans: 1, carriedOver: 0 }));
      await otlpOutbox.accept(id, spans.slice(0, 6), accepted, clock.now());
      await otlpOutbox.postpone(id, others.slice(6, 9), clock.now());
      await otlpOutbox.forget(id, others.slice(9, 10));
      await otlpOutbox.release(id, others.slice(10));
    },
    () => otlpOutbox.resend(id, by),
    () => otlpOutbox.drop(id, { before: clock.now() - random(minute), jobsBefore: clock.now() }),
    async () => {
      const started = await otlpBackfills.start({ ...everything, destinationId: id }, by);
      if (started === null) return;
      await otlpBackfills.step({ id: started, destinationId: id }, { limit: 30, perSecond: 1000 }, clock.now());
      await otlpBackfills.change(started, 'cancel', by);
    },
    () => otlpOutbox.deleteLeftovers(),
    () => store.otlpDestinations.pause(id, { message: 'away', retryAfterMs: 0 }, clock.now()),
  ];
  const failures: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const action = actions[random(actions.length)];
    await action?.().catch((error: unknown) => failures.push(String(error)));
  }
  return failures;
}
