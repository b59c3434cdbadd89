import type { Instant, Workflow } from '../metrics/kernel/facts.ts';
import { randomStream } from '../metrics/kernel/random-stream.ts';
import { second } from './calendar.ts';
import { changedAt } from './merged-changes.ts';
import type { WorkflowPlan } from './plans.ts';
import { between, pickOne } from './random.ts';

/** When a run was created, and because of what. */
interface Occasion {
  createdAt: Instant;
  /** null where the run itself decides. */
  event: string | null;
  /** Creation of the run of the same workflow whose pull request it is for, too; null for one of its own. */
  after: Instant | null;
  /** Whether it is for the same commit as that run. */
  isSameCommit: boolean;
}

/** The position of a run in the history of its workflow, before it has an id. */
export interface Slot extends Occasion {
  /** Of the run that it comes after: the same one, or that beside which this one runs. */
  afterWorkflowId: number;
  plan: WorkflowPlan;
  workflow: Workflow;
  /** 0 is the newest run of the workflow. */
  index: number;
  runNumber: number;
}

interface WorkflowInTime {
  seed: string;
  plan: WorkflowPlan;
  workflow: Workflow;
  now: Instant;
}

/** The runs of a workflow for what happened at these times. */
export function createSlots(making: WorkflowInTime, times: readonly Instant[]): Slot[] {
  const { seed, plan, workflow, now } = making;
  const occasions = times.flatMap((createdAt) => occasionsAt(seed, changedAt(plan, createdAt, now), createdAt));
  return inOrder(making, occasions, workflow.id);
}

/** The runs of a workflow that runs for every commit of pull requests for which another one does. */
export function createSlotsBeside(making: WorkflowInTime, others: readonly Slot[]): Slot[] {
  const { plan, now } = making;
  const [first] = others;
  if (!first) return [];
  const delay = (1 + (plan.name.length % 7)) * second;
  const occasions = others
    .filter(({ event }) => event === 'pull_request')
    .flatMap(({ createdAt, event }): Occasion[] => {
      const own = { createdAt: createdAt + delay, event, after: createdAt, isSameCommit: true };
      const twin = { ...own, createdAt: own.createdAt + second, event: 'push' };
      return changedAt(plan, createdAt, now).runsTwice ? [own, twin] : [own];
    });
  return inOrder(making, occasions, first.workflow.id);
}

function inOrder({ seed, plan, workflow }: WorkflowInTime, occasions: Occasion[], afterWorkflowId: number): Slot[] {
  const before = Math.floor(randomStream(seed, plan.name, 'before')() * 900);
  const newestFirst = occasions.sort((one, other) => other.createdAt - one.createdAt);
  return newestFirst.map((occasion, index) => ({
    ...occasion,
    afterWorkflowId,
    plan,
    workflow,
    index,
    runNumber: before + newestFirst.length - index,
  }));
}

/** A push, or a commit of a pull request with the runs that it brings along. */
function occasionsAt(seed: string, plan: WorkflowPlan, createdAt: Instant): Occasion[] {
  const first: Occasion = { createdAt, event: null, after: null, isSameCommit: false };
  if (plan.pushedAgainRate === 0 && !plan.runsTwice) return [first];
  const random = randomStream(seed, plan.name, 'occasion', createdAt);
  const event = pickOne(random, plan.events);
  if (event !== 'pull_request') return [{ ...first, event }];
  const commits: Occasion[] = [{ ...first, event }];
  if (random() < plan.pushedAgainRate)
    commits.push({
      createdAt: createdAt + between(random, 60, 240) * second,
      event,
      after: createdAt,
      isSameCommit: false,
    });
  return plan.runsTwice ? commits.flatMap((one) => [one, pushOf(one)]) : commits;
}

/** The run for the push of the same commit. */
const pushOf = ({ createdAt }: Occasion): Occasion => ({
  createdAt: createdAt + second,
  event: 'push',
  after: createdAt,
  isSameCommit: true,
});
