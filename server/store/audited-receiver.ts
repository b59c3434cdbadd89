import { appendAudit, type ChangedBy } from './audit.ts';
import type { Queries } from './database.ts';

/** Where the service sends data by itself. */
export interface Receiver {
  type: 'otlp_destination' | 'webhook_endpoint';
  name: string;
  address: string;
}

/** Adds an entry about something done with a receiver. Of its address the host alone: a path may be a secret. */
export const auditReceiver = (
  queries: Queries,
  action: string,
  { type, name, address }: Receiver,
  { actor, requestId, now }: ChangedBy,
): Promise<void> =>
  appendAudit(
    queries,
    {
      category: 'settings',
      action,
      actor,
      targetType: type,
      target: `${name} ${new URL(address).host}`,
      before: null,
      after: null,
      requestId,
      note: null,
    },
    now,
  );
