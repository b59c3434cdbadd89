import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseUnusable } from '../embedded/lock.ts';

/**
 * Runs a program of PostgreSQL against a database. The password travels in the environment: arguments can be read by
 * every user of the machine.
 * @throws DatabaseUnusable with what the program says when it is missing or fails.
 */
export async function runPostgresProgram(
  name: 'pg_dump' | 'pg_restore',
  options: string[],
  databaseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { address, password } = splitPassword(databaseUrl);
  const child = spawn(name, [...options, `--dbname=${address}`], {
    env: password === '' ? env : { ...env, PGPASSWORD: password },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const [code] = await once(child, 'close').catch((cause) => {
    throw new DatabaseUnusable(`${name} was not found: install the client programs of PostgreSQL.`, { cause });
  });
  if (code !== 0) throw new DatabaseUnusable(complaint.trim() || `${name} ended with code ${code}.`);
}

/** By hand: an address of a socket names a user and no host, which a URL may not. */
function splitPassword(databaseUrl: string): { address: string; password: string } {
  const [, scheme, user, password = ''] = /^(postgres(?:ql)?:\/\/)([^:@/?]*):([^@/?]*)@/.exec(databaseUrl) ?? [];
  if (scheme === undefined) return { address: databaseUrl, password: '' };
  const rest = databaseUrl.slice(databaseUrl.indexOf('@') + 1);
  return { address: `${scheme}${user}@${rest}`, password: decodeURIComponent(password) };
}
