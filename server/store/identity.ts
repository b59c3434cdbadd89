import type { Selectable } from 'kysely';
import { type IdentityLink, loginKey } from '../metrics/people/people.ts';
import { type AuditEntry, appendAudit, type ChangedBy } from './audit.ts';
import type { Database, Queries, Tables } from './database.ts';
import {
  aliasKeyOf,
  areLinked,
  type DistinctPair,
  isNameKey,
  type KnownIdentities,
  type LinkPlan,
  planLink,
} from './identity-plan.ts';
import { lock } from './locks.ts';

type Author = Pick<Selectable<Tables['identity_links']>, 'createdBy' | 'createdAt'>;

export type StoredLink = IdentityLink & Author;

export type StoredPair = DistinctPair & Author;

/** The result; `pair` is its current state. */
export type PairMarked =
  | { outcome: 'same_login' }
  | { outcome: 'already_linked' }
  | { outcome: 'done'; isNew: boolean; pair: DistinctPair };

/** Which accounts and names are one person, and which were declared to be two. */
export const identity = (database: Database) => ({
  /** By main login, then by alias. */
  async links(): Promise<IdentityLink[]> {
    return (await listLinks(database)).map(toLink);
  },
  /** What links and marks are decided by. */
  known: (): Promise<KnownIdentities> => knownTo(database),
  /** The same with who made them; links as above, pairs by their first login. */
  listed: async (): Promise<{ links: StoredLink[]; distinct: StoredPair[] }> => ({
    links: await listLinks(database),
    distinct: await listPairs(database),
  }),
  /** Links an alias and everything that was linked to it. Answers what that did, or why it was not done. */
  link: (wanted: IdentityLink, by: ChangedBy): Promise<LinkPlan> =>
    locked(database, async (queries) => {
      const plan = planLink(await knownTo(queries), wanted);
      if (plan.outcome !== 'possible' || plan.changes.length === 0) return plan;
      await putLink(queries, wanted, plan.primary, by);
      for (const { login, action, before } of plan.changes)
        await audit(queries, { action, target: login, before, after: plan.primary }, by);
      return plan;
    }),
  /** Takes a link away. Answers what it was; null when there was none. */
  unlink: (link: Pick<IdentityLink, 'alias' | 'isName'>, by: ChangedBy): Promise<IdentityLink | null> =>
    locked(database, async (queries) => {
      const gone = await queries.db
        .deleteFrom('identity_links')
        .where('aliasKey', '=', aliasKeyOf(link))
        .returning(['alias', 'primaryLogin'])
        .executeTakeFirst();
      if (!gone) return null;
      const entry = { action: 'identity.unlinked', target: gone.alias, before: gone.primaryLogin, after: null };
      await audit(queries, entry, by);
      return { alias: gone.alias, primary: gone.primaryLogin };
    }),
  /** Declares two logins different people, unless they are linked to each other. */
  markDistinct: (pair: DistinctPair, by: ChangedBy): Promise<PairMarked> =>
    locked(database, async (queries) => {
      const { a, b, aKey, bKey } = ordered(pair);
      if (aKey === bKey) return { outcome: 'same_login' };
      const { links } = await knownTo(queries);
      if (areLinked(links, a, b)) return { outcome: 'already_linked' };
      const added = await queries.db
        .insertInto('distinct_pairs')
        .values({ aKey, bKey, a, b, createdBy: by.actor.login, createdAt: by.now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('aKey')
        .executeTakeFirst();
      const isNew = added !== undefined;
      if (isNew) await auditBoth(queries, { action: 'identity.marked_distinct', a, b }, by);
      return { outcome: 'done', isNew, pair: { a, b } };
    }),
  /** Takes such a mark back. Answers what it was; null when there was none. */
  unmarkDistinct: (pair: DistinctPair, by: ChangedBy): Promise<DistinctPair | null> =>
    locked(database, async (queries) => {
      const { aKey, bKey } = ordered(pair);
      const gone = await queries.db
        .deleteFrom('distinct_pairs')
        .where('aKey', '=', aKey)
        .where('bKey', '=', bKey)
        .returning(['a', 'b'])
        .executeTakeFirst();
      if (!gone) return null;
      await auditBoth(queries, { action: 'identity.unmarked_distinct', a: gone.a, b: gone.b }, by);
      return gone;
    }),
});

const locked = <T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> =>
  database.transaction(async (queries) => {
    await lock(queries, 'identities');
    return work(queries);
  });

async function knownTo(queries: Queries): Promise<KnownIdentities> {
  const links = await listLinks(queries);
  const distinct = await listPairs(queries);
  return {
    links: links.map(toLink),
    distinct: distinct.map(({ a, b }) => ({ a, b })),
  };
}

const toLink = ({ alias, primary, isName }: IdentityLink): IdentityLink => ({
  alias,
  primary,
  ...(isName && { isName }),
});

async function listLinks({ db }: Queries): Promise<StoredLink[]> {
  const links = await db
    .selectFrom('identity_links')
    .select(['aliasKey', 'alias', 'primaryLogin as primary', 'createdBy', 'createdAt'])
    .orderBy('primaryKey')
    .orderBy('aliasKey')
    .execute();
  return links.map(({ aliasKey, ...link }) => ({ ...link, ...(isNameKey(aliasKey) && { isName: true as const }) }));
}

const listPairs = ({ db }: Queries): Promise<StoredPair[]> =>
  db
    .selectFrom('distinct_pairs')
    .select(['a', 'b', 'createdBy', 'createdAt'])
    .orderBy('aKey')
    .orderBy('bKey')
    .execute();

/** Links the alias, and leads what was linked to it to the same main login. */
async function putLink(
  { db }: Queries,
  wanted: IdentityLink,
  primaryLogin: string,
  { actor, now }: ChangedBy,
): Promise<void> {
  const aliasKey = aliasKeyOf(wanted);
  const primary = { primaryKey: loginKey(primaryLogin), primaryLogin };
  await db.updateTable('identity_links').set(primary).where('primaryKey', '=', aliasKey).execute();
  const link = { alias: wanted.alias, ...primary, createdBy: actor.login, createdAt: now };
  await db
    .insertInto('identity_links')
    .values({ aliasKey, ...link })
    .onConflict((conflict) => conflict.column('aliasKey').doUpdateSet(link))
    .execute();
}

/** By the bytes of their keys, as the database compares them. */
function ordered({ a, b }: DistinctPair): DistinctPair & { aKey: string; bKey: string } {
  const aKey = loginKey(a);
  const bKey = loginKey(b);
  return Buffer.compare(Buffer.from(aKey), Buffer.from(bKey)) <= 0
    ? { a, b, aKey, bKey }
    : { a: b, b: a, aKey: bKey, bKey: aKey };
}

type Change = Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>;

const audit = (queries: Queries, change: Change, { actor, requestId, now }: ChangedBy) =>
  appendAudit(queries, { ...change, category: 'identity', targetType: 'login', actor, requestId, note: null }, now);

/** One entry for each login of a pair. */
async function auditBoth(queries: Queries, { action, a, b }: DistinctPair & { action: string }, by: ChangedBy) {
  const isMarked = action === 'identity.marked_distinct';
  for (const [target, other] of [
    [a, b],
    [b, a],
  ] as const)
    await audit(queries, { action, target, before: isMarked ? null : other, after: isMarked ? other : null }, by);
}
