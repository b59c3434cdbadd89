import { createHash } from 'node:crypto';
import type { Actor } from '../metrics/facts.ts';
import type { Queries } from './database.ts';

const capacity = 100_000;

/**
 * The dictionary of accounts. The key is made from what the account says of itself, so that it is the same
 * whoever stores it first, and no answer has to be awaited to use it.
 */
export function accountDictionary(database: Queries) {
  const keys = new Map<string, string>();
  return {
    /** Answers the keys of these accounts, having made sure that they are stored. */
    async keep(actors: readonly (Actor | null)[]): Promise<(actor: Actor | null) => string | null> {
      if (keys.size > capacity) keys.clear();
      const unknown = new Map<string, Actor>();
      for (const actor of actors) if (actor && !keys.has(identity(actor))) unknown.set(identity(actor), actor);
      if (unknown.size > 0) await insert(database, [...unknown.values()]);
      for (const [name, actor] of unknown) keys.set(name, keyOf(actor));
      return (actor) => actor && (keys.get(identity(actor)) ?? keyOf(actor));
    },
  };
}

const identity = ({ login, avatarUrl, isBot }: Actor) => `${login}\n${avatarUrl}\n${isBot}`;

const keyOf = (actor: Actor) => createHash('sha256').update(identity(actor)).digest().readBigInt64BE().toString();

function insert(database: Queries, actors: Actor[]) {
  // In one order everywhere, so that two writers never wait for each other.
  const rows = actors.map((actor) => ({ ...actor, key: keyOf(actor) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return database.query(
    `insert into accounts (id, login, avatar_url, is_bot)
     select * from unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[]) on conflict do nothing`,
    [
      rows.map(({ key }) => key),
      rows.map(({ login }) => login),
      rows.map(({ avatarUrl }) => avatarUrl),
      rows.map(({ isBot }) => isBot),
    ],
  );
}
