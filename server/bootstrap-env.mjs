// The `.env` of a first start: fresh secrets and the embedded database, readable by this user alone.
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes `.env` below root unless one exists or NODE_ENV=production says that the environment carries everything.
 * An existing file is never changed; if it lacks what a start needs, a message names it.
 */
export function prepareEnvFile(root, env, print) {
  const path = join(root, '.env');
  if (existsSync(path)) {
    warnAboutReaders(path, print);
    return warnAboutMissing(path, env, print);
  }
  if (env.NODE_ENV === 'production') {
    if (!env.SESSION_SECRET)
      print('NODE_ENV=production is set, so no .env is written: the environment must carry SESSION_SECRET.');
    return;
  }
  if (env.SESSION_SECRET && env.DATABASE_URL !== undefined) return;
  if (createOnce(path, envFile(env)))
    print('Wrote .env with fresh secrets. Keep it private and keep it: sessions and stored keys depend on it.');
}

/** The text of the file; secrets differ on each call. A DATABASE_URL in the environment, even empty, is respected. */
export function envFile(env) {
  const secret = () => randomBytes(32).toString('hex');
  const given = env.DATABASE_URL !== undefined;
  return `# Written at the first start. Never commit it. Every variable is explained at /docs/configuration.

# Encrypts sessions. Whoever changes it signs everybody out.
SESSION_SECRET=${secret()}

# Encrypts the provider keys saved in the settings. Without it they have to be entered again.
SETTINGS_ENCRYPTION_KEY=${secret()}

# The bearer token of /api/cron/*.
CRON_SECRET=${secret()}

# Signs webhook deliveries; enter the same value at the code-hosting platform.
CODEHOST_WEBHOOK_SECRET=${secret()}

# The bearer token of /metrics.
METRICS_TOKEN=${secret()}

# The embedded database, in this folder. postgres://user:password@host/name uses a PostgreSQL server;
# without this line there is no database, and only live views work.
${given ? '# The environment gave another value when this file was written.\n# ' : ''}DATABASE_URL=pglite://data/db
`;
}

/** Names that have a value in the text of an env file. */
export const namesIn = (text) =>
  new Set([...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*[^\s#]/gm)].map((match) => match[1]));

function warnAboutReaders(path, print) {
  if ((statSync(path).mode & 0o077) === 0) return;
  print('.env holds secrets and can be read by other users of this machine. Make it private: chmod 600 .env');
}

function warnAboutMissing(path, env, print) {
  if (env.SESSION_SECRET || namesIn(readFileSync(path, 'utf8')).has('SESSION_SECRET')) return;
  print(
    '.env has no SESSION_SECRET, which every start needs. Add a line SESSION_SECRET= with 32 or more random characters,',
  );
  print('or move .env away and start again to have one written.');
}

/** Creates the complete file or none, and never overwrites another. */
function createOnce(path, text) {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    // Some shared folders know no hard links.
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}
