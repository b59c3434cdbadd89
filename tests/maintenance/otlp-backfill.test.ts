import { expect, test } from 'vitest';
import { CommandRefused } from '../../server/maintenance/command-refused.ts';
import { startBackfill } from '../../server/maintenance/otlp-backfill.ts';
import { addDays, createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { workday } from '../../server/settings/workday.ts';
import { noon, openStage, run } from '../otlp/stage.ts';
import { cheapestDatabase } from '../support/database.ts';

cheapestDatabase((given) => {
  test('the command starts a backfill, of whole days, and says how much there is', async () => {
    const { store, id, take, clock } = await openStage(await given.open());
    await take(run(1), run(2));
    const day = new Date(noon).toISOString().slice(0, 10);
    const ask = (...args: string[]) => startBackfill(args, store, clock);
    const wanted = ['--destination', String(id), '--from', day, '--to', day];
    expect(await ask(...wanted, '--repo', 'Octo/Repo-1')).toEqual([
      'Sending 2 attempts to Collector while the service runs; Settings, Traces shows how far it is.',
      'Of the 2 attempts that are stored, 0 have jobs.',
    ]);
    const [started] = await store.otlpBackfills.list();
    const { getStart } = createCalendar(workday.fallback.timezone);
    expect(started).toMatchObject({
      destinationId: id,
      from: getStart(day),
      to: getStart(addDays(day, 1)),
      repo: 'octo/repo-1',
      again: false,
    });
    await expect(ask(...wanted)).rejects.toThrow('A backfill of Collector is running: cancel it or wait.');
    await expect(ask('--destination', '77', '--from', day, '--to', day)).rejects.toThrow('There is no destination 77');
    for (const wrong of [
      [],
      ['--destination', '1'],
      [...wanted, '--fast'],
      ['--destination', '1', '--from', 'x', '--to', day],
      ['--destination', '1', '--from', '2026-02-31', '--to', day],
    ])
      await expect(ask(...wrong)).rejects.toThrow(CommandRefused);
  });
});
