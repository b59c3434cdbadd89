import { createHash } from 'node:crypto';
import type { Context } from '../../access/context.ts';

/**
 * The cache key of an answer about an organization: the token and what was requested. Each member sees other
 * repositories, so nobody is given another's answer; the token itself is not stored.
 */
export async function callerKey(context: Context, what: string, org: string, limit: number): Promise<string> {
  const { token } = await context.actor();
  return `${what} ${org.toLowerCase()} ${limit} ${createHash('sha256').update(`${what} ${token}`).digest('base64url')}`;
}
