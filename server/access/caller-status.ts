import type { Caller } from '../store/callers.ts';
import type { Services } from './context.ts';
import { type FeatureKey, featureKeys } from './features.ts';

/** Everything there is, as for the one person who uses the service alone. */
export const everything = { groups: [] as string[], isAdmin: true, granted: featureKeys, features: featureKeys };

/** What the groups of an account are granted, and what it may use: all of it while access is not enforced. */
export function grantsOf({ groups, flags }: Pick<Caller, 'groups' | 'flags'>, { env }: Services) {
  const isAdmin = groups.includes('admin');
  const granted = isAdmin ? featureKeys : featureKeys.filter((key: FeatureKey) => flags.includes(key));
  return { isAdmin, granted, features: env.ACCESS_ENFORCEMENT === 'off' ? featureKeys : granted };
}

/** What is stored about a caller; it is newer than the cookie. */
export const callerStatus = ({ flags, ...caller }: Caller, services: Services) => ({
  ...caller,
  ...grantsOf({ groups: caller.groups, flags }, services),
});
