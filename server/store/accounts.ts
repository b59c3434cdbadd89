import { createHash } from 'node:crypto';
import type { Actor } from '../metrics/kernel/facts.ts';
import type { Queries } from './database.ts';
import { intakeStatements } from './statements.ts';

const capacity = 100_000;

/**
 * The dictionary of accounts. The key is made from the account's fields, so that it is the same
 * whoever stores it first, and no answer has to be awaited to use it.
 */
export function accountDictionary(database: Queries) {
  const keys = new Map<string, string>();
  return {
    /** Answers the keys of these accounts, having made sure that they are stored. */
    async store(actors: readonly (Actor | null)[]): Promise<(actor: Actor | null) => string | null> {
      if (keys.size > capacity) keys.clear();
      const unknown = new Map<string, Actor>();
      for (const actor of actors) if (actor && !keys.has(identity(actor))) unknown.set(identity(actor), actor);
      if (unknown.size > 0) await insert(database, [...unknown.values()]);
      for (const [name, actor] of unknown) keys.set(name, computeKey(actor));
      return (actor) => actor && (keys.get(identity(actor)) ?? computeKey(actor));
    },
  };
}

const identity = ({ login, avatarUrl, isBot }: Actor) => `${login}\n${avatarUrl}\n${isBot}`;

const computeKey = (actor: Actor) => createHash('sha256').update(identity(actor)).digest().readBigInt64BE().toString();

function insert(database: Queries, actors: Actor[]) {
  // In one order everywhere, so that two writers never wait for each other.
  const rows = actors.map((actor) => ({ ...actor, key: computeKey(actor) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return database.run(intakeStatements.insert_accounts, {
    ids: rows.map(({ key }) => key),
    logins: rows.map(({ login }) => login),
    avatar_urls: rows.map(({ avatarUrl }) => avatarUrl),
    are_bots: rows.map(({ isBot }) => isBot),
  });
}
