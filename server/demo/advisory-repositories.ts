import { deliveryPlan } from './delivery-plans.ts';
import { oneJob, passedLately, type RepositoryPlan, workflowPlan } from './plans.ts';

const names = [
  'berth-scheduler',
  'buoy-status',
  'cargo-manifest',
  'crane-console',
  'customs-bridge',
  'dock-lighting',
  'ferry-times',
  'fog-signal',
  'harbor-fees',
  'lock-keeper',
  'mooring-map',
  'pilot-roster',
];

/** Small services that use the package of the advisory; with four others of the organization they are sixteen. */
export const advisoryRepositories: RepositoryPlan[] = names.map((repo) => ({
  repo,
  description: null,
  language: 'TypeScript',
  stars: 0,
  private: true,
  archived: false,
  fork: false,
  empty: false,
  openIssues: 1,
  openPullRequests: 0,
  quietSince: 0,
  workflows: [
    workflowPlan({
      name: 'CI',
      path: '.github/workflows/ci.yml',
      perDay: 0.4,
      jobs: oneJob('Test'),
      incidents: passedLately,
    }),
  ],
  requiredChecks: [],
  rootFiles: null,
  delivery: deliveryPlan(),
}));

/** Their names. */
export const advisoryNames: readonly string[] = names;
