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

/** What tabs show beside that, where it is known and granted: of stored runs, which need no request, and the rest. */
export const besideTabs: Partial<
  Record<WorkflowTab, Record<'stored' | 'requested', readonly (keyof BesideAnswers)[]>>
> = {
  overview: { stored: ['durations', 'figures', 'marks'], requested: ['jobStats', 'changes'] },
  performance: { stored: ['durations', 'figures', 'marks'], requested: ['changes'] },
  reliability: { stored: ['figures'], requested: [] },
  cost: { stored: ['figures'], requested: [] },
};

export const tabLabels = {
  overview: 'Overview',
  performance: 'Performance',
  reliability: 'Reliability',
  triggers: 'Triggers',
  cost: 'Cost',
  runs: 'Runs',
} satisfies Record<keyof typeof workflowTabs, string>;

/** What each tab begins with. */
export const loadingTitles: Record<WorkflowTab, readonly string[]> = {
  overview: ['Health', 'Critical path', 'Durations'],
  performance: ['Critical path', 'Durations', 'Jobs'],
  reliability: ['Timeline', 'Recovery and flakiness'],
  triggers: ['Triggers'],
  cost: ['Estimated cost'],
  runs: ['Runs'],
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
