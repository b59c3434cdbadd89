import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { type Answered, type Service, startService } from '../support/service.ts';

/** A service on a database of its own, for the suites that run on both kinds; `anew` starts over. */
export function storedService(database: TestDatabase, env: Record<string, string> = {}) {
  const visit = { service: null as unknown as Service, anew, sync, ask };
  beforeAll(anew);
  afterAll(() => visit.service?.close());
  return visit;

  async function anew() {
    await visit.service?.close();
    visit.service = await startService({ DATABASE_URL: await database.migrated(), ...env });
  }

  /** Synchronizes, again and again while it says that something is left; a minute passes before each. */
  async function sync(query: string, as = 'token-ann'): Promise<Answered[]> {
    const answers: Answered[] = [];
    do {
      visit.service.clock.advance(60_000);
      answers.push(await visit.service.ask('POST', `/api/db/sync?${query}`, { as }));
    } while (answers.at(-1)?.body.partial && answers.length < 20);
    return answers;
  }

  async function ask(path: string, as = 'token-ann'): Promise<Answered> {
    return visit.service.ask('GET', `/api/db/${path}`, { as });
  }
}
