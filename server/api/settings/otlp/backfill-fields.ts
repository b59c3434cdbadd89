import { z } from 'zod';
import { within } from '../../../platform/fields.ts';
import { instant } from '../../../reports/kernel/instants.ts';
import type { StoredBackfill } from '../../../store/otlp-backfills.ts';
import type { Domain } from '../../wire.ts';
import { destinationId } from './fields.ts';

/** Which stored attempts are sent. */
export const backfillInput = z
  .object({
    destination_id: destinationId,
    from: z.iso.date({ abort: true }).meta({ description: 'First day of creation, in the team’s zone.' }),
    to: z.iso.date({ abort: true }).meta({ description: 'Last day, all of it.' }),
    repo: z
      .string()
      .trim()
      .regex(/^[\w-]{1,39}\/[\w.-]{1,100}$/, 'is no owner/name')
      .transform((text) => text.toLowerCase())
      .optional()
      .meta({ description: '`owner/name`; omitted, all that the destination takes.' }),
    again: z.boolean().default(false).meta({ description: 'Also what the destination was sent before.' }),
  })
  .superRefine(({ from, to }, check) => {
    if (to < from) check.addIssue({ code: 'custom', path: ['to'], message: 'is before the first day' });
  });

export const backfillChange = z.object({
  id: within(1, 2 ** 31 - 1),
  action: z.enum(['pause', 'resume', 'cancel']),
});

export const Backfill = z
  .object({
    id: z.int(),
    destination_id: z.int(),
    from: instant,
    to: instant.meta({ description: 'Before then.' }),
    repo: z.string().nullable(),
    again: z.boolean(),
    state: z.enum(['running', 'paused', 'done', 'cancelled']),
    done: z.int().meta({ description: 'Attempts that were sent, or had been before.' }),
    total: z.int(),
    rejected: z.int().meta({ description: 'Spans that the receiver did not take.' }),
    per_second: z.number().nullable().meta({ description: 'Attempts since it was started or resumed.' }),
    remaining_seconds: z.int().nullable(),
    started_by: z.string(),
    started_at: instant,
    finished_at: instant.nullable(),
  })
  .meta({ id: 'TraceBackfill' });

export function backfillRecord(
  { resumedAt, resumedDone, ...one }: StoredBackfill,
  now: number,
): Domain<typeof Backfill> {
  const { done, total, state } = one;
  const seconds = (now - resumedAt) / 1000;
  const perSecond = state === 'running' && seconds > 0 && done > resumedDone ? (done - resumedDone) / seconds : null;
  return {
    ...one,
    perSecond: perSecond === null ? null : Math.round(perSecond * 10) / 10,
    remainingSeconds: perSecond === null ? null : Math.ceil((total - done) / perSecond),
  };
}
