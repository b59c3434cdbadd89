import type { Instant, LiveWorkflowRun, Repository, Workflow, WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { aCommit, anActor, shaOf } from './delivery-builders.ts';
import { quietSecurity } from './security.ts';
import { type DoubleRepository, type DoubleWorld, webUrl } from './world.ts';

export type RepositoryParts = Partial<Omit<DoubleRepository, 'facts'>> & { name: string; facts?: Partial<Repository> };

const day = 86_400_000;

/** A public repository with one workflow and one commit, changed as said. Ids follow the order of making. */
export function aRepository(world: DoubleWorld, parts: RepositoryParts): DoubleRepository {
  const { name, facts, ...rest } = parts;
  const [owner = '', repo = ''] = name.split('/');
  const id = facts?.id ?? 1001 + world.repositories.length;
  const ownerType = world.organizations.some((one) => one.login === owner) ? 'org' : 'user';
  return {
    facts: { ...defaultFacts(world.now, id, owner, repo), ownerType, ...facts },
    formerNames: [],
    empty: false,
    actionsEnabled: true,
    cacheBytes: 0,
    requiredChecks: { byRules: [], byProtection: [] },
    issuesEnabled: true,
    headStatus: null,
    workflowFiles: ['ci.yml'],
    files: new Map(),
    security: quietSecurity(),
    refs: [],
    forkCommits: [],
    collaborators: [],
    members: null,
    workflows: [aWorkflow(owner, repo, { id: id * 10 + 1, createdAt: world.now - 100 * day })],
    runs: new Map(),
    jobs: new Map(),
    logs: new Map(),
    called: new Map(),
    jobsOf: oneJob,
    commits: [aCommit(world.now - day, anActor('ann'), 'First commit')],
    pullRequests: [],
    issues: [],
    releases: [],
    deployments: [],
    environments: [],
    ...rest,
  };
}

export function aWorkflow(
  owner: string,
  repo: string,
  parts: Partial<Workflow> & { id: number; createdAt: Instant },
): Workflow {
  const path = parts.path ?? '.github/workflows/ci.yml';
  return {
    name: 'CI',
    path,
    state: 'active',
    htmlUrl: `${webUrl}/${owner}/${repo}/blob/main/${path}`,
    badgeUrl: `${webUrl}/${owner}/${repo}/workflows/${encodeURIComponent(parts.name ?? 'CI')}/badge.svg`,
    updatedAt: parts.createdAt,
    ...parts,
  };
}

/** One attempt of a run; what is not said: a push to main by ann, created at `now`, ended well after two minutes. */
export function anAttempt(
  { facts, workflows }: DoubleRepository,
  now: Instant,
  given: Partial<LiveWorkflowRun> & { id: number },
): LiveWorkflowRun {
  const createdAt = given.createdAt ?? now;
  const startedAt = given.startedAt ?? createdAt;
  const ended = (given.status ?? 'completed') === 'completed';
  const workflow = workflows.find((one) => one.id === given.workflowId) ?? workflows[0];
  const actor = anActor('ann');
  return {
    attempt: 1,
    workflowId: workflow?.id ?? 0,
    workflowName: workflow?.name ?? null,
    workflowPath: workflow?.path ?? null,
    runNumber: given.id,
    displayTitle: `Change ${given.id}`,
    event: 'push',
    status: 'completed',
    conclusion: ended ? 'success' : null,
    headBranch: facts.defaultBranch,
    headSha: shaOf(`run ${given.id}`),
    actor,
    triggeringActor: given.actor === undefined ? actor : given.actor,
    createdAt,
    startedAt,
    updatedAt: ended ? startedAt + 120_000 : startedAt,
    htmlUrl: `${webUrl}/${facts.owner}/${facts.repo}/actions/runs/${given.id}`,
    jobsUrl: '',
    checkSuiteId: null,
    headCommit: { message: `Change ${given.id}`, authorName: 'ann' },
    pullRequests: [],
    ...given,
  };
}

/** A single job that lasts as long as its run. */
function oneJob(run: LiveWorkflowRun): WorkflowJob[] {
  const ended = run.status === 'completed';
  const times = { startedAt: run.startedAt, completedAt: ended ? run.updatedAt : null };
  const state = { status: ended ? 'completed' : run.status, conclusion: run.conclusion };
  const id = run.id * 100 + run.attempt;
  return [
    {
      id,
      runId: run.id,
      attempt: run.attempt,
      name: 'build',
      workflowName: run.workflowName,
      ...state,
      createdAt: run.startedAt,
      ...times,
      runnerName: 'GitHub Actions 7',
      runnerGroup: 'GitHub Actions',
      labels: ['ubuntu-latest'],
      htmlUrl: `${run.htmlUrl}/job/${id}`,
      steps: [{ number: 1, name: 'Set up job', ...state, status: stepStatus(state.status), ...times }],
    },
  ];
}

/** A step is queued whatever its run waits for. */
const stepStatus = (status: WorkflowJob['status']): WorkflowJob['status'] =>
  status === 'completed' || status === 'in_progress' ? status : 'queued';

const defaultFacts = (now: Instant, id: number, owner: string, repo: string): Repository => ({
  id,
  owner,
  repo,
  description: null,
  htmlUrl: `${webUrl}/${owner}/${repo}`,
  language: 'TypeScript',
  private: false,
  visibility: 'public',
  stars: 0,
  hasIssues: true,
  archived: false,
  fork: false,
  defaultBranch: 'main',
  ownerType: 'org',
  createdAt: now - 2000 * 86_400_000,
  updatedAt: now - id * 60_000,
  pushedAt: now - id * 60_000,
});
