import type { Context } from '../../access/context.ts';
import { readSharing } from '../../settings/sharing.ts';

export interface Sharing {
  /** Whether the caller may make badges and links. */
  mayShare: boolean;
  /** Whether badges of public repositories need no token. */
  hasPublicBadges: boolean;
}

/** What the caller may share. */
export async function sharingFor({ services, store }: Context, isAdmin: boolean): Promise<Sharing> {
  const { sharing, public_badges: hasPublicBadges } = await readSharing(services.env, store);
  const isForAdmins = sharing === 'admins' && services.env.MODE === 'organization';
  return { mayShare: sharing !== 'off' && (!isForAdmins || isAdmin), hasPublicBadges };
}
