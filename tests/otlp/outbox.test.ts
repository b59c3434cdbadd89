import { describe, expect, test } from 'vitest';
import { traceId } from '../../server/otlp/ids.ts';
import type { Delivery } from '../../server/store/deliveries.ts';
import { day, repository } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';
import { by, jobOf, minute, noon, openStage, run, saveDestination, usual } from './stage.ts';

eachDatabase((given) => {
  const open = async (options?: Parameters<typeof openStage>[1]) => openStage(await given.open(), options);
  const noted = async ({ store, id, clock }: Awaited<ReturnType<typeof open>>, inMs = minute) =>
    (await store.otlpOutbox.claim(id, 100, clock.now() + inMs)).map(
      ({ runId, attempt, part }) => `${runId}.${attempt} ${part}`,
    );

  describe('spans to be sent', () => {
    test('are noted with a run that completed, and due a minute later', async () => {
      const stage = await open();
      await stage.take(run(1), run(2, { status: 'in_progress', conclusion: null }));
      expect(await noted(stage, minute - 1)).toEqual([]);
      // The attempt is not due either, and waits for no job.
      expect(await stage.store.otlpOutbox.depth(stage.id, stage.clock.now())).toMatchObject({ due: 0, waiting: 1 });
      expect(await noted(stage)).toEqual(['1.1 attempt']);
      expect(await stage.store.otlpOutbox.depth(stage.id, stage.clock.now() + minute)).toMatchObject({
        due: 2,
        waiting: 0,
      });
    });

    test('are not noted without an enabled destination, nor for what was stored before', async () => {
      const stage = await open();
      await stage.store.otlpDestinations.delete(stage.id, by);
      await stage.take(run(1));
      const later = { ...stage, id: await saveDestination(stage.store, stage.receiver) };
      expect(await noted(later)).toEqual([]);
      await stage.store.otlpDestinations.update(
        later.id,
        { name: 'Off', endpoint: stage.receiver.url, enabled: false, options: usual },
        by,
      );
      await stage.take(run(2));
      expect(await noted(later)).toEqual([]);
    });

    test('are not noted of a run that had ended before, once its jobs tell how long it waited', async () => {
      const stage = await open();
      await stage.store.otlpDestinations.delete(stage.id, by);
      await stage.take(run(1));
      const later = { ...stage, id: await saveDestination(stage.store, stage.receiver) };
      const jobs = [{ runId: 1, attempt: 1, detail: 'full' as const, jobs: [jobOf(1)] }];
      await stage.store.jobs.attempts.store(repository(1), jobs, stage.clock.now());
      const known = await stage.store.repositories.find(repository(1));
      expect(await stage.store.runs.jobWaits(known?.id ?? 0, [1])).toEqual([{ id: 1, attempt: 1, waitMs: minute }]);
      expect(await noted(later)).toEqual([]);
      await stage.take(run(1, { conclusion: 'failure', updatedAt: noon + 12 * minute }));
      expect(await noted(later)).toEqual(['1.1 attempt']);
    });

    test('are noted once, whatever is stored of the run later, and again of each attempt', async () => {
      const stage = await open();
      await stage.take(run(1));
      await stage.take(run(1, { conclusion: 'failure', updatedAt: noon + 12 * minute }));
      stage.clock.advance(minute);
      expect(await stage.send()).toBe(1);
      await stage.take(run(1, { workflowName: 'renamed', updatedAt: noon + 13 * minute }));
      expect(await noted(stage, 0)).toEqual([]);
      await stage.take(run(1, { attempt: 2, updatedAt: noon + 30 * minute }));
      // The jobs of the first attempt are still not known.
      expect(await noted(stage)).toEqual(['1.1 jobs', '1.2 attempt']);
    });

    test('are noted of what webhooks bring, in the transaction that stores it', async () => {
      const stage = await open();
      const delivery = (id: string, one: Delivery['run']): Delivery => ({
        id,
        event: 'workflow_run',
        action: 'completed',
        repository: repository(1),
        run: one,
        job: null,
      });
      await stage.store.deliveries.take([delivery('a', run(1))], stage.clock.now());
      const broken = delivery('c', run(3, { headBranch: 'a\0b' }));
      await expect(stage.store.deliveries.take([delivery('b', run(2)), broken], stage.clock.now())).rejects.toThrow();
      expect(await noted(stage)).toEqual(['1.1 attempt']);
    });

    test('are those that the filters of the destination let through', async () => {
      const stage = await open({ workflows: ['BUILD'], only_default_branch: true, owners: ['octo'] });
      await stage.take(
        run(1),
        run(2, { workflowName: 'Lint' }),
        run(3, { headBranch: 'topic' }),
        run(4, { workflowName: 'Build' }),
        run(5, { event: 'pull_request' }),
        run(6, { event: 'pull_request_target' }),
      );
      expect(await noted(stage)).toEqual(['1.1 attempt', '4.1 attempt']);
      const elsewhere = { ...stage, id: await saveDestination(stage.store, stage.receiver, { repos: ['octo/other'] }) };
      await stage.take(run(7));
      expect(await noted(elsewhere)).toEqual([]);
    });

    test('are a share of attempts by their trace ids', async () => {
      const stage = await open({ sample_ratio: 0.3 });
      const ids = Array.from({ length: 100 }, (_, index) => index + 1);
      await stage.take(...ids.map((id) => run(id)));
      const isChosen = (runId: number) => {
        const trace = traceId({ host: 'codehost.test', repoId: 1, runId, attempt: 1 });
        return Number.parseInt(trace.slice(0, 8), 16) < 0.3 * 2 ** 32;
      };
      const chosen = ids.filter(isChosen).map((id) => `${id}.1 attempt`);
      expect((await noted(stage)).sort()).toEqual(chosen.sort());
      expect(chosen.length).toBeGreaterThan(10);
    });

    test('are taken by one at a time, until the lease ends or the clock was set back', async () => {
      const stage = await open();
      await stage.take(run(1));
      expect(await noted(stage, minute)).toHaveLength(1);
      expect(await noted(stage, minute)).toEqual([]);
      expect(await noted(stage, 2 * minute - 1)).toEqual([]);
      expect(await noted(stage, 2 * minute)).toHaveLength(1);
      // Taken by a clock an hour ahead.
      expect(await noted(stage, 62 * minute)).toHaveLength(1);
      expect(await noted(stage, 2 * minute)).toHaveLength(1);
    });

    test('are deleted when they are too old, with their number; jobs that never came count apart', async () => {
      const stage = await open();
      await stage.take(run(1), run(2));
      await stage.takeJobs(2, [jobOf(2)]);
      const { store, id, clock } = stage;
      expect(await store.otlpOutbox.drop(id, { before: clock.now(), jobsBefore: clock.now() })).toBe(0);
      expect(await store.otlpOutbox.drop(id, { before: clock.now() + 1, jobsBefore: clock.now() + 1 })).toBe(4);
      expect(await store.otlpDestinations.find(id)).toMatchObject({ dropped: 3, withoutJobs: 1 });
    });

    test('are not too old once they are to be sent again', async () => {
      const stage = await open();
      await stage.take(run(1));
      await stage.takeJobs(1, [jobOf(1)]);
      const { store, id, clock } = stage;
      for (const row of await store.otlpOutbox.claim(id, 10, clock.now() + minute))
        await store.otlpOutbox.park(id, row, { spans: 1, message: 'no' }, clock.now());
      clock.advance(10 * day);
      expect(await store.otlpOutbox.resend(id, { ...by, now: clock.now() })).toBe(2);
      expect(await store.otlpOutbox.drop(id, { before: clock.now(), jobsBefore: clock.now() })).toBe(0);
    });

    test('of jobs that did not turn up within a week are given up, and counted', async () => {
      const stage = await open();
      await stage.take(run(1));
      for (const pause of [minute, 7 * day, day]) {
        stage.clock.advance(pause);
        await stage.send();
      }
      expect(await stage.store.otlpDestinations.find(stage.id)).toMatchObject({ dropped: 0, withoutJobs: 1 });
      expect(await stage.store.otlpOutbox.depth(stage.id, stage.clock.now())).toMatchObject({ due: 0, waiting: 0 });
    });

    test('are left to whoever has taken them since, by one whose lease ended', async () => {
      const stage = await open();
      await stage.take(run(1));
      const { store, id, clock } = stage;
      const claim = (inMs: number) => store.otlpOutbox.claim(id, 10, clock.now() + inMs);
      const early = await claim(minute);
      const [taken] = await claim(2 * minute);
      for (const give of [
        () => store.otlpOutbox.release(id, early),
        () => store.otlpOutbox.postpone(id, early, clock.now() + 8 * day),
        () => store.otlpOutbox.park(id, early[0] as typeof taken & object, { spans: 1, message: 'no' }, clock.now()),
      ])
        await give();
      expect(await store.otlpOutbox.renew(id, [{ row: early[0] as typeof taken & object }], clock.now())).toEqual([]);
      expect(await claim(3 * minute - 1)).toEqual([]);
      expect(await store.otlpOutbox.depth(id, clock.now())).toMatchObject({ parked: 0 });
      const own = [{ row: taken as typeof taken & object }];
      expect(await store.otlpOutbox.renew(id, own, clock.now() + 2.5 * minute)).toMatchObject([
        { row: { runId: 1, part: 'attempt' } },
      ]);
      expect(await claim(3 * minute)).toEqual([]);
      expect(await claim(3.5 * minute)).toHaveLength(1);
    });

    test('of jobs that became known while they were looked for are due at once', async () => {
      const stage = await open();
      await stage.take(run(1));
      stage.clock.advance(minute);
      await stage.send();
      stage.clock.advance(20 * minute);
      const { store, id, clock } = stage;
      const rows = await store.otlpOutbox.claim(id, 10, clock.now());
      await stage.takeJobs(1, [jobOf(1)]);
      await store.otlpOutbox.postpone(id, rows, clock.now());
      expect(await noted(stage, 0)).toEqual(['1.1 jobs']);
    });

    test('of jobs are known where events brought more than were read', async () => {
      const { store, database } = await given.openRaw();
      const stage = await openStage(store);
      await stage.take(run(1));
      await stage.takeJobs(1, [jobOf(1), jobOf(1, 11)]);
      await database.query('update job_readings set jobs = 1');
      stage.clock.advance(minute);
      expect(await stage.send()).toBe(1 + 2 * 4);
    });

    test('are counted up to a limit', async () => {
      const { store, database } = await given.openRaw();
      const stage = await openStage(store);
      await database.query(
        `insert into otlp_outbox (destination_id, run_id, run_attempt, part, created_at, due_at)
         select $1, id, 1, 'attempt', now(), '2020-01-01' from generate_series(1, 10100) id`,
        [stage.id],
      );
      expect(await stage.store.otlpOutbox.depth(stage.id, stage.clock.now())).toMatchObject({
        due: 10_000,
        oldestDueAt: Date.parse('2020-01-01'),
      });
    });

    test('of jobs of a run that ended more than a week ago are not noted', async () => {
      const stage = await open();
      stage.clock.advance(8 * day);
      await stage.take(run(1));
      expect(await stage.store.otlpOutbox.depth(stage.id, stage.clock.now() + minute)).toMatchObject({ due: 1 });
    });
  });

  test('what was sent is forgotten with its run', async () => {
    const stage = await open();
    await stage.take(run(1));
    stage.clock.advance(minute);
    await stage.send();
    const { purged } = {
      purged: await stage.store.purge(stage.clock.now() + 500 * day, { runDays: 400, mayContinue: () => true }),
    };
    expect(JSON.stringify(purged)).toContain('otlp_sent');
  });

  test('jobs that were read are due at once', async () => {
    const stage = await open();
    await stage.take(run(1));
    stage.clock.advance(minute);
    await stage.send();
    stage.clock.advance(20 * minute);
    // The jobs are looked for in longer and longer pauses.
    await stage.send();
    await stage.takeJobs(1, [jobOf(1)]);
    expect(await noted(stage, 0)).toEqual(['1.1 jobs']);
  });
});
