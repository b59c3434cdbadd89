import type { Env } from '../platform/env.ts';
import { Problem } from '../platform/problem.ts';

/** Refuses an account that is not among `STANDALONE_ALLOWED_LOGINS`, when that is set. */
export function assertAllowedLogin({ STANDALONE_ALLOWED_LOGINS }: Env, login: string): void {
  const allowed = STANDALONE_ALLOWED_LOGINS.map((entry) => entry.toLowerCase());
  if (allowed.length > 0 && !allowed.includes(login.toLowerCase()))
    throw new Problem('forbidden', 'This account may not sign in here.');
}
