import type { Log } from '../platform/log.ts';
import type { SealedBox } from '../platform/sealed.ts';
import type { Store } from '../store/orm.ts';

/**
 * Seals with the newest secret what an earlier one sealed, so that the earlier one can be dropped. What opens with none
 * stays as it is.
 */
export async function sealAnew({ settings }: Pick<Store, 'settings'>, box: SealedBox, log: Log): Promise<void> {
  const secrets = await settings.secrets();
  const outdated = secrets.flatMap(({ key, sealed }) => {
    const opened = box.open(sealed);
    return opened?.outdated ? { key, sealed, text: opened.text } : [];
  });
  for (const { key, sealed, text } of outdated) await settings.replaceSecret(key, sealed, box.seal(text));
  if (outdated.length > 0) log.info({ settings: outdated.map(({ key }) => key) }, 'encrypted stored keys anew');
}
