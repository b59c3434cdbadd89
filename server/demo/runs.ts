import type { Actor, Conclusion, Instant, LiveWorkflowRun, Workflow } from '../metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../metrics/kernel/random-stream.ts';
import { hour, minute, second, toStartOfDay } from './calendar.ts';
import { commitTitles } from './commit-titles.ts';
import { changedAt } from './merged-changes.ts';
import type { Incident, WorkflowPlan } from './plans.ts';
import { around, between, hexDigits, pickOne } from './random.ts';
import { type Situation, waitAt, workflowAt } from './situations.ts';
import { personAt } from './team.ts';

/** One attempt, with what its jobs need to know beyond the facts. */
export interface AttemptSketch {
  run: LiveWorkflowRun;
  plan: WorkflowPlan;
  /** How long the first jobs waited for a machine, in milliseconds. */
  wait: number;
  /** Id of the run whose pull request it is for, too; null for one of its own. */
  after: number | null;
}

/** The position of a run in its workflow's history. */
export interface RunSlot {
  seed: string;
  workflow: Workflow;
  plan: WorkflowPlan;
  /** 0 is the newest run of the workflow. */
  index: number;
  id: number;
  runNumber: number;
  createdAt: Instant;
  /** null where chance decides. */
  event: string | null;
  /** Id of the run whose pull request it is for, too; null for one of its own. */
  after: number | null;
  /** Whether it is for the same commit as that run. */
  isSameCommit: boolean;
  now: Instant;
  situation: Situation;
  cast: { people: Actor[]; bot: Actor };
}

/** The attempts of one run, oldest first; they depend on the repository, the index and the UTC date alone. */
export function createAttempts(given: RunSlot): AttemptSketch[] {
  const slot = { ...given, plan: changedAt(given.plan, given.createdAt, given.now) };
  const random = randomStream(slot.seed, slot.plan.name, slot.index, toStartOfDay(slot.now));
  const plan = workflowAt(slot.plan, slot.situation, slot.createdAt, slot.now);
  const incident = plan.incidents[slot.index] ?? chance(plan, random);
  const first = firstAttempt(slot, incident, random);
  const attempts = [first];
  for (const conclusion of laterOutcomes(incident, random))
    attempts.push(nextAttempt(slot, attempts.at(-1) ?? first, conclusion, random));
  return notAfter(slot.now, attempts);
}

/** Moves attempts back so that the last one has ended, or was last updated, by now. */
function notAfter(now: Instant, attempts: AttemptSketch[]): AttemptSketch[] {
  const late = Math.max(0, ...attempts.map(({ run }) => run.updatedAt - now));
  return attempts.map(({ run, ...rest }) => ({
    ...rest,
    run: {
      ...run,
      createdAt: run.createdAt - late,
      startedAt: run.startedAt === null ? null : run.startedAt - late,
      updatedAt: run.updatedAt - late,
    },
  }));
}

type Outcome = Incident | 'skipped';

function chance({ failureRate, cancelRate, rerunRate }: WorkflowPlan, random: RandomStream): Outcome {
  const [luck, kind, patience] = [random(), random(), random()];
  if (luck < failureRate) {
    if (patience < rerunRate) return kind < 0.8 ? 'fixed_by_rerun' : 'failed_again';
    // Where hardly anything fails nothing hangs.
    return kind < 0.08 && failureRate > 0.02 ? 'timed_out' : 'failed';
  }
  if (luck < failureRate + cancelRate) return 'cancelled';
  return luck > 0.99 ? 'skipped' : 'passed';
}

const conclusionByOutcome: Record<Outcome, Conclusion | null> = {
  running: null,
  queued: null,
  passed: 'success',
  queue_spike: 'success',
  slow_outlier: 'success',
  skipped: 'skipped',
  cancelled: 'cancelled',
  timed_out: 'timed_out',
  failed: 'failure',
  fixed_by_rerun: 'failure',
  failed_again: 'failure',
};

/** Conclusions of the attempts after the first. */
function laterOutcomes(incident: Outcome, random: RandomStream): Conclusion[] {
  if (incident === 'fixed_by_rerun') return random() < 0.15 ? ['failure', 'success'] : ['success'];
  return incident === 'failed_again' ? ['failure'] : [];
}

function firstAttempt(slot: RunSlot, incident: Outcome, random: RandomStream): AttemptSketch {
  const { plan, now, situation } = slot;
  const live = incident === 'running' || incident === 'queued';
  const usualWait = waitAt(situation, slot.createdAt, now);
  const wait = incident === 'queue_spike' ? between(random, 14, 26) * minute : between(random, ...usualWait) * second;
  const work = computeWork(plan, incident, random);
  const createdAt = live ? now - liveAge(incident, random) : slot.createdAt;
  const startedAt = incident === 'queued' ? createdAt : createdAt + wait;
  const run: LiveWorkflowRun = {
    ...identity({ ...slot, createdAt }, random),
    attempt: 1,
    status: live ? (incident === 'queued' ? 'queued' : 'in_progress') : 'completed',
    conclusion: conclusionByOutcome[incident],
    createdAt,
    startedAt,
    updatedAt: live ? Math.min(now, startedAt + 20 * second) : startedAt + wait + work,
  };
  return { run, plan, wait, after: slot.after };
}

/** Seconds ago that a run which has not ended was created. */
const liveAge = (incident: Outcome, random: RandomStream) =>
  incident === 'queued' ? between(random, 20, 50) * second : between(random, 150, 200) * second;

function computeWork({ seconds, warmSeconds, spread }: WorkflowPlan, incident: Outcome, random: RandomStream): number {
  const warm = warmSeconds !== null && random() < 0.68;
  const usual = (warm ? warmSeconds : seconds) * around(random, spread);
  const shortening = { cancelled: 0.4, skipped: 0.005, failed: 0.7, fixed_by_rerun: 0.75, failed_again: 0.75 };
  const share = incident in shortening ? shortening[incident as keyof typeof shortening] : 1;
  if (incident === 'timed_out') return 6 * hour;
  const factor = incident === 'slow_outlier' ? 6.5 : share;
  return Math.max(1, Math.round(usual * factor)) * second;
}

function nextAttempt(
  slot: RunSlot,
  before: AttemptSketch,
  conclusion: Conclusion,
  random: RandomStream,
): AttemptSketch {
  const startedAt = before.run.updatedAt + between(random, 4, 35) * minute;
  const wait = between(random, 3, 14) * second;
  const work = computeWork(slot.plan, conclusion === 'success' ? 'passed' : 'failed', random);
  const run: LiveWorkflowRun = {
    ...before.run,
    attempt: before.run.attempt + 1,
    conclusion,
    triggeringActor: pickOne(random, slot.cast.people),
    startedAt,
    updatedAt: startedAt + wait + work,
  };
  return { run, plan: slot.plan, wait, after: slot.after };
}

/** What stays the same over all attempts. */
function identity(slot: RunSlot, random: RandomStream) {
  const { seed, workflow, plan, id, runNumber, cast, createdAt } = slot;
  const event = slot.event ?? pickOne(random, plan.events);
  const byBot = event === 'dynamic' || (event === 'pull_request' && random() < 0.12);
  // Now and then an account has been deleted since.
  const actor = byBot ? cast.bot : random() < 0.01 ? null : personAt(random, cast.people, createdAt);
  const title = event === 'schedule' ? plan.name : pickOne(random, commitTitles);
  const headSha = hexDigits(`${seed} ${slot.isSameCommit ? slot.after : id}`, 40);
  const number = between(random, 200, 900);
  const inPullRequest = event === 'pull_request';
  return {
    id,
    workflowId: workflow.id,
    workflowName: workflow.name,
    workflowPath: workflow.path,
    runNumber,
    displayTitle: title,
    event,
    headBranch: inPullRequest ? title.toLowerCase().replace(/[^a-z0-9]+/g, '-') : 'main',
    headSha,
    actor,
    triggeringActor: actor,
    htmlUrl: '#',
    jobsUrl: '#',
    checkSuiteId: `CS_${id}`,
    headCommit: { message: title, authorName: actor?.login ?? null },
    pullRequests: inPullRequest ? [{ number, url: '#', headSha }] : [],
  };
}
