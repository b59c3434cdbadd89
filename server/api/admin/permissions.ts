import { z } from 'zod';
import { changedBy } from '../../access/context.ts';
import { type FeatureKey, featureAreas, featureKeys, features } from '../../access/features.ts';
import { organizationAdministrator } from '../../access/rules.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { editableGroups, groups } from '../../store/entities/user.ts';
import type { Permission } from '../../store/permissions.ts';
import { adminWrites, operation } from '../operation.ts';
import type { Domain } from '../wire.ts';

const flag = z.enum(featureKeys);

const PermissionMatrix = z
  .object({
    groups: z.array(z.enum(groups)),
    editable_groups: z.array(z.enum(editableGroups)),
    features: z.array(
      z.object({
        key: flag,
        label: z.string(),
        description: z.string(),
        area: z.enum(featureAreas),
        sensitive: z.boolean().meta({ description: 'Shows what single people did.' }),
      }),
    ),
    matrix: z.record(z.enum(groups), z.record(flag, z.boolean())),
    cells: z
      .array(
        z.object({
          group: z.enum(editableGroups),
          flag,
          updated_by: z.string().meta({ description: '`system` for what was granted from the start.' }),
          updated_at: instant,
        }),
      )
      .meta({ description: 'Who last set a cell, and when; excludes cells never set.' }),
    enforcement: z.boolean().meta({ description: 'false: what is missing is logged, but not denied.' }),
    stale_keys: z.array(z.string()).meta({ description: 'Stored keys that this version does not know.' }),
  })
  .meta({ id: 'PermissionMatrix' });

export const getPermissions = operation({
  method: 'GET',
  path: '/api/admin/permissions',
  summary: 'Which group is granted which feature',
  access: organizationAdministrator,
  input: z.object({}),
  output: PermissionMatrix,
  async run(_input, { store, services }) {
    const stored = await store.permissions.all();
    const known = stored.filter(isKnown);
    return {
      groups,
      editableGroups,
      features: featureKeys.map((key) => ({ key, ...features[key] })),
      matrix: toMatrix(known),
      cells: known,
      enforcement: services.env.ACCESS_ENFORCEMENT === 'on',
      staleKeys: [...new Set(stored.filter((one) => !isKnown(one)).map((one) => one.flag))].sort(),
    };
  },
});

export const putPermission = operation({
  method: 'PUT',
  path: '/api/admin/permissions',
  summary: 'Grant a feature to a group, or take it away',
  access: organizationAdministrator,
  limit: adminWrites,
  input: z.object({ group: z.enum(editableGroups), flag, granted: z.boolean() }),
  output: z.object({ group: z.enum(editableGroups), flag, granted: z.boolean(), changed: z.boolean() }),
  async run(cell, context) {
    const changed = await context.store.permissions.set(cell, await changedBy(context));
    return { ...cell, changed };
  },
});

const isKnown = (one: Permission): one is Permission & { flag: FeatureKey } => Object.hasOwn(features, one.flag);

function toMatrix(known: readonly Permission[]) {
  const granted = new Set(known.filter((one) => one.granted).map(({ group, flag }) => `${group}/${flag}`));
  const row = (group: string) =>
    Object.fromEntries(featureKeys.map((key) => [key, group === 'admin' || granted.has(`${group}/${key}`)]));
  return Object.fromEntries(groups.map((group) => [group, row(group)])) as Domain<typeof PermissionMatrix>['matrix'];
}
