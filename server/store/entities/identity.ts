import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** An account of the codehost, as runs and facts name it by its id. */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: p.bigint('string').primary().autoincrement(false),
    login: p.text(),
    avatarUrl: p.text(),
    isBot: p.boolean(),
  },
});

/** That two logins, or a git author's name and a login, are one person; the key of the alias tells which it is. */
export const IdentityLink = defineEntity({
  name: 'IdentityLink',
  tableName: 'identity_links',
  properties: {
    aliasKey: p.text().collation('C').primary(),
    alias: p.text(),
    primaryKey: p.text().collation('C'),
    primaryLogin: p.text(),
    createdBy: p.text(),
    createdAt: instant(),
  },
  indexes: [{ name: 'identity_links_by_primary', properties: ['primaryKey'] }],
  checks: [{ name: 'identity_links_check', expression: `alias_key <> primary_key` }],
});

/** That two logins are different people. */
export const DistinctPair = defineEntity({
  name: 'DistinctPair',
  tableName: 'distinct_pairs',
  properties: {
    aKey: p.text().collation('C').primary(),
    bKey: p.text().collation('C').primary(),
    a: p.text(),
    b: p.text(),
    createdBy: p.text(),
    createdAt: instant(),
  },
  checks: [{ name: 'distinct_pairs_check', expression: `a_key < b_key` }],
});
