import { z } from 'zod';
import type { Env } from '../platform/env.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';
import { readSetting, setting } from './setting.ts';

/** Who may make badges and links that are readable without signing in. */
export const sharers = ['off', 'admins', 'members'] as const;

export type Sharers = (typeof sharers)[number];

/** What may be read without signing in. In standalone mode sharing is on until it is saved otherwise. */
export const sharingOf = ({ MODE }: Pick<Env, 'MODE'>) =>
  setting({
    key: 'sharing',
    title: 'Sharing',
    shape: z.object({
      sharing: z.enum(sharers).meta({
        description:
          '`off` also stops the badges and links that exist; those that have not ended work again afterwards.',
      }),
      public_badges: z.boolean().meta({ description: 'Badges of public repositories need no token.' }),
    }),
    fallback: { sharing: MODE === 'standalone' ? 'members' : 'off', public_badges: false },
  });

/**
 * What is in effect now.
 * @throws Problem `db_unavailable`: while the database is away, nothing may be read without signing in.
 */
export async function readSharing(env: Pick<Env, 'MODE'>, store: Store) {
  const { value, databaseAvailable } = await readSetting(sharingOf(env), store);
  if (!databaseAvailable) throw new Problem('db_unavailable', 'What is shared could not be read.');
  return value;
}
