import type {
  Actor,
  HeadStatus,
  Instant,
  LiveWorkflowRun,
  Organization,
  Repository,
  RepositoryState,
  Workflow,
  WorkflowJob,
} from '../metrics/kernel/facts.ts';
import { randomStream } from '../metrics/kernel/random-stream.ts';
import { conclusiveOnDefault } from '../metrics/runs/health.ts';
import { isPass, newestFirst } from '../metrics/runs/workflow-runs.ts';
import { day, historyDays, runTimes, toStartOfDay } from './calendar.ts';
import { bot, organization, people, repositoryPlans } from './catalogue.ts';
import { createHistory, type Making, type WorldHistory } from './history.ts';
import { createAttemptJobs } from './jobs.ts';
import type { RepositoryPlan, WorkflowPlan } from './plans.ts';
import { createSlots, createSlotsBeside, type Slot } from './run-slots.ts';
import { type AttemptSketch, createAttempts } from './runs.ts';
import { type Situation, situatedPlans } from './situations.ts';

/** A repository of the sample world with its history. */
export interface WorldRepository extends WorldHistory {
  repository: Repository;
  state: RepositoryState;
  workflows: Workflow[];
  requiredChecks: readonly string[];
  rootFiles: readonly string[] | null;
  /** Every run at its latest attempt, newest first. */
  runs: LiveWorkflowRun[];
  /** Attempts of a run, oldest first; empty when there is no such run. */
  attempts(runId: number): LiveWorkflowRun[];
  /** Jobs of one attempt; empty when there is no such attempt. */
  jobs(runId: number, attempt: number): WorkflowJob[];
}

/** The sample world: one invented organization, the same for everybody on the same UTC day. */
export interface World {
  /** The instant the world is described at: the start of the UTC day. Nothing in it is later. */
  now: Instant;
  situation: Situation;
  organization: Organization;
  people: Actor[];
  bot: Actor;
  /** The first is the one to show when none is requested. */
  repositories: WorldRepository[];
}

interface WorldOptions {
  seed: string;
  now: Instant;
  situation?: Situation;
}

/** Makes the sample world of an instant's UTC day. Pure: the same seed, day and situation give the same bytes. */
export function makeWorld({ seed, now: instant, situation = 'mixed' }: WorldOptions): World {
  const now = toStartOfDay(instant);
  const cast = { people: people.map(actor), bot: actor(bot) };
  return {
    now,
    situation,
    organization: { ...organization, avatarUrl: avatar(organization.login) },
    ...cast,
    repositories: situatedPlans(repositoryPlans, situation).map((plan, position) =>
      makeRepository({ seed: `${seed}/${plan.repo}`, now, situation, plan, position, cast }),
    ),
  };
}

function makeRepository(making: Making): WorldRepository {
  const { plan, position } = making;
  const workflows = plan.workflows.map((one, index) => createWorkflow(making, one, index));
  const { attempts: sketches, ...history } = createHistory(making, allAttempts(making, workflows));
  const attempts = new Map(sketches.map((one) => [one[0]?.run.id ?? 0, one]));
  const runs = [...attempts.values()]
    .flatMap((one) => one.at(-1)?.run ?? [])
    .sort((one, other) => other.createdAt - one.createdAt || other.id - one.id);
  return {
    repository: createRepository(making, runs[0]?.createdAt ?? null),
    state: createState(plan, position, findHeadStatus(plan, runs)),
    workflows,
    requiredChecks: plan.requiredChecks,
    rootFiles: plan.rootFiles,
    ...history,
    runs,
    attempts: (runId) => (attempts.get(runId) ?? []).map(({ run }) => run),
    jobs: (runId, attempt) => {
      const sketch = attempts.get(runId)?.find(({ run }) => run.attempt === attempt);
      return sketch ? createAttemptJobs(sketch) : [];
    },
  };
}

function allAttempts({ seed, now, situation, plan, position, cast }: Making, workflows: Workflow[]): AttemptSketch[][] {
  const slots = createAllSlots({ seed, now, plan }, workflows)
    .sort((one, other) => one.createdAt - other.createdAt)
    .map((slot, rank) => ({ ...slot, id: 7_000_000_000 + position * 1_000_000 + rank }));
  const idAt = new Map(slots.map(({ workflow, createdAt, id }) => [`${workflow.id} ${createdAt}`, id]));
  return slots.map((slot) => {
    const after = slot.after === null ? null : (idAt.get(`${slot.afterWorkflowId} ${slot.after}`) ?? null);
    return createAttempts({ ...slot, after, seed, now, situation, cast });
  });
}

/** Those that run beside another one come after it. */
function createAllSlots({ seed, now, plan }: Pick<Making, 'seed' | 'now' | 'plan'>, workflows: Workflow[]): Slot[] {
  const making = plan.workflows.map((one, at) => ({ seed, plan: one, workflow: workflows[at] as Workflow, now }));
  const own = making
    .filter((one) => one.plan.beside === null)
    .flatMap((one) => createSlots(one, runTimes(seed, one.plan, now, plan.quietSince ?? historyDays)));
  const beside = making
    .filter((one) => one.plan.beside !== null)
    .flatMap((one) =>
      createSlotsBeside(
        one,
        own.filter((slot) => slot.plan.name === one.plan.beside),
      ),
    );
  return [...own, ...beside];
}

function createWorkflow({ plan, now, position }: Making, one: WorkflowPlan, index: number): Workflow {
  const createdAt = now - (400 + 30 * index) * day;
  return {
    id: 41_000 + position * 100 + index,
    name: one.name,
    path: one.path,
    state: one.state,
    htmlUrl: '#',
    badgeUrl: '#',
    createdAt,
    updatedAt: plan.archived ? now - 80 * day : createdAt + 200 * day,
  };
}

const toRepositoryId = (position: number) => 610_000 + position;

function createRepository({ plan, now, position }: Making, newestRun: Instant | null): Repository {
  const active = newestRun ?? now - 3 * day;
  return {
    id: toRepositoryId(position),
    owner: organization.login,
    repo: plan.repo,
    description: plan.description,
    htmlUrl: '#',
    language: plan.language,
    private: plan.private,
    visibility: plan.private ? 'private' : 'public',
    stars: plan.stars,
    archived: plan.archived,
    fork: plan.fork,
    hasIssues: plan.delivery.tracker,
    defaultBranch: plan.empty ? null : 'main',
    ownerType: 'org',
    createdAt: now - 900 * day,
    updatedAt: active,
    pushedAt: plan.empty ? null : active,
  };
}

const createState = (plan: RepositoryPlan, position: number, headStatus: HeadStatus | null): RepositoryState => ({
  id: toRepositoryId(position),
  owner: organization.login,
  repo: plan.repo,
  defaultBranch: plan.empty ? null : 'main',
  headStatus,
  visibility: plan.private ? 'private' : 'public',
  archived: plan.archived,
  fork: plan.fork,
  openIssues: plan.delivery.tracker ? plan.openIssues : null,
  openPullRequests: plan.openPullRequests,
  workflowFiles: plan.workflows.filter((one) => one.path.startsWith('.github/')).length,
});

/** The checks of the default branch, by the latest run of each active workflow there. */
function findHeadStatus({ workflows }: RepositoryPlan, runs: readonly LiveWorkflowRun[]): HeadStatus | null {
  const active = new Set(workflows.flatMap(({ name, state }) => (state === 'active' ? name : [])));
  const ofActive = runs.filter((run) => active.has(run.workflowName ?? '') && run.headBranch === 'main');
  const latest = Map.groupBy(newestFirst(conclusiveOnDefault(ofActive, 'main')), (run) => run.workflowName);
  if ([...latest.values()].some(([run]) => run && !isPass(run))) return 'failure';
  if (ofActive.some(({ status }) => status !== 'completed')) return 'pending';
  return latest.size > 0 ? 'success' : null;
}

/** Whether two names on the platform are the same one. */
export const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const actor = (login: string): Actor => ({ login, avatarUrl: avatar(login), isBot: login.endsWith('[bot]') });

/** A picture without a request to anywhere: the initial on a colour of its own. */
function avatar(login: string): string {
  const hue = Math.floor(randomStream('avatar', login)() * 360);
  const email = login.charAt(0).toUpperCase();
  const circle = `<circle cx="20" cy="20" r="20" fill="hsl(${hue} 45% 42%)"/>`;
  const text = `<text x="20" y="27" font-size="20" fill="#fff" text-anchor="middle" font-family="sans-serif">${email}</text>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">${circle}${text}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
