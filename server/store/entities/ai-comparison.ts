import { defineEntity, p } from '@mikro-orm/core';
import type { KeptComparison } from '../../metrics/ai-authorship/comparison/kept-comparison.ts';
import { instant } from './types.ts';

/** How marked pull requests of a set of repositories fared beside others in some months. Sums and means, of no person. */
export const AiComparison = defineEntity({
  name: 'AiComparison',
  tableName: 'ai_comparisons',
  properties: {
    /** A hash of the repositories. */
    scopeKey: p.text().primary(),
    /** The first and the last month. */
    months: p.text().primary(),
    class: p.text().primary(),
    /** Empty for all agents. */
    agent: p.text().primary(),
    tableVersion: p.text(),
    answer: p.json<KeptComparison>(),
    computedAt: instant(),
  },
});
