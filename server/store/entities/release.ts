import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** A release. */
export const Release = defineEntity({
  name: 'Release',
  tableName: 'release_facts',
  properties: {
    repoId: p.integer().primary(),
    tag: p.text().primary(),
    publishedAt: instant(),
    isPrerelease: p.boolean(),
    isDraft: p.boolean(),
    htmlUrl: p.text(),
  },
  indexes: [
    {
      name: 'release_facts_by_time',
      properties: ['repoId', 'publishedAt'],
      columns: [{ name: 'repo_id' }, { name: 'published_at', sort: 'desc' }],
    },
  ],
});
