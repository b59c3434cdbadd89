import type { Context } from './context.ts';
import type { FeatureKey } from './features.ts';

/**
 * What is required of a caller: nothing, a session, a group, one feature, or to be an administrator; of a machine the
 * bearer of the timetable, the platform's signature, an access token of this service, or a token in the address that
 * opens one thing.
 */
export type Requirement =
  | 'anyone'
  | 'bearer'
  | 'signature'
  | 'accessToken'
  | 'share'
  | 'session'
  | 'member'
  | 'admin'
  | {
      feature: FeatureKey;
      /** The login whose owner needs no grant, because the request is about themselves. */
      orOwn?: string | null;
      /** A feature that opens it as well, in part. */
      orFeature?: FeatureKey;
    };

/** Who may ask, as an operation or a page declares it. What comes of it is decided in one place. */
export interface Access {
  /** How the rule is named: `anyone`, `bearer`, `signature`, `accessToken`, `feed`, `share`, `session`, `member`, `feature:x`, `admin`, `metric`. */
  name: string;
  /** What this address requires. */
  required(context: Pick<Context, 'url'>): Requirement;
  /** true for what does not exist where one person uses the service alone. */
  isOrganizationOnly: boolean;
  /** Whether a platform token as bearer may write too; where it may not, a write needs a signed-in session. */
  allowsTokenWrites: boolean;
  /** Whether an access token of this service may read: where a group or a feature is required, unless it is settings. */
  allowsAccessTokens: boolean;
  /** Whether no token of any kind is accepted, so that reading needs a signed-in session too. */
  isSessionOnly: boolean;
}

function always(name: string, requirement: Requirement, isOrganizationOnly = false): Access {
  const isAboutData = requirement === 'member' || typeof requirement === 'object';
  return Object.freeze({
    name,
    required: () => requirement,
    isOrganizationOnly,
    allowsTokenWrites: false,
    allowsAccessTokens: isAboutData,
    isSessionOnly: false,
  });
}

export const anyone = always('anyone', 'anyone');

/** A scheduler that sends `CRON_SECRET`. Cookies are ignored. */
export const cronBearer = always('bearer', 'bearer');

/** The platform, known by the signature over the bytes of its delivery. Cookies are ignored. */
export const platformSignature = always('signature', 'signature');

/** Whoever sends an access token of this service. Cookies are ignored, and platform tokens rejected. */
export const accessTokenBearer = always('accessToken', 'accessToken');

/** Whoever has the address of a feed: the token in it was made for feeds, and for the feature of this one. */
export const feedAddress: Access = {
  ...always('feed', { feature: 'alerts' }),
  required: ({ url }) => ({ feature: url.pathname.endsWith('/weekly.atom') ? 'healthScorecard' : 'alerts' }),
};

/** Whoever knows the address of something shared: the operation looks at the token in it. Cookies are ignored. */
export const sharedAddress = always('share', 'share');

export const signedIn = always('session', 'session');

export const member = always('member', 'member');

/** Callers to whom one of their groups grants the feature; in standalone mode every feature is granted. */
export const feature = (key: FeatureKey): Access => always(`feature:${key}`, { feature: key });

/** Callers to whom one of two features is granted; what each of them shows, the answer decides. */
export const eitherFeature = (key: FeatureKey, other: FeatureKey): Access =>
  always(`feature:${key} or feature:${other}`, { feature: key, orFeature: other });

/** The same callers, and everybody about their own login. */
export const featureOrOwn = (key: FeatureKey): Access => ({
  ...feature(key),
  required: ({ url }) => ({ feature: key, orOwn: requestedLogin(url) }),
});

/**
 * Whom a request is about: of an operation and the page of evidence by the query, of the pages about a person by the
 * path, as the router reads it. null where that is not clear, which opens nothing.
 */
export function requestedLogin({ pathname, searchParams }: URL): string | null {
  if (/^\/(api\/|explain(\.data)?$)/.test(pathname)) {
    const logins = searchParams.getAll('login');
    return logins.length === 1 ? (logins[0] ?? null) : null;
  }
  const [, page, login] = decodedSegments(pathname);
  return page?.toLowerCase() === 'contributor' ? (login ?? null) : null;
}

function decodedSegments(pathname: string): string[] {
  try {
    return pathname
      .replace(/\.data$/, '')
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** The same callers, who may write with a platform token as bearer as well. */
export const alsoByToken = (access: Access): Access => Object.freeze({ ...access, allowsTokenWrites: true });

/** The same callers, who may read with an access token of this service as well. */
export const alsoByAccessToken = (access: Access): Access => Object.freeze({ ...access, allowsAccessTokens: true });

/** The same callers, whose access tokens read it not: it is about how the service is set up. */
export const withoutAccessTokens = (access: Access): Access => Object.freeze({ ...access, allowsAccessTokens: false });

/** The same callers with a signed-in session: no token of any kind. */
export const bySessionOnly = (access: Access): Access =>
  Object.freeze({ ...access, allowsAccessTokens: false, isSessionOnly: true });

/** Administrators of an organization; in standalone mode whoever is signed in. */
export const administrator = always('admin', 'admin');

/** Administrators of an organization; in standalone mode nobody. */
export const organizationAdministrator = always('admin', 'admin', true);
