import { hash } from 'node:crypto';
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

/** A change is for the endpoints of one version, where it names that; none is made of others. */
export interface EndpointEdit extends ChangedBy {
  version?: string;
}

export type EndpointEdited = 'done' | 'gone' | 'outdated';

/** Another one whenever an endpoint was added, saved, given a new secret, switched off by the service, or deleted. */
export const versionOf = (endpoints: readonly StoredEndpoint[]): string =>
  hash('sha1', JSON.stringify(endpoints.map(({ id, updatedAt, enabled }) => [id, updatedAt, enabled])), 'base64url');

const latestOf = (endpoints: readonly StoredEndpoint[]): Instant =>
  Math.max(0, ...endpoints.map(({ updatedAt }) => updatedAt));

export type EndpointSecrets = Pick<StoredEndpoint, 'secretSealed' | 'previousSealed'>;

const maxAttempts = 10;
/** After so many events in a row that were given up, an endpoint is switched off. */
const maxFailures = 10;

export const webhookEndpoints = (database: Database) => ({
  ...endpointChanges(database),
  list: (): Promise<StoredEndpoint[]> => readAll(database),
  /** Those that the service switched off by itself, by name. */
  async stoppedNames(): Promise<string[]> {
    const stopped = database.db.selectFrom('webhook_endpoints').where('enabled', '=', false);
    const named = stopped.where('offReason', 'is not', null).select('name').orderBy('id');
    return (await named.execute()).map(({ name }) => name);
  },
  find: async (id: number): Promise<StoredEndpoint | null> => (await findOne(database, id)) ?? null,
  /**
   * Notes an attempt; an endpoint that is gone for good is switched off by it, unless it was a test alone, or another
   * address was saved while it was under way.
   */
  noteAttempt: ({ id, url }: Pick<StoredEndpoint, 'id' | 'url'>, attempt: WebhookAttempt): Promise<void> =>
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
        .where('url', '=', url)
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
  /** Adds one, unless there are `max` already; answers its number. */
  create: (
    change: EndpointChange,
    secretSealed: string,
    max: number,
    by: EndpointEdit,
  ): Promise<number | 'too_many' | 'outdated'> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      const endpoints = await readAll(queries);
      if (isOutdated(endpoints, by)) return 'outdated';
      if (endpoints.length >= max) return 'too_many';
      const updatedAt = nextMoment(endpoints, by);
      const { id } = await queries.db
        .insertInto('webhook_endpoints')
        .values({ ...change, ...unused, secretSealed, createdBy: by.actor.login, updatedAt })
        .returning('id')
        .executeTakeFirstOrThrow();
      await audit(queries, 'settings.webhook_saved', change, by);
      return id;
    }),
  /** Saves one, whose failures are forgotten. */
  update: (id: number, change: EndpointChange, by: EndpointEdit): Promise<EndpointEdited> =>
    changeOne(database, id, 'settings.webhook_saved', by, async ({ db }, _before, updatedAt) => {
      await db
        .updateTable('webhook_endpoints')
        .set({ ...change, offReason: null, failures: 0, updatedAt })
        .where('id', '=', id)
        .execute();
    }),
  /** Signs with a new secret, and until `previousUntil` with the one before too. */
  rotate: (id: number, secretSealed: string, previousUntil: Instant, by: EndpointEdit): Promise<EndpointEdited> =>
    changeOne(database, id, 'settings.webhook_rotated', by, async ({ db }, before, updatedAt) => {
      await db
        .updateTable('webhook_endpoints')
        .set({ secretSealed, previousSealed: before.secretSealed, previousUntil, updatedAt })
        .where('id', '=', id)
        .execute();
    }),
  delete: (id: number, by: EndpointEdit): Promise<EndpointEdited> =>
    changeOne(database, id, 'settings.webhook_deleted', by, async ({ db }) => {
      await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
    }),
});

const unused = { previousSealed: null, previousUntil: null, offReason: null, failures: 0, attempts: [] };

const readAll = ({ db }: Pick<Queries, 'db'>): Promise<StoredEndpoint[]> =>
  db.selectFrom('webhook_endpoints').selectAll().orderBy('id').execute();

const isOutdated = (endpoints: readonly StoredEndpoint[], { version }: EndpointEdit) =>
  version !== undefined && version !== versionOf(endpoints);

/** Later than any change before, so that the version moves whatever the clock says. */
const nextMoment = (endpoints: readonly StoredEndpoint[], { now }: EndpointEdit): Instant =>
  Math.max(now, latestOf(endpoints) + 1);

const findOne = ({ db }: Queries, id: number) =>
  db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();

const changeOne = (
  database: Database,
  id: number,
  action: string,
  by: EndpointEdit,
  change: (queries: Queries, before: StoredEndpoint, updatedAt: Instant) => Promise<void>,
): Promise<EndpointEdited> =>
  database.transaction(async (queries) => {
    await lock(queries, 'settings');
    const endpoints = await readAll(queries);
    const before = endpoints.find((one) => one.id === id);
    if (!before) return 'gone';
    if (isOutdated(endpoints, by)) return 'outdated';
    await change(queries, before, nextMoment(endpoints, by));
    await audit(queries, action, (await findOne(queries, id)) ?? before, by);
    return 'done';
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
