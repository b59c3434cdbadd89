import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** The groups of an organization's deployment; `admin` has every feature and cannot be edited. */
export const groups = ['admin', 'devops', 'security', 'dev', 'pm'] as const;

export type Group = (typeof groups)[number];

/** The groups whose features an administrator chooses. */
export const editableGroups = ['devops', 'security', 'dev', 'pm'] as const;

export type EditableGroup = (typeof editableGroups)[number];

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

/** That a login gets a group when an account with it signs in for the first time. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    loginKey: p.text().collation('C').primary(),
    group: p.enum(editableGroups).fieldName('group_name').primary(),
    login: p.text(),
    invitedBy: p.text(),
    invitedAt: instant(),
  },
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
