import { defineEntity, p } from '@mikro-orm/core';

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
