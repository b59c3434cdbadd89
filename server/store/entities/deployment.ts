import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** A deployment with its statuses. */
export const Deployment = defineEntity({
  name: 'Deployment',
  tableName: 'deployment_facts',
  properties: {
    repoId: p.integer().primary(),
    id: p.bigint('number').primary(),
    environment: p.text(),
    createdAt: instant(),
    sha: p.text(),
    ref: p.text().strictNullable(),
    creatorId: p.bigint('string').strictNullable(),
    statuses: p.json<unknown>(),
    url: p.text().strictNullable(),
  },
  indexes: [
    {
      name: 'deployment_facts_by_time',
      properties: ['repoId', 'createdAt'],
      columns: [{ name: 'repo_id' }, { name: 'created_at', sort: 'desc' }],
    },
  ],
});
