import { defineEntity, p } from '@mikro-orm/core';
import { double } from './types.ts';

/** A count that all processes share and that only grows: what no longer has rows of its own is counted here. */
export const SharedCounter = defineEntity({
  name: 'SharedCounter',
  tableName: 'counters',
  properties: {
    /** The metric family. */
    name: p.text().primary(),
    /** The labels as text, so that they can be a key. */
    labelsKey: p.text().primary(),
    labels: p.json<Record<string, string>>(),
    value: double(),
  },
});
