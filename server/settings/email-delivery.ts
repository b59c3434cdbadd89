import { z } from 'zod';
import { senderAddress, withoutAddresses } from '../platform/mail-address.ts';
import type { SealedBox } from '../platform/sealed.ts';
import type { Store } from '../store/orm.ts';
import type { SavedSetting, SettingEdit } from '../store/settings.ts';
import { keyHint } from './sealing.ts';
import { putSetting } from './setting.ts';

/** The providers that can be saved; a relay of one's own is configured by the environment alone. */
export const savedProviders = ['postmark', 'resend'] as const;

export type SavedProvider = (typeof savedProviders)[number];

/** What is saved of email delivery, beside the key. */
export const emailDelivery = z.object({
  enabled: z.boolean(),
  provider: z.enum(savedProviders),
  from_address: senderAddress.nullable(),
});

export type EmailDelivery = z.output<typeof emailDelivery>;

/**
 * What is saved: nothing; something with its key, which is null while there is none that opens and belongs to the
 * provider; or something unknown, because the database or the value could not be read.
 */
export type SavedEmailDelivery =
  | { state: 'nothing' }
  | { state: 'unreadable'; isDatabaseAvailable: boolean; row: SavedSetting | null }
  | { state: 'saved'; value: EmailDelivery; key: string | null; row: SavedSetting };

/** What is saved of email delivery now. Never throws. */
export async function readEmailDelivery(store: Store | null, box: SealedBox): Promise<SavedEmailDelivery> {
  if (!store) return { state: 'nothing' };
  const row = await store.settings.get(settingKey).catch(() => undefined);
  if (row === undefined) return { state: 'unreadable', isDatabaseAvailable: false, row: null };
  if (row === null) return { state: 'nothing' };
  const value = emailDelivery.safeParse(row.value);
  if (!value.success) return { state: 'unreadable', isDatabaseAvailable: true, row };
  return { state: 'saved', value: value.data, key: openKey(row.secretSealed, value.data.provider, box), row };
}

interface Saving {
  store: Store;
  box: SealedBox;
  by: SettingEdit;
}

/**
 * Saves what holds from now on; a key of null keeps the stored one.
 * @throws Problem `edit_conflict`
 */
export async function saveEmailDelivery(
  value: EmailDelivery,
  key: string | null,
  { store, box, by }: Saving,
): Promise<void> {
  const secret = key === null ? undefined : { sealed: sealKey(key, value.provider, box), hint: keyHint(key) };
  await putSetting(store, settingKey, { value, secret, audited: { from_address: masked }, by });
}

const settingKey = 'email';

const masked = (from: unknown) => (typeof from === 'string' ? withoutAddresses(from) : from);

/** The key is sealed with the provider it belongs to, so that it is never handed to another. */
const sealKey = (key: string, provider: SavedProvider, box: SealedBox) => box.seal(`${provider} ${key}`);

function openKey(sealed: string | null, provider: SavedProvider, box: SealedBox): string | null {
  const text = sealed === null ? undefined : box.open(sealed)?.text;
  return text?.startsWith(`${provider} `) ? text.slice(provider.length + 1) : null;
}
