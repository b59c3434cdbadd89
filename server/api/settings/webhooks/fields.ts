import { z } from 'zod';
import { instant } from '../../../reports/kernel/instants.ts';
import type { StoredEndpoint } from '../../../store/webhook-endpoints.ts';
import type { Domain } from '../../wire.ts';

/** An endpoint, without its secret. */
export const Endpoint = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  off_reason: z.enum(['gone', 'failing']).nullable().meta({
    description:
      'Why the service switched it off: `gone` after an answer 410, `failing` after ten failed events in a row.',
  }),
  failures: z.int().meta({ description: 'Events in a row that were given up.' }),
  previous_until: instant.nullable().meta({ description: 'Until when the previous secret signs as well.' }),
  created_by: z.string(),
  updated_at: instant,
  deliveries: z
    .array(
      z.object({
        at: instant,
        event_id: z.int().nullable().meta({ description: 'null for a test of the endpoint.' }),
        status: z.int().nullable().meta({ description: 'HTTP status; null where no answer came.' }),
        ms: z.int(),
        error: z.string().nullable(),
      }),
    )
    .meta({ description: 'The last ten attempts, newest first.' }),
});

export function endpointRecord(endpoint: StoredEndpoint, now: number): Domain<typeof Endpoint> {
  const { id, name, url, enabled, offReason, failures, previousUntil, createdBy, updatedAt, attempts } = endpoint;
  return {
    id,
    name,
    url,
    enabled,
    offReason,
    failures,
    previousUntil: previousUntil !== null && previousUntil > now ? previousUntil : null,
    createdBy,
    updatedAt,
    deliveries: attempts.map(({ event_id: eventId, ...attempt }) => ({ ...attempt, eventId })),
  };
}
