import type { WorkflowAnswers } from './operations.ts';

/** The tabs in their order, each with what it asks, and first of all what it is about. */
export const workflowTabs = {
  overview: ['runs', 'health', 'reliability'],
  performance: ['jobStats', 'reliability'],
  reliability: ['reliability', 'runs'],
  triggers: ['reliability'],
  cost: ['cost'],
  runs: ['runs'],
} as const satisfies Record<string, readonly (keyof WorkflowAnswers)[]>;

export type WorkflowTab = keyof typeof workflowTabs;

/** The tab that an address asks for. */
export const requestedTab = (query: URLSearchParams): WorkflowTab => {
  const tab = query.get('tab') ?? '';
  return Object.hasOwn(workflowTabs, tab) ? (tab as WorkflowTab) : 'overview';
};
