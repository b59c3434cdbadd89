import type { BesideAnswers, WorkflowAnswers } from './operations.ts';

/** The tabs in their order, each with what it asks, and first of all what it is about. */
export const workflowTabs = {
  overview: ['runs', 'health', 'reliability'],
  performance: ['jobStats', 'reliability', 'runs'],
  reliability: ['reliability', 'runs'],
  triggers: ['reliability'],
  cost: ['cost'],
  runs: ['runs'],
} as const satisfies Record<string, readonly (keyof WorkflowAnswers)[]>;

export type WorkflowTab = keyof typeof workflowTabs;

/** What tabs show beside that, where it is known and granted. */
export const besideTabs: Partial<Record<WorkflowTab, readonly (keyof BesideAnswers)[]>> = {
  overview: ['jobStats', 'durations', 'changes', 'figures', 'marks'],
  performance: ['durations', 'changes', 'figures', 'marks'],
  reliability: ['figures'],
  cost: ['figures'],
};

/** The tab that an address asks for. */
export const requestedTab = (query: URLSearchParams): WorkflowTab => {
  const tab = query.get('tab') ?? '';
  return Object.hasOwn(workflowTabs, tab) ? (tab as WorkflowTab) : 'overview';
};

/** Runs that are requested when the address does not say. */
export const usualSize = '50';

/** The most that can be requested. */
export const maxSize = 100;
