import { defineEntity, p } from '@mikro-orm/core';
import { editableGroups, groups } from '../../domain/groups.ts';
import { instant } from './types.ts';

/** An account that signed in. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    codehostId: p.bigint('number').primary().autoincrement(false),
    login: p.text(),
    loginKey: p.text().collation('C'),
    name: p.text().strictNullable(),
    avatarUrl: p.text(),
    firstSeenAt: instant(),
    lastSeenAt: instant(),
    lastDeniedAt: instant().strictNullable(),
    lastDeniedCode: p.text().strictNullable(),
  },
  indexes: [
    { name: 'users_by_login', properties: ['loginKey'] },
    {
      name: 'users_by_last_seen',
      properties: ['lastSeenAt', 'loginKey'],
      columns: [{ name: 'last_seen_at', sort: 'desc' }, { name: 'login_key' }],
    },
  ],
});

/** That a user is in a group. */
export const UserGroup = defineEntity({
  name: 'UserGroup',
  tableName: 'user_groups',
  properties: {
    codehostId: () => p.manyToOne(User).mapToPk().joinColumn('codehost_id').primary(),
    group: p.enum(groups).fieldName('group_name').primary(),
    grantedBy: p.text(),
    grantedAt: instant(),
  },
  indexes: [{ name: 'user_groups_by_name', properties: ['group'] }],
});

/** That an account was a member of an organization when it was checked; never that it was not. */
export const OrganizationMembership = defineEntity({
  name: 'OrganizationMembership',
  tableName: 'org_membership_cache',
  properties: {
    codehostId: p.bigint('number').primary(),
    orgKey: p.text().collation('C').primary(),
    role: p.text(),
    checkedAt: instant(),
  },
});

/** Whether a group may use a feature. */
export const GroupPermission = defineEntity({
  name: 'GroupPermission',
  tableName: 'group_permissions',
  properties: {
    group: p.enum(editableGroups).fieldName('group_name').primary(),
    flag: p.text().primary(),
    granted: p.boolean(),
    updatedBy: p.text(),
    updatedAt: instant(),
  },
});
