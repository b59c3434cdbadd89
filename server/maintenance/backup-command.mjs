// npm run backup -- [FILE]: writes the database that DATABASE_URL names to a new file.
import { backUp } from './backup.ts';
import { runCommand } from './command.mjs';

const fileOfNow = () => `data/backups/${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;

await runCommand(async ({ databaseUrl, env, argument: file = fileOfNow() }) => {
  const bytes = await backUp(file, databaseUrl, env);
  return [
    `Wrote ${file} (${(bytes / 1_000_000).toFixed(1)} MB).`,
    'Save the secrets too, in another place: SESSION_SECRET and SETTINGS_ENCRYPTION_KEY, in .env unless you keep them elsewhere.',
  ];
});
