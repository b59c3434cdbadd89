import type { Context } from '../access/context.ts';

/** Where people sign in: with a token of their own, or through the platform. */
export const signInPath = ({ services: { env } }: Pick<Context, 'services'>): '/setup' | '/login' =>
  env.MODE === 'standalone' ? '/setup' : '/login';
