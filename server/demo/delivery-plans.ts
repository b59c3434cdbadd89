/** A part of a repository: its files, how often it is touched, and whose it is when one person knows it alone. */
export interface ModulePlan {
  path: string;
  files: string[];
  weight: number;
  owner: string | null;
}

/** How the people of a repository work together. */
export interface DeliveryPlan {
  modules: ModulePlan[];
  /** Share of the pushes to main that merge a pull request. */
  throughPullRequests: number;
  /** Share of people's pull requests that somebody reviews. */
  reviewed: number;
  /** Who gives most of the reviews. */
  mainReviewer: string | null;
  /** Share of pull requests that put something right in a hurry. */
  hotfixes: number;
  /** Whether changes have been getting through faster for some weeks. */
  improves: boolean;
  daysBetweenReleases: number | null;
  /** `workflow`: by its deploy jobs. `stale`: some, long ago. */
  deployments: 'workflow' | 'stale' | 'none';
  tracker: boolean;
  closedIssues: number;
}

const module = (path: string, weight: number, kind = 'ts', owner: string | null = null): ModulePlan => ({
  path,
  files: ['index', 'model', 'test'].map((name) => `${path}/${name}.${kind}`),
  weight,
  owner,
});

const root: ModulePlan = { path: '', files: ['package.json', 'README.md'], weight: 1, owner: null };

const workflows: ModulePlan = {
  path: '.github/workflows',
  files: ['.github/workflows/ci.yml'],
  weight: 1,
  owner: null,
};

/** A small repository that nobody hurries about, with these changes. */
export const deliveryPlan = (parts: Partial<DeliveryPlan> = {}): DeliveryPlan => ({
  modules: [module('src', 5), module('docs', 2, 'md'), root],
  throughPullRequests: 0.5,
  reviewed: 0.6,
  mainReviewer: null,
  hotfixes: 0.03,
  improves: false,
  daysBetweenReleases: null,
  deployments: 'none',
  tracker: true,
  closedIssues: 12,
  ...parts,
});

/** Changes get through faster since six weeks; one person reviews most of them; the tides belong to another alone. */
export const bookingSite = deliveryPlan({
  modules: [
    module('src/berths', 8),
    module('src/booking', 9),
    module('src/map', 6),
    module('src/tides', 5, 'ts', 'elsa-lind'),
    module('src/invoices', 3),
    module('docs', 2, 'md'),
    workflows,
    root,
  ],
  throughPullRequests: 0.72,
  reviewed: 0.86,
  mainReviewer: 'mira-okafor',
  improves: true,
  closedIssues: 60,
  daysBetweenReleases: 6,
  deployments: 'workflow',
});

export const signalsApi = deliveryPlan({
  modules: [
    module('cmd/beacon', 2, 'go'),
    module('internal/signals', 7, 'go'),
    module('internal/store', 4, 'go'),
    module('api', 3, 'go'),
    root,
  ],
  throughPullRequests: 0.8,
  reviewed: 0.92,
  mainReviewer: 'ravi-menon',
  daysBetweenReleases: 11,
  closedIssues: 35,
});

/** In trouble: many changes repair the ones before. Nothing gets to main without a pull request. */
export const gateway = deliveryPlan({
  modules: [
    module('src/routes', 5, 'rs'),
    module('src/auth', 4, 'rs', 'joao-sales'),
    module('src/limits', 3, 'rs'),
    workflows,
    root,
  ],
  throughPullRequests: 1,
  reviewed: 0.5,
  mainReviewer: 'mira-okafor',
  hotfixes: 0.2,
  deployments: 'workflow',
  closedIssues: 20,
});

export const pilotApp = deliveryPlan({
  modules: [
    module('app/chart', 6, 'kt'),
    module('app/pilot', 5, 'kt'),
    module('app/offline', 3, 'kt'),
    module('docs', 2, 'md'),
    root,
  ],
  throughPullRequests: 0.7,
  reviewed: 0.75,
  deployments: 'stale',
  daysBetweenReleases: 20,
  closedIssues: 25,
});
