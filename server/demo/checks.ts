import { oneJob, type WorkflowPlan, workflowPlan } from './plans.ts';

const check = (parts: Partial<WorkflowPlan> & Pick<WorkflowPlan, 'name' | 'path' | 'merged'>): WorkflowPlan =>
  workflowPlan({ beside: 'App tests', failureRate: 0.04, rerunRate: 1, jobs: oneJob('check'), ...parts });

/** Checks of pull requests, each with a recommended change that was merged: one of every outcome. */
export const checks: WorkflowPlan[] = [
  check({
    name: 'Unit tests',
    path: '.github/workflows/unit-tests.yml',
    seconds: 420,
    runsTwice: true,
    merged: { kind: 'ADV-02', daysAgo: 46, works: true, slower: null },
  }),
  check({
    name: 'Screenshot tests',
    path: '.github/workflows/screenshots.yml',
    seconds: 540,
    runsTwice: true,
    merged: { kind: 'ADV-02', daysAgo: 68, works: true, slower: { daysAgo: 30, factor: 2.2 } },
  }),
  check({
    name: 'Static analysis',
    path: '.github/workflows/static-analysis.yml',
    seconds: 300,
    runsTwice: true,
    merged: { kind: 'ADV-02', daysAgo: 40, works: true, slower: { daysAgo: 38, factor: 1.9 } },
  }),
  check({
    name: 'API contract',
    path: '.github/workflows/api-contract.yml',
    seconds: 900,
    spread: 0.05,
    failureRate: 0,
    merged: { kind: 'ADV-01', daysAgo: 62, works: false, slower: null },
  }),
  check({
    name: 'Device tests',
    path: '.github/workflows/device-tests.yml',
    seconds: 600,
    incidents: Object.fromEntries([70, 110, 150, 190, 230, 270, 310].map((index) => [index, 'timed_out' as const])),
    merged: { kind: 'ADV-05', daysAgo: 9, works: true, slower: null },
  }),
];
