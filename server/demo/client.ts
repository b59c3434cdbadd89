import type { Platform } from '../codehost/changes/client.ts';
import type { Codehost } from '../codehost/client/client.ts';
import type { LiveWorkflowRun, RepositoryName } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { demoBilling } from './billing.ts';
import { demoChanges } from './changes.ts';
import { demoDelivery } from './delivery.ts';
import { demoDocumentation } from './documentation.ts';
import { isNamed, listing, notFound, repositoryNamed } from './lookup.ts';
import { demoSecurityAlerts } from './security-alerts.ts';
import { demoWorkflowChanges } from './workflow-changes.ts';
import { demoWorkflowFiles } from './workflow-files.ts';
import { same, type World } from './world.ts';

const notInSample = async (): Promise<never> => {
  throw new Problem('upstream_forbidden', 'The demo is invented: no pull requests can be opened in it.');
};

const withoutPullRequests = {
  pullRequestBase: notInSample,
  createBranch: notInSample,
  commitFiles: notInSample,
  deleteBranch: notInSample,
  openPullRequest: notInSample,
};

/** The sample world read as if it were the platform. Unknown names throw `Problem('not_found')`. */
export function demoCodehost(world: World): Platform {
  const viewer = {
    id: 1,
    login: 'demo',
    name: 'Demo visitor',
    avatarUrl: world.organization.avatarUrl,
    email: null,
    scopes: null,
  };
  return {
    ...demoDelivery(world),
    ...demoChanges(world),
    ...demoSecurityAlerts(world),
    ...demoWorkflowChanges(world),
    ...demoBilling(world),
    ...demoWorkflowFiles(world),
    ...demoDocumentation(world),
    requiredChecks: async (name) => {
      const { requiredChecks: names } = repositoryNamed(world, name);
      return { names: [...names], stale: false, asOf: world.now };
    },
    caches: { usage: async () => ({ bytes: 0, stale: false, asOf: world.now }) },
    // Its actions are the platform's own, of which the sample knows nothing.
    async *actionReferences() {},
    tagsOfActions: async () => new Map(),
    advisory: async () => null,
    actionAdvisories: async () => [],
    refTargets: async (questions) => questions.map(() => 'not_found'),
    compareCommits: async () => null,
    isOnBranch: async () => null,
    actionFiles: async (files) => files.map(() => 'not_found'),
    release: async () => null,
    workflowTrees: async (names) =>
      names.map((name) => ({ repositoryId: repositoryNamed(world, name).repository.id, treeId: null })),
    createIssue: async () => {
      throw new Problem('upstream_forbidden', 'The demo is invented: no issues can be filed in it.');
    },
    findIssue: async () => null,
    pullRequestStates: async (addresses) => addresses.map(() => null),
    ...withoutPullRequests,
    viewer: async () => viewer,
    knownViewer: () => viewer,
    confirm: async () => undefined,
    rateLimits: async () => {
      const quota = (limit: number) => ({ limit, remaining: limit, reset: world.now / 1000 + 3600, used: 0 });
      return { core: quota(5000), graphql: quota(5000), search: quota(30), disabled: false, checkedAt: world.now };
    },
    repositories: createRepositories(world),
    organizations: {
      mine: async () => ({ ...listing(world, [world.organization]), scopeHint: false }),
      membership: async () => null,
      isMember: async () => false,
      hasMember: async () => false,
      teams: async () => listing(world, []),
      members: async () => listing(world, []),
    },
    workflows: {
      list: async (name) => listing(world, repositoryNamed(world, name).workflows),
      count: async (name) => ({
        count: repositoryNamed(world, name).workflows.length,
        stale: false,
        asOf: world.now,
      }),
    },
    runs: createRuns(world),
    jobs: createJobs(world),
    logs: { ofJob: async () => 'missing', record: async () => null },
  };
}

function createRepositories(world: World): Codehost['repositories'] {
  const fresh = { stale: false, asOf: world.now };
  const all = world.repositories
    .map((one) => one.repository)
    .sort((one, other) => (other.updatedAt ?? 0) - (one.updatedAt ?? 0));
  return {
    mine: async () =>
      listing(
        world,
        all.map((one) => ({ ...one, affiliation: 'member' as const })),
      ),
    ofOrganization: async (org) => {
      if (!same(org, world.organization.login)) throw notFound(`organization ${org}`);
      return listing(world, all);
    },
    get: async (name) => repositoryNamed(world, name).repository,
    about: async (name) => ({ ...repositoryNamed(world, name).repository, ...fresh }),
    knownMine: () => world.repositories.map(({ repository }) => repository),
    known: (name) => world.repositories.find((one) => isNamed(one, name))?.repository ?? null,
    canonical: () => null,
    states: async (names) =>
      names.flatMap((name) => {
        const known = world.repositories.find((one) => isNamed(one, name));
        return known ? { ...known.state, ...fresh, unread: null } : [];
      }),
  };
}

function createRuns(world: World): Codehost['runs'] {
  const of = (name: RepositoryName) => repositoryNamed(world, name);
  const newest = (runs: LiveWorkflowRun[], max: number) => ({
    ...listing(world, runs.slice(0, max)),
    totalCount: runs.length,
    partial: runs.length > max,
  });
  const ofOne = (name: RepositoryName, workflowId: number) => {
    const { workflows, runs } = of(name);
    if (!workflows.some((one) => one.id === workflowId)) throw notFound(`workflow ${workflowId}`);
    return runs.filter((run) => run.workflowId === workflowId);
  };
  return {
    // A page was requested, so a shorter list is complete.
    ofWorkflow: async (name, workflowId, perPage) => ({ ...newest(ofOne(name, workflowId), perPage), partial: false }),
    ofBranch: async (name, workflowId, branch) => {
      const runs = ofOne(name, workflowId).filter(({ headBranch }) => headBranch === branch);
      return newest(runs, 100);
    },
    recent: async (name, since, pages) => {
      const runs = of(name).runs.filter((run) => run.createdAt >= since);
      return newest(runs, pages * 100);
    },
    completed: async (name) => {
      const runs = of(name).runs.filter(({ status }) => status === 'completed');
      return newest(runs, 100);
    },
    countSince: async (name, since) => {
      const { length: count } = of(name).runs.filter((run) => run.createdAt >= since);
      return { count, stale: false, asOf: world.now };
    },
    window: async (name, from, to, page) => {
      const runs = of(name).runs.filter((run) => run.createdAt >= from && run.createdAt <= to);
      return { totalCount: runs.length, runs: runs.slice((page - 1) * 100, page * 100), unread: 0 };
    },
    get: async (name, runId) => of(name).attempts(runId).at(-1) ?? null,
    attempt: async (name, runId, attempt) => of(name).attempts(runId)[attempt - 1] ?? null,
  };
}

function createJobs(world: World): Codehost['jobs'] {
  const ofRun: Codehost['jobs']['ofRun'] = async (name, runId, attempt) => {
    const repository = repositoryNamed(world, name);
    const latest = repository.attempts(runId).at(-1)?.attempt ?? 0;
    const wanted = attempt ?? latest;
    if (latest === 0 || wanted < 1 || wanted > latest) throw notFound(`run ${runId}`);
    return listing(world, repository.jobs(runId, wanted));
  };
  // Jobs of the sample cost nothing to read in full.
  return {
    ofRun,
    ofCompleted: ofRun,
    recallCompleted: () => null,
    ofSuites: async () => ({ jobs: [], problem: null }),
  };
}
