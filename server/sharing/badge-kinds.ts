import type { FeatureKey } from '../access/features.ts';

interface BadgeKind {
  /** What it is called where one is chosen. */
  name: string;
  /** What stands on it without another label. */
  label: string;
  /** The days of the operation behind it; null for the latest result. */
  days: number | null;
  /** The feature of that operation; null where every member may read it. */
  feature: FeatureKey | null;
}

/** The numbers that a badge can show, each as the operation beside it answers. */
export const badgeKinds = {
  // GET /api/codehost/runs
  workflow: { name: 'Latest result of a workflow', label: 'workflow', days: null, feature: null },
  // GET /api/db/workflows with range=30
  'success-rate': { name: 'Success rate', label: 'success rate', days: 30, feature: 'reports' },
  duration: { name: 'Duration', label: 'CI duration', days: 30, feature: 'reports' },
  queue: { name: 'Queue wait', label: 'CI queue', days: 30, feature: 'reports' },
  // GET /api/codehost/repo-dora
  'lead-time': { name: 'Lead time', label: 'lead time', days: 90, feature: 'dora' },
  'deploy-frequency': { name: 'Release or merge frequency', label: 'releases or merges', days: 90, feature: 'dora' },
  'change-failure-rate': { name: 'Reverts and hotfixes', label: 'reverts and hotfixes', days: 90, feature: 'dora' },
  'time-to-restore': { name: 'Time to merge a fix', label: 'time to merge a fix', days: 90, feature: 'dora' },
  'coverage-of-data': { name: 'Data coverage', label: 'data', days: 90, feature: 'dora' },
} as const satisfies Record<string, BadgeKind>;

export type BadgeKindName = keyof typeof badgeKinds;

export const badgeKindNames = Object.keys(badgeKinds) as [BadgeKindName, ...BadgeKindName[]];
