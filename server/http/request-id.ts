import { randomUUID } from 'node:crypto';

/** The identifier that the caller gave in `X-Request-Id`, where it is well formed; a new one otherwise. */
export const requestIdOf = (given: string | string[] | null | undefined): string =>
  typeof given === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
