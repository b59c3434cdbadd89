// npm run restore -- FILE: fills the empty database that DATABASE_URL names from a file of `npm run backup`.
import { DatabaseUnusable } from '../embedded/lock.ts';
import { runCommand } from './command.mjs';
import { restore } from './restore.ts';

await runCommand(async ({ databaseUrl, env, argument: file }) => {
  if (!file) throw new DatabaseUnusable('Name the backup: npm run restore -- FILE');
  const { repositories, brokenAuditEntry } = await restore(file, databaseUrl, env);
  return [
    `Restored ${file}: ${repositories} ${repositories === 1 ? 'repository' : 'repositories'}.`,
    brokenAuditEntry === null
      ? 'The audit log is unbroken.'
      : `The audit log does not follow from entry ${brokenAuditEntry} on: it was changed before the backup.`,
    'What was ended after the backup works again: sessions, access tokens, badges and links. End it before others use it.',
  ];
});
