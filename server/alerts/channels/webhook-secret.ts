import { randomBytes } from 'node:crypto';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Env } from '../../platform/env.ts';
import { settingsBox } from '../../settings/sealing.ts';
import type { Store } from '../../store/orm.ts';
import type { StoredEndpoint } from '../../store/webhook-endpoints.ts';

const prefix = 'whsec_';

/** How long the secret before a rotation still signs. */
export const rotationMs = 24 * 3_600_000;

/** A new secret as it is shown, once. */
export const createWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** The bytes of a secret, which are the key of signatures. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

const secretBox = (env: Env) => settingsBox(env, 'webhook/secret/v1');

export const sealWebhookSecret = (env: Env, secret: string): string => secretBox(env).seal(secret);

/** The secrets that sign now, the newest first; none where they were sealed with a key that is lost. */
export function openWebhookSecrets(env: Env, endpoint: StoredEndpoint, now: Instant): string[] {
  const { secretSealed, previousSealed, previousUntil } = endpoint;
  const isRotating = previousUntil !== null && previousUntil > now;
  const sealed = [secretSealed, isRotating ? previousSealed : null];
  return sealed.flatMap((one) => (one && secretBox(env).open(one)?.text) || []);
}

/** Seals anew at a start what an earlier key sealed, so that the earlier one can be dropped. */
export async function sealWebhookSecretsAnew({ webhookEndpoints }: Pick<Store, 'webhookEndpoints'>, env: Env) {
  const box = secretBox(env);
  const sealAnew = (sealed: string) => {
    const opened = box.open(sealed);
    return opened?.outdated ? box.seal(opened.text) : sealed;
  };
  for (const endpoint of await webhookEndpoints.list()) {
    const secretSealed = sealAnew(endpoint.secretSealed);
    const previousSealed = endpoint.previousSealed && sealAnew(endpoint.previousSealed);
    if (secretSealed !== endpoint.secretSealed || previousSealed !== endpoint.previousSealed)
      await webhookEndpoints.replaceSecrets(endpoint.id, endpoint, { secretSealed, previousSealed });
  }
}
