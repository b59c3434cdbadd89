// npm run rotate-secrets: new secrets in .env; the earlier ones still open what they encrypted.
import { existsSync } from 'node:fs';
import { rotateSecrets } from './rotate-secrets.ts';

const byHand =
  'Set SESSION_SECRET and SETTINGS_ENCRYPTION_KEY where your environment has them, and move the earlier values to SESSION_SECRET_PREVIOUS and SETTINGS_ENCRYPTION_KEY_PREVIOUS.';

const rotated = existsSync('.env') ? rotateSecrets('.env') : [];
if (rotated.length === 0) {
  console.error(`There are no secrets in .env here. ${byHand}`);
  process.exitCode = 1;
} else {
  console.log(`Replaced ${rotated.join(' and ')} in .env; the earlier values still open what they encrypted.`);
  console.log('Restart every process of the service: the first to start encrypts stored keys with the new key.');
}
