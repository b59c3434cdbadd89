import type { Instant } from '../metrics/facts.ts';
import { type IdentityLink, loginKey } from '../metrics/people.ts';
import { type AuditEntry, appendAudit, type ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import { type DistinctPair, type KnownIdentities, type LinkPlan, mainLogin, planLink } from './identity-plan.ts';
import { linkPeople } from './locks.ts';

interface Made {
  createdBy: string;
  createdAt: Instant;
}

export type StoredLink = IdentityLink & Made;

export type StoredPair = DistinctPair & Made;

/** What came of it; `pair` is as it stands now. */
export type PairMarked =
  | { outcome: 'same_login' }
  | { outcome: 'already_linked' }
  | { outcome: 'done'; isNew: boolean; pair: DistinctPair };

/** Which accounts and names are one person, and which were declared to be two. */
export const identity = (database: Database) => ({
  /** By main login, then by alias. */
  links: (): Promise<IdentityLink[]> => database.query<IdentityLink>(`select ${link} ${linked}`),
  /** What links and marks are decided by. */
  known: (): Promise<KnownIdentities> => knownTo(database),
  /** The same with who made them; links as above, pairs by their first login. */
  async listed(): Promise<{ links: StoredLink[]; distinct: StoredPair[] }> {
    const links = await database.query<StoredLink>(`select ${link}, ${made} ${linked}`);
    return { links, distinct: await database.query<StoredPair>(`select a, b, ${made} ${marked}`) };
  },
  /** Links an alias and everything that was linked to it. Answers what that did, or why it was not done. */
  link: (wanted: IdentityLink, by: ChangedBy): Promise<LinkPlan> =>
    inTurn(database, async (queries) => {
      const plan = planLink(await knownTo(queries), wanted);
      if (plan.outcome !== 'possible' || plan.changes.length === 0) return plan;
      const key = loginKey(wanted.alias);
      const target = [loginKey(plan.primary), plan.primary];
      await queries.query(move, [key, ...target]);
      await queries.query(upsert, [key, wanted.alias, ...target, by.actor.login, by.now]);
      for (const { login, action, before } of plan.changes)
        await note(queries, { action, target: login, before, after: plan.primary }, by);
      return plan;
    }),
  /** Takes a link away. Answers what it was; null when there was none. */
  unlink: (alias: string, by: ChangedBy): Promise<IdentityLink | null> =>
    inTurn(database, async (queries) => {
      const [gone] = await queries.query<IdentityLink>(remove, [loginKey(alias)]);
      if (!gone) return null;
      const entry = { action: 'identity.unlinked', target: gone.alias, before: gone.primary, after: null };
      await note(queries, entry, by);
      return gone;
    }),
  /** Declares two logins different people, unless they are linked to each other. */
  markDistinct: (pair: DistinctPair, by: ChangedBy): Promise<PairMarked> =>
    inTurn(database, async (queries) => {
      const { a, b, keys } = ordered(pair);
      if (keys[0] === keys[1]) return { outcome: 'same_login' };
      const { links } = await knownTo(queries);
      const [main, other] = [a, b].map((login) => loginKey(mainLogin(links, login)));
      if (main === other) return { outcome: 'already_linked' };
      const isNew = (await queries.query(mark, [...keys, a, b, by.actor.login, by.now])).length > 0;
      if (isNew) await noteBoth(queries, { action: 'identity.marked_distinct', a, b }, by);
      return { outcome: 'done', isNew, pair: { a, b } };
    }),
  /** Takes such a mark back. Answers what it was; null when there was none. */
  unmarkDistinct: (pair: DistinctPair, by: ChangedBy): Promise<DistinctPair | null> =>
    inTurn(database, async (queries) => {
      const [gone] = await queries.query<DistinctPair>(unmark, ordered(pair).keys);
      if (!gone) return null;
      await noteBoth(queries, { action: 'identity.unmarked_distinct', ...gone }, by);
      return gone;
    }),
});

const inTurn = <T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> =>
  database.transaction(async (queries) => {
    await queries.query(`select ${linkPeople}`);
    return work(queries);
  });

const knownTo = async ({ query }: Queries): Promise<KnownIdentities> => ({
  links: await query<IdentityLink>(`select ${link} ${linked}`),
  distinct: await query<DistinctPair>(`select a, b ${marked}`),
});

/** By the bytes of their keys, as the database compares them. */
function ordered({ a, b }: DistinctPair): DistinctPair & { keys: [string, string] } {
  const keys: [string, string] = [loginKey(a), loginKey(b)];
  return Buffer.compare(Buffer.from(keys[0]), Buffer.from(keys[1])) <= 0
    ? { a, b, keys }
    : { a: b, b: a, keys: [keys[1], keys[0]] };
}

type Noted = Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>;

const note = (queries: Queries, noted: Noted, { actor, requestId, now }: ChangedBy) =>
  appendAudit(queries, { ...noted, category: 'identity', targetType: 'login', actor, requestId, note: null }, now);

/** One row for each login of a pair. */
async function noteBoth(queries: Queries, { action, a, b }: DistinctPair & { action: string }, by: ChangedBy) {
  const isMarked = action === 'identity.marked_distinct';
  for (const [target, other] of [
    [a, b],
    [b, a],
  ] as const)
    await note(queries, { action, target, before: isMarked ? null : other, after: isMarked ? other : null }, by);
}

const made = `created_by as "createdBy", (extract(epoch from created_at) * 1000)::float8 as "createdAt"`;

const link = 'alias, primary_login as "primary"';

const linked = 'from identity_links order by primary_key, alias_key';

const marked = 'from distinct_pairs order by a_key, b_key';

const move = 'update identity_links set primary_key = $2, primary_login = $3 where primary_key = $1';

const upsert = `
  insert into identity_links (alias_key, alias, primary_key, primary_login, created_by, created_at)
  values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))
  on conflict (alias_key) do update set alias = excluded.alias, primary_key = excluded.primary_key,
    primary_login = excluded.primary_login, created_by = excluded.created_by, created_at = excluded.created_at`;

const remove = `delete from identity_links where alias_key = $1 returning ${link}`;

const mark = `
  insert into distinct_pairs (a_key, b_key, a, b, created_by, created_at)
  values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))
  on conflict do nothing returning a`;

const unmark = 'delete from distinct_pairs where a_key = $1 and b_key = $2 returning a, b';
