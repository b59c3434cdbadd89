import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';
import { serviceStatements } from './statements.ts';

/**
 * What is stored and changes together: of a repository by the platform's id, of any; accounts; settings; which accounts
 * are one person.
 */
export type Scope = `repo:${number}` | 'facts' | 'accounts' | 'settings' | 'links';

/** By scope; a scope that never changed has none. */
export type Versions = ReadonlyMap<string, string>;

interface Batch {
  scopes: Set<Scope>;
  versions: Promise<Versions>;
}

/** A statement that takes longer, as on a connection that is lost, keeps the next one waiting no more. */
const longestTurnMs = 100;

/**
 * Versions of what is stored: equal as long as nothing of a scope has changed, for all processes. Those that are wanted
 * while a statement is under way are read by the next one together, so none is older than the call.
 */
export function versions(database: Database) {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Batch | null = null;
  const readOnce = async (scopes: ReadonlySet<Scope>): Promise<Versions> => {
    const rows = await database.prepared<{ scope: string; version: string }>(serviceStatements.versions_of_scopes, {
      scopes: [...scopes],
    });
    return new Map(rows.map(({ scope, version }) => [scope, version]));
  };
  const begin = (): Batch => {
    const scopes = new Set<Scope>();
    const turn = Promise.race([running, sleep(longestTurnMs, undefined, { ref: false })]);
    const versions = turn.then(() => {
      waiting = null;
      return readOnce(scopes);
    });
    running = versions.catch(() => undefined);
    return { scopes, versions };
  };
  return {
    /** What these scopes are at now, and maybe others. */
    read(scopes: readonly Scope[]): Promise<Versions> {
      waiting ??= begin();
      for (const scope of scopes) waiting.scopes.add(scope);
      return waiting.versions;
    },
    /** Merges rows of changes, so that versions are read as quickly as ever. Answers how many there were. */
    async merge(): Promise<number> {
      const [merged] = await database.run<{ rows: number }>(serviceStatements.merge_changes);
      return merged?.rows ?? 0;
    },
  };
}
