import { defineEntity, p } from '@mikro-orm/core';
import type { ComparisonResult } from '../../metrics/ai-authorship/comparison/compare-gathered.ts';
import { instant } from './types.ts';

/** How marked pull requests of some repositories fared beside others in some months. Sums and means, of no person. */
export const AiComparison = defineEntity({
  name: 'AiComparison',
  tableName: 'ai_comparisons',
  properties: {
    /** A hash of the repositories and months that are compared. */
    cellsKey: p.text().primary(),
    class: p.text().primary(),
    /** Empty for all agents. */
    agent: p.text().primary(),
    tableVersion: p.text(),
    answer: p.json<ComparisonResult>(),
    computedAt: instant(),
  },
});
