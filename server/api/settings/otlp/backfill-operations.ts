import { z } from 'zod';
import { changedBy } from '../../../access/context.ts';
import { administrator } from '../../../access/rules.ts';
import { addDays } from '../../../metrics/people/workday-hours.ts';
import { Problem } from '../../../platform/problem.ts';
import { teamCalendar } from '../../../reports/kernel/calendar.ts';
import { adminWrites, operation } from '../../operation.ts';
import { Backfill, backfillChange, backfillInput, backfillRecord } from './backfill-fields.ts';

const path = '/api/settings/otlp/backfills';

export const startBackfill = operation({
  method: 'POST',
  path,
  summary: 'Send stored attempts to a destination of traces',
  access: administrator,
  limit: adminWrites,
  successes: { 202: 'It is going on; see `GET /api/settings/otlp`.' },
  failures: ['not_found', 'backfill_running'],
  input: backfillInput,
  output: z.object({ backfill: Backfill }),
  async run({ destination_id: destinationId, from, to, repo = null, again }, context, reply) {
    const { store, services } = context;
    const calendar = await teamCalendar(context);
    const range = { from: calendar.getStart(from), to: calendar.getStart(addDays(to, 1)) };
    const id = await store.otlpBackfills.start({ destinationId, ...range, repo, again }, await changedBy(context));
    const started = id === null ? null : await store.otlpBackfills.find(id);
    if (started === null && (await store.otlpDestinations.find(destinationId)) === null)
      throw new Problem('not_found', 'There is no such destination.');
    if (started === null)
      throw new Problem('backfill_running', 'A backfill of this destination is running: cancel it or wait.');
    reply.status = 202;
    return { backfill: backfillRecord(started, services.clock.now()) };
  },
});

export const changeBackfill = operation({
  method: 'PATCH',
  path,
  summary: 'Pause, resume or cancel a backfill of traces; nothing changes where it has ended',
  access: administrator,
  limit: adminWrites,
  failures: ['not_found', 'backfill_running'],
  input: backfillChange,
  output: z.object({ backfill: Backfill }),
  async run({ id, action }, context) {
    const { store, services } = context;
    if (!(await store.otlpBackfills.change(id, action, await changedBy(context))))
      throw new Problem('backfill_running', 'Another backfill of this destination is running.');
    const changed = await store.otlpBackfills.find(id);
    if (changed === null) throw new Problem('not_found', 'There is no such backfill.');
    return { backfill: backfillRecord(changed, services.clock.now()) };
  },
});
