import { randomBytes } from 'node:crypto';
import type { Env } from '../platform/env.ts';
import { type SealedBox, sealedBox } from '../platform/sealed.ts';

type Secrets = Pick<
  Env,
  'SETTINGS_ENCRYPTION_KEY' | 'SETTINGS_ENCRYPTION_KEY_PREVIOUS' | 'SESSION_SECRET' | 'SESSION_SECRET_PREVIOUS'
>;

/** Without any secret, what is sealed is lost with the process; one secret for all boxes of it. */
const ofThisProcess = randomBytes(32).toString('base64');

/**
 * The box for stored keys of providers. The key of its own seals where there is one, else the session secret, so that a
 * retired key never does; all others go on opening what was sealed before, and without a secret of today it stays as it
 * was sealed. `purpose` separates secrets of other kinds.
 */
export function settingsBox(env: Secrets, purpose = 'settings'): SealedBox {
  const { SETTINGS_ENCRYPTION_KEY: own, SESSION_SECRET: session } = env;
  const earlier = [...env.SETTINGS_ENCRYPTION_KEY_PREVIOUS, ...env.SESSION_SECRET_PREVIOUS];
  const opening = own !== undefined && session !== undefined ? [session, ...earlier] : earlier;
  const sealing = own ?? session;
  const box = sealedBox([sealing ?? ofThisProcess, ...opening], purpose);
  return sealing === undefined ? { ...box, open: (sealed) => asItIs(box.open(sealed)) } : box;
}

/** Nothing is outdated beside a secret that ends with the process: sealed anew with it, it would be lost. */
const asItIs = (opened: ReturnType<SealedBox['open']>) => opened && { text: opened.text, outdated: false };

/** What may be shown of a key: four dots and its last four characters, of a key under twelve only the dots. */
export const keyHint = (key: string): string => (key.length < 12 ? dots : `${dots}${key.slice(-4)}`);

const dots = '••••';
