import type { Instant } from '../metrics/kernel/facts.ts';
import { advisoryRepositories } from './advisory-repositories.ts';
import { day } from './calendar.ts';
import { type Incident, passedLately, type RepositoryPlan, type WorkflowPlan } from './plans.ts';

/** What the sample organization goes through; `mixed` shows something of everything. */
export const situations = {
  mixed: 'Mixed',
  healthy: 'Healthy',
  flaky: 'Flaky week',
  queue: 'Slow queue',
  advisory: 'Advisory',
} as const;

export type Situation = keyof typeof situations;

export const isSituation = (name: string): name is Situation => Object.hasOwn(situations, name);

/** The repositories of a situation as they are all along. */
export function situatedPlans(plans: readonly RepositoryPlan[], situation: Situation): RepositoryPlan[] {
  if (situation === 'healthy') return plans.map(toHealthy);
  return situation === 'advisory' ? [...plans, ...advisoryRepositories] : [...plans];
}

const harmless: ReadonlySet<Incident> = new Set(['running', 'queued']);

function toHealthy(plan: RepositoryPlan): RepositoryPlan {
  return {
    ...plan,
    workflows: plan.workflows.map((one) => ({
      ...one,
      failureRate: Math.min(one.failureRate, 0.015),
      cancelRate: 0,
      rerunRate: 0,
      incidents: {
        ...passedLately,
        ...Object.fromEntries(Object.entries(one.incidents).filter(([, incident]) => harmless.has(incident))),
      },
    })),
  };
}

/** The days that a situation is about, up to now. */
const flakyDays = 7;
/** Most of a month, so that the median wait of 30 days is that of a slow queue. */
const slowDays = 21;
const isWithin = (days: number, at: Instant, now: Instant) => at >= now - days * day;

/** A workflow as it behaves at an instant: in a flaky week tests fail at random, and pass when they are run again. */
export function workflowAt(plan: WorkflowPlan, situation: Situation, at: Instant, now: Instant): WorkflowPlan {
  if (situation !== 'flaky' || !isWithin(flakyDays, at, now)) return plan;
  return { ...plan, failureRate: Math.max(plan.failureRate, 0.4), rerunRate: 0.8, incidents: {} };
}

/** Seconds that a first attempt waits for a machine: a slow queue has too few of them. */
export const waitAt = (situation: Situation, at: Instant, now: Instant): [least: number, most: number] =>
  situation === 'queue' && isWithin(slowDays, at, now) ? [420, 1500] : [3, 14];
