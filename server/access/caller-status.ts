import type { Caller } from '../store/callers.ts';
import type { Services } from './context.ts';
import { type FeatureKey, featureKeys } from './features.ts';

/** Everything there is, as for the one person who uses the service alone. */
export const everything = { groups: [] as string[], isAdmin: true, granted: featureKeys, features: featureKeys };

/** What is stored about a caller; it is newer than the cookie. */
export function callerStatus({ flags, ...caller }: Caller, { env }: Services) {
  const isAdmin = caller.groups.includes('admin');
  const granted = isAdmin ? featureKeys : featureKeys.filter((key: FeatureKey) => flags.includes(key));
  return { ...caller, isAdmin, granted, features: env.ACCESS_ENFORCEMENT === 'off' ? featureKeys : granted };
}
