import { sendsToken } from './bearer.ts';
import type { Context } from './context.ts';

/** Whether a request carries something that could say who is asking: a token, or a cookie of ours that opens. */
export const hasCredentials = ({ headers, services }: Context): boolean =>
  sendsToken(headers) || services.sessions.unseal(headers) !== null;
