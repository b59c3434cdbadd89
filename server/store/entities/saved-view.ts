import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** An address of a page that a person named, to open it again. */
export const SavedView = defineEntity({
  name: 'SavedView',
  tableName: 'saved_views',
  properties: {
    id: p.integer().primary().autoincrement(),
    codehostId: p.bigint('number'),
    name: p.text(),
    address: p.text(),
    createdAt: instant(),
  },
  uniques: [{ name: 'saved_views_once', properties: ['codehostId', 'name'] }],
});
