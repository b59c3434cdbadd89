import { z } from 'zod';
import { changedBy } from '../../access/context.ts';
import { organizationAdministrator } from '../../access/rules.ts';
import { Problem } from '../../platform/problem.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { groups } from '../../store/entities/user.ts';
import type { User } from '../../store/users.ts';
import { adminWrites, operation } from '../operation.ts';
import { bounded, clamped, identifier, nextOffset, searched } from '../parameters.ts';
import type { Domain } from '../wire.ts';

const UserRecord = z
  .object({
    codehost_id: z.string().meta({ description: 'GitHub account ID; does not change on rename.' }),
    login: z.string(),
    name: z.string().nullable(),
    avatar_url: z.string(),
    groups: z.array(z.enum(groups)),
    first_seen_at: instant,
    last_seen_at: instant.meta({ description: 'Exact to five minutes.' }),
    last_denied_at: instant.nullable(),
    last_denied_code: z
      .string()
      .nullable()
      .meta({ description: 'Why access was denied, with the missing feature after a colon.' }),
  })
  .meta({ id: 'UserRecord' });

const groupList = z.array(z.enum(groups)).max(100, 'are more than 100');

export const getUsers = operation({
  method: 'GET',
  path: '/api/admin/users',
  summary: 'Everybody who has signed in, with their groups; who was here last comes first',
  access: organizationAdministrator,
  input: z.object({
    q: searched.optional().meta({ description: 'Part of a login or a name, in any case.' }),
    group: z
      .enum([...groups, 'none'])
      .optional()
      .meta({ description: 'One group; `none`: people who wait for access.' }),
    limit: clamped(1, 500, 100),
    offset: bounded(0, 1_000_000, 0),
  }),
  output: z.object({ users: z.array(UserRecord), total: z.int(), limit: z.int(), offset: z.int() }),
  rows: ({ users }) => users,
  nextPage: nextOffset,
  async run({ q, group, limit, offset }, { store }) {
    const { users, total } = await store.users.list({ text: q ?? null, group: group ?? null, limit, offset });
    return { users: users.map(toUserRecord), total, limit, offset };
  },
});

export const putUserGroups = operation({
  method: 'PUT',
  path: '/api/admin/users/[codehostId]/groups',
  summary: 'Replace the groups of somebody; none at all takes every access away',
  access: organizationAdministrator,
  failures: ['not_found', 'last_admin', 'edit_conflict'],
  limit: adminWrites,
  input: z.object({
    codehostId: identifier,
    groups: groupList,
    before: groupList
      .optional()
      .meta({ description: 'The groups that are replaced: given, nothing is done where they have changed.' }),
  }),
  output: z.object({ user: UserRecord, changed: z.boolean() }),
  async run({ codehostId, groups: wanted, before }, context) {
    const by = { ...(await changedBy(context)), before };
    const result = await context.store.users.replaceGroups(codehostId, wanted, by);
    if (result.outcome !== 'done') throw problems[result.outcome]();
    return { user: toUserRecord(result.user), changed: result.changed };
  },
});

const problems = {
  unknown_user: () => new Problem('not_found', 'Nobody with this id has signed in here.'),
  last_admin: () => new Problem('last_admin', 'At least one administrator must remain.'),
  outdated: () => new Problem('edit_conflict', 'The groups changed since they were read. Check them, and save again.'),
};

const toUserRecord = (user: User): Domain<typeof UserRecord> => ({
  ...user,
  codehostId: String(user.codehostId),
});
