import type { Context } from '../access/context.ts';
import { parseScopes } from '../platform/env.ts';
import { localPath } from '../platform/local-path.ts';

/** Where people sign in: with a token of their own, or through the platform. */
export const signInPath = ({ services: { env } }: Pick<Context, 'services'>): '/setup' | '/login' =>
  env.MODE === 'standalone' ? '/setup' : '/login';

/** What the platform will ask people to allow; empty for an app with permissions of its own. */
export const requestedScopes = ({ services: { env } }: Pick<Context, 'services'>): string[] => parseScopes(env);

/** Where a query or a form wants to go on to afterwards: a path of this site, or the start page. */
export const returnTo = (given: URLSearchParams | FormData): string => localPath(given.get('return_to'));
