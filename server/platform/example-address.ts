import type { Env } from './env.ts';

/** Examples of the documentation, with the address of this service in place of the one they are written with. */
export const nameService = (example: string, { APP_URL }: Pick<Env, 'APP_URL'>): string =>
  example.replace(/(https:\/\/)?analytics\.example\.org/g, (_, scheme) => (scheme ? APP_URL : new URL(APP_URL).host));
