import { checks } from './checks.ts';
import { bookingSite, deliveryPlan, gateway, pilotApp, signalsApi } from './delivery-plans.ts';
import { appTests, deploySteps, oneJob, type RepositoryPlan, type WorkflowPlan, workflowPlan } from './plans.ts';

/** The sample organization. Everything in it is invented. */
export const organization = {
  login: 'lumen-harbor',
  description: 'A fictional harbour authority that writes its own software. All data is made up.',
};

export const people = ['mira-okafor', 'tuan-pham', 'elsa-lind', 'ravi-menon', 'noor-haddad', 'joao-sales'];

export const bot = 'tide-updates[bot]';

const plan = (parts: Partial<RepositoryPlan> & { repo: string }): RepositoryPlan => ({
  description: null,
  language: 'TypeScript',
  stars: 0,
  private: false,
  archived: false,
  fork: false,
  empty: false,
  openIssues: 4,
  openPullRequests: 2,
  quietSince: 0,
  workflows: [],
  requiredChecks: [],
  rootFiles: null,
  delivery: deliveryPlan(),
  ...parts,
});

const file = (name: string) => `.github/workflows/${name}.yml`;

const nightly = (parts: Partial<WorkflowPlan> = {}): WorkflowPlan =>
  workflowPlan({
    name: 'Nightly checks',
    path: file('nightly'),
    nightly: true,
    seconds: 1500,
    spread: 0.08,
    events: ['schedule'],
    jobs: oneJob('Full check'),
    rerunRate: 0,
    ...parts,
  });

const deploy = (perDay: number, failureRate: number): WorkflowPlan =>
  workflowPlan({
    name: 'Deploy',
    path: file('deploy'),
    jobs: deploySteps,
    seconds: 420,
    perDay,
    failureRate,
    rerunRate: 0.5,
    events: ['push', 'push', 'push', 'workflow_dispatch'],
    failsLast: true,
    incidents: { 0: 'running', 4: 'failed', 9: 'failed', 10: 'failed' },
  });

/** The first repository shows every state within its newest fifty runs. */
const tidewater = plan({
  repo: 'tidewater-web',
  delivery: bookingSite,
  description: 'The public berth booking site',
  stars: 214,
  openIssues: 31,
  openPullRequests: 9,
  workflows: [
    workflowPlan({
      name: 'CI',
      path: file('ci'),
      perDay: 14,
      seconds: 380,
      failureRate: 0.03,
      incidents: {
        0: 'queued',
        1: 'running',
        4: 'cancelled',
        7: 'fixed_by_rerun',
        17: 'queue_spike',
        18: 'queue_spike',
        11: 'failed',
        12: 'failed',
        13: 'failed',
        14: 'failed',
        23: 'slow_outlier',
      },
    }),
    deploy(2, 0.04),
    workflowPlan({
      name: 'Dependency updates',
      path: 'dynamic/tide-updates/update',
      perDay: 0.8,
      seconds: 90,
      events: ['dynamic'],
      jobs: oneJob('Update'),
      failureRate: 0.02,
    }),
    workflowPlan({
      name: 'Old end-to-end tests',
      path: file('e2e-old'),
      state: 'disabled_manually',
      perDay: 0,
      jobs: oneJob('End to end'),
    }),
  ],
});

const flaky = plan({
  repo: 'beacon-api',
  delivery: signalsApi,
  description: 'Positions and signals of ships, as an API',
  language: 'Go',
  private: true,
  openIssues: 18,
  openPullRequests: 5,
  workflows: [
    workflowPlan({
      name: 'CI',
      path: file('ci'),
      perDay: 9,
      seconds: 540,
      spread: 0.25,
      failureRate: 0.2,
      rerunRate: 0.8,
      incidents: { 0: 'running', 2: 'fixed_by_rerun', 5: 'failed_again', 8: 'timed_out', 14: 'fixed_by_rerun' },
    }),
    nightly({ failureRate: 0.12 }),
  ],
});

const failing = plan({
  repo: 'harbor-gateway',
  delivery: gateway,
  description: 'The door between our systems and everybody else’s',
  language: 'Rust',
  private: true,
  openIssues: 9,
  openPullRequests: 11,
  workflows: [
    workflowPlan({
      name: 'Build',
      path: file('build'),
      perDay: 5,
      seconds: 840,
      failureRate: 0.12,
      events: ['push', 'push', 'push', 'pull_request'],
      incidents: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((index) => [index, 'failed' as const])),
    }),
    deploy(0.7, 0.25),
  ],
});

const twoModes = plan({
  repo: 'pilot-mobile',
  delivery: pilotApp,
  description: 'Ứng dụng hoa tiêu · 水先案内アプリ · Lotsen-App ⚓',
  language: 'Kotlin',
  private: true,
  // Else the runs of these for documentation alone could be left out.
  requiredChecks: ['check'],
  rootFiles: ['README.md', 'build.gradle.kts', 'gradlew', 'settings.gradle.kts'],
  workflows: [
    workflowPlan({
      name: 'Build and sign',
      path: file('build'),
      perDay: 4,
      events: ['push'],
      seconds: 1080,
      warmSeconds: 290,
      spread: 0.07,
      incidents: { 0: 'queued', 9: 'cancelled', 20: 'slow_outlier' },
    }),
    nightly(),
    // For every kind of saving: runs that are superseded, that run twice, and that hang.
    workflowPlan({
      name: 'App tests',
      path: file('app-tests'),
      perDay: 6,
      seconds: 660,
      failureRate: 0.06,
      jobs: appTests,
      pushedAgainRate: 0.7,
      runsTwice: true,
      incidents: { 30: 'timed_out', 90: 'timed_out', 150: 'timed_out' },
    }),
    ...checks,
  ],
});

/** Eight repositories of different character; the first is the one shown when none is requested. */
export const repositoryPlans: RepositoryPlan[] = [
  tidewater,
  flaky,
  failing,
  twoModes,
  plan({
    repo: 'driftwood-docs',
    description: 'Handbook of the harbour',
    language: 'MDX',
    stars: 6,
    openIssues: 1,
    openPullRequests: 0,
    workflows: [workflowPlan({ name: 'Publish', path: file('publish'), perDay: 0.35, jobs: oneJob('Publish') })],
  }),
  plan({
    repo: 'old-lantern',
    description: 'The booking site before tidewater-web',
    language: 'JavaScript',
    stars: 3,
    archived: true,
    quietSince: 74,
    openIssues: 0,
    openPullRequests: 0,
    workflows: [workflowPlan({ name: 'CI', path: file('ci'), perDay: 2, state: 'disabled_inactivity' })],
  }),
  plan({
    repo: 'anchor-charts',
    description: 'Our changes to a chart drawing library',
    fork: true,
    openIssues: 0,
    openPullRequests: 1,
    quietSince: 12,
    delivery: deliveryPlan({ tracker: false, throughPullRequests: 0.9 }),
    workflows: [
      workflowPlan({ name: 'Test', path: file('test'), perDay: 0.5, state: 'disabled_fork', jobs: oneJob('Test') }),
    ],
  }),
  plan({
    repo: 'new-pier',
    language: null,
    empty: true,
    openIssues: 0,
    openPullRequests: 0,
    quietSince: null,
    delivery: deliveryPlan({ closedIssues: 0 }),
  }),
];
