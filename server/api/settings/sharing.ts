import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { administrator } from '../../access/rules.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { readSetting, saveSetting } from '../../settings/setting.ts';
import { sharers, sharingOf } from '../../settings/sharing.ts';
import { adminWrites, operation } from '../operation.ts';

const path = '/api/settings/sharing';

const { shape } = sharingOf({ MODE: 'organization' });

const SharingSettings = z.object({
  sharing: z.enum(sharers),
  public_badges: z.boolean(),
  updated_by: z.string().nullable(),
  updated_at: instant.nullable(),
  db_available: z.boolean(),
});

export const getSharing = operation({
  method: 'GET',
  path,
  summary: 'Sharing: who may make badges and links',
  access: administrator,
  input: z.object({}),
  output: SharingSettings,
  run: (_input, context) => inEffect(context),
});

export const putSharing = operation({
  method: 'PUT',
  path,
  summary: 'Sharing: save who may make badges and links',
  access: administrator,
  limit: adminWrites,
  input: shape,
  output: SharingSettings,
  async run(value, context) {
    const { store, services } = context;
    await saveSetting(sharingOf(services.env), value, { store, by: await changedBy(context) });
    return inEffect(context);
  },
});

async function inEffect({ services: { env, store } }: Context) {
  const { value, updatedBy, updatedAt, databaseAvailable } = await readSetting(sharingOf(env), store);
  return {
    sharing: value.sharing,
    publicBadges: value.public_badges,
    updatedBy,
    updatedAt,
    dbAvailable: databaseAvailable,
  };
}
