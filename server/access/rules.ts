import { Problem } from '../platform/problem.ts';
import type { Context } from './context.ts';
import { type FeatureKey, features } from './features.ts';

/** A rule that says who may ask. Denies by throwing. */
export interface Access {
  /** How the rule is named in the registry: `anyone`, `session`, `member`, `feature:x`, `admin`. */
  name: string;
  allow(context: Context): Promise<void>;
}

export const anyone: Access = { name: 'anyone', allow: async () => {} };

export const signedIn: Access = { name: 'session', allow: requireActor };

export const member: Access = { name: 'member', allow: requireActor };

/** Callers to whom one of their groups grants the feature; in standalone mode every feature is granted. */
export const feature = (key: FeatureKey): Access => ({
  name: `feature:${key}`,
  async allow(context) {
    const { features: granted } = await context.actor();
    if (!granted.includes(key))
      throw new Problem('forbidden', `${features[key]} is not granted to any of your groups.`, { flag: key });
  },
});

/** Administrators of an organization; in standalone mode whoever is signed in. */
export const administrator: Access = { name: 'admin', allow: requireActor };

async function requireActor(context: Context) {
  await context.actor();
}
