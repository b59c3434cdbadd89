import { createPeople, type People } from '../metrics/people/people.ts';
import type { Env } from '../platform/env.ts';
import type { Store } from '../store/orm.ts';

/**
 * Who is who by the links that administrators made and the bots that are configured; without a database there are no
 * links. Throws when the database cannot be reached: without its links one person would be counted as several.
 */
export async function peopleIn({ store, env }: IdentitySource): Promise<People> {
  return createPeople((await store?.identity.links()) ?? [], env.BOT_LOGINS);
}

export interface IdentitySource {
  store: Pick<Store, 'identity'> | null;
  env: Pick<Env, 'BOT_LOGINS'>;
}
