import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { ChangedBy } from './audit.ts';
import { auditReceiver } from './audited-receiver.ts';
import type { Database, Queries, Tables } from './database.ts';
import type { WebhookAttempt } from './entities/webhook-endpoint.ts';
import { lock } from './locks.ts';

export type StoredEndpoint = Selectable<Tables['webhook_endpoints']>;

/** What an administrator saves. */
export type EndpointChange = Pick<StoredEndpoint, 'name' | 'url' | 'enabled'>;

export type EndpointSecrets = Pick<StoredEndpoint, 'secretSealed' | 'previousSealed'>;

const maxAttempts = 10;
/** After so many events in a row that were given up, an endpoint is switched off. */
const maxFailures = 10;

export const webhookEndpoints = (database: Database) => ({
  ...endpointChanges(database),
  list: (): Promise<StoredEndpoint[]> =>
    database.db.selectFrom('webhook_endpoints').selectAll().orderBy('id').execute(),
  find: async (id: number): Promise<StoredEndpoint | null> => (await findOne(database, id)) ?? null,
  /** Notes an attempt; an endpoint that is gone for good is switched off by it, unless it was a test alone. */
  noteAttempt: (id: number, attempt: WebhookAttempt): Promise<void> =>
    database.transaction(async ({ db }) => {
      const endpoint = await db
        .selectFrom('webhook_endpoints')
        .select('attempts')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      const attempts = [attempt, ...(endpoint?.attempts ?? [])].slice(0, maxAttempts);
      await db.updateTable('webhook_endpoints').set({ attempts }).where('id', '=', id).execute();
      if (attempt.status !== 410 || attempt.event_id === null) return;
      await db
        .updateTable('webhook_endpoints')
        .set({ enabled: false, offReason: 'gone' })
        .where('id', '=', id)
        .where('enabled', '=', true)
        .execute();
    }),
  /** Stores secrets that were sealed anew, unless others were made meanwhile. */
  async replaceSecrets(id: number, before: EndpointSecrets, sealed: EndpointSecrets): Promise<void> {
    await database.db
      .updateTable('webhook_endpoints')
      .set(sealed)
      .where('id', '=', id)
      .where('secretSealed', '=', before.secretSealed)
      .execute();
  },
});

/** What administrators do, with entries of the audit log. */
const endpointChanges = (database: Database) => ({
  /** Adds one; null where there are `max` already. */
  create: (change: EndpointChange, secretSealed: string, max: number, by: ChangedBy): Promise<number | null> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      const { count } = await queries.db
        .selectFrom('webhook_endpoints')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= max) return null;
      const { id } = await queries.db
        .insertInto('webhook_endpoints')
        .values({ ...change, ...unused, secretSealed, createdBy: by.actor.login, updatedAt: by.now })
        .returning('id')
        .executeTakeFirstOrThrow();
      await audit(queries, 'settings.webhook_saved', change, by);
      return id;
    }),
  /** Saves one, whose failures are forgotten. Answers false where it is gone. */
  update: (id: number, change: EndpointChange, by: ChangedBy): Promise<boolean> =>
    changeOne(database, id, 'settings.webhook_saved', by, async ({ db }) => {
      await db
        .updateTable('webhook_endpoints')
        .set({ ...change, offReason: null, failures: 0, updatedAt: by.now })
        .where('id', '=', id)
        .execute();
    }),
  /** Signs with a new secret, and until `previousUntil` with the one before too. Answers false where it is gone. */
  rotate: (id: number, secretSealed: string, previousUntil: Instant, by: ChangedBy): Promise<boolean> =>
    changeOne(database, id, 'settings.webhook_rotated', by, async ({ db }, before) => {
      await db
        .updateTable('webhook_endpoints')
        .set({ secretSealed, previousSealed: before.secretSealed, previousUntil, updatedAt: by.now })
        .where('id', '=', id)
        .execute();
    }),
  /** Answers false where it is gone already. */
  delete: (id: number, by: ChangedBy): Promise<boolean> =>
    changeOne(database, id, 'settings.webhook_deleted', by, async ({ db }) => {
      await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
    }),
});

const unused = { previousSealed: null, previousUntil: null, offReason: null, failures: 0, attempts: [] };

const findOne = ({ db }: Queries, id: number) =>
  db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();

const changeOne = (
  database: Database,
  id: number,
  action: string,
  by: ChangedBy,
  change: (queries: Queries, before: StoredEndpoint) => Promise<void>,
): Promise<boolean> =>
  database.transaction(async (queries) => {
    await lock(queries, 'settings');
    const before = await findOne(queries, id);
    if (!before) return false;
    await change(queries, before);
    await audit(queries, action, (await findOne(queries, id)) ?? before, by);
    return true;
  });

/** Counts an event that was delivered or given up. */
export async function countDelivery({ db }: Queries, id: number, isSent: boolean): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set((eb) => ({ failures: isSent ? 0 : eb('failures', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await db
    .updateTable('webhook_endpoints')
    .set({ enabled: false, offReason: 'failing' })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where('failures', '>=', maxFailures)
    .execute();
}

const audit = (
  queries: Queries,
  action: string,
  { name, url: address }: Pick<EndpointChange, 'name' | 'url'>,
  by: ChangedBy,
) => auditReceiver(queries, action, { type: 'webhook_endpoint', name, address }, by);
