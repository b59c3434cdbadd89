import type { Context } from './context.ts';
import type { FeatureKey } from './features.ts';

/**
 * What is asked of a caller: nothing, a session, a group, one feature, or to be an administrator; of a machine the
 * bearer of the timetable, or the platform's signature.
 */
export type Requirement = 'anyone' | 'bearer' | 'signature' | 'session' | 'member' | 'admin' | { feature: FeatureKey };

/** Who may ask, as an operation or a page declares it. What comes of it is decided in one place. */
export interface Access {
  /** How the rule is named: `anyone`, `bearer`, `signature`, `session`, `member`, `feature:x`, `admin`, `metric`. */
  name: string;
  /** What is asked for this address. */
  required(asked: Pick<Context, 'url'>): Requirement;
  /** true for what does not exist where one person uses the service alone. */
  isOrganizationOnly: boolean;
}

const always = (name: string, requirement: Requirement, isOrganizationOnly = false): Access =>
  Object.freeze({ name, required: () => requirement, isOrganizationOnly });

export const anyone = always('anyone', 'anyone');

/** A scheduler that sends `CRON_SECRET`. Cookies say nothing here. */
export const cronBearer = always('bearer', 'bearer');

/** The platform, known by the signature over the bytes of its delivery. Cookies say nothing here. */
export const platformSignature = always('signature', 'signature');

export const signedIn = always('session', 'session');

export const member = always('member', 'member');

/** Callers to whom one of their groups grants the feature; in standalone mode every feature is granted. */
export const feature = (key: FeatureKey): Access => always(`feature:${key}`, { feature: key });

/** Administrators of an organization; in standalone mode whoever is signed in. */
export const administrator = always('admin', 'admin');

/** Administrators of an organization; in standalone mode nobody. */
export const organizationAdministrator = always('admin', 'admin', true);
