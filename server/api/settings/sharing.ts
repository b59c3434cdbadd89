import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { administrator } from '../../access/rules.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { readSetting, saveSetting } from '../../settings/setting.ts';
import { sharers, sharingOf } from '../../settings/sharing.ts';
import { adminWrites, operation } from '../operation.ts';
import { changedVersion, shownVersion } from './version.ts';

const path = '/api/settings/sharing';

const { shape } = sharingOf({ MODE: 'organization' });

const SharingSettings = z.object({
  sharing: z.enum(sharers),
  public_badges: z.boolean(),
  updated_by: z.string().nullable(),
  updated_at: instant.nullable(),
  version: shownVersion,
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
  failures: ['edit_conflict'],
  input: shape.extend({ version: changedVersion }),
  output: SharingSettings,
  async run({ version, ...value }, context) {
    const { store, services } = context;
    const by = { ...(await changedBy(context)), version };
    await saveSetting(sharingOf(services.env), value, { store, by });
    return inEffect(context);
  },
});

async function inEffect({ services: { env, store } }: Context) {
  const { value, updatedBy, updatedAt, version, databaseAvailable } = await readSetting(sharingOf(env), store);
  return {
    sharing: value.sharing,
    publicBadges: value.public_badges,
    updatedBy,
    updatedAt,
    version,
    dbAvailable: databaseAvailable,
  };
}
