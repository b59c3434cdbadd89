import type { Repository } from '../../server/metrics/kernel/facts.ts';
import { lastDaysWindow } from '../../server/metrics/kernel/window.ts';
import { overallBusFactor } from '../../server/metrics/people/bus-factor.ts';
import type { People } from '../../server/metrics/people/people.ts';
import {
  personAfterHours,
  personAvgHoursToMerge,
  personMedianHoursToMerge,
  personMergeRate,
} from '../../server/metrics/people/person.ts';
import {
  personAvgPrSize,
  personPrsMerged,
  personPrsOpened,
  personReviewsGiven,
  personReviewTurnaround,
} from '../../server/metrics/people/person-work.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { outsideWorkdayShare } from '../../server/metrics/people/workload.ts';
import {
  closedIssues,
  daysToClose,
  openedIssues,
  openIssues,
  staleIssues,
  unansweredIssues,
  unassignedIssues,
  unlabelledIssues,
} from '../../server/metrics/pull-requests/issues.ts';
import { commitOutcomes, flakyRate } from '../../server/metrics/runs/flaky.ts';
import { recentSuccessRate, runHealth } from '../../server/metrics/runs/health.ts';
import {
  activeRepositories,
  createdRuns,
  pooledSuccessRate,
  visibleRepositories,
} from '../../server/metrics/runs/org-summary.ts';
import {
  averageDuration,
  medianDuration,
  p90Duration,
  slowDuration,
  workflowMedianDuration,
  workflowP90Duration,
} from '../../server/metrics/runs/times.ts';
import {
  cancelledShare,
  failureRate,
  failureStreak,
  scopeRuns,
  successRate,
  totalRunTime,
} from '../../server/metrics/runs/workflow-runs.ts';
import { anActor } from './delivery-builders.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { heldReliability } from './held-reliability.ts';
import {
  latest,
  naiveCancelledShare,
  naiveDurations,
  naiveFailureRate,
  naiveFlaky,
  naiveHealth,
  naiveRecentSuccessRate,
  naiveRunTime,
  naiveStreak,
  naiveSuccessRate,
} from './naive.ts';
import { naiveProfile } from './naive-contributors.ts';
import { naiveFraction, naiveMean } from './naive-people.ts';
import { naiveActivity, naiveBusFactors, naiveIssues, naiveOutside } from './naive-work.ts';
import type { World } from './worlds.ts';

/** The metrics of commits and issues, and of one person's work. */
export function heldWork(world: DeliveryWorld, people: People): HeldMetrics {
  const { now, commits, issues, pullRequests, timezone } = world;
  const window = lastDaysWindow(90, now);
  const month = lastDaysWindow(30, now);
  const workday = { calendar: createCalendar(timezone), start: 8, end: 19 };
  const { figures } = naiveIssues(world, 30);
  const { own, reviews } = naiveProfile(world, 'ana', window.from, now);
  const subject = { person: anActor('ana'), people };
  return {
    overallBusFactor: [held(overallBusFactor({ window, people }), commits, naiveBusFactors(world).overallBusFactor)],
    outsideWorkdayShare: [held(outsideWorkdayShare({ window, workday, people }), commits, naiveOutside(world, 90))],
    daysToClose: [
      held(daysToClose(month), issues, figures.medianDaysToClose),
      held(daysToClose(month, 0.9), issues, figures.p90DaysToClose),
    ],
    openIssues: [held(openIssues, issues, figures.openCount)],
    openedIssues: [held(openedIssues(month), issues, figures.openedInPeriod)],
    closedIssues: [held(closedIssues(month), issues, figures.closedInPeriod)],
    staleIssues: [held(staleIssues(now), issues, figures.staleCount)],
    unansweredIssues: [held(unansweredIssues(now), issues, figures.unansweredCount)],
    unlabelledIssues: [held(unlabelledIssues, issues, figures.unlabelledCount)],
    unassignedIssues: [held(unassignedIssues, issues, figures.unassignedCount)],
    personAfterHours: [held(personAfterHours(window, workday), commits, naiveActivity(world).afterHoursPct)],
    personAvgHoursToMerge: [held(personAvgHoursToMerge(window, subject), pullRequests, own.avgHoursToMerge)],
    personMedianHoursToMerge: [held(personMedianHoursToMerge(window, subject), pullRequests, own.medianHoursToMerge)],
    personMergeRate: [held(personMergeRate(window, subject), pullRequests, own.prMergeRate)],
    personPrsMerged: [held(personPrsMerged(window, subject), pullRequests, own.prsMerged)],
    personPrsOpened: [held(personPrsOpened(window, subject), pullRequests, own.prsOpened)],
    personAvgPrSize: [held(personAvgPrSize(window, subject), pullRequests, own.avgPrSize)],
    personReviewsGiven: [held(personReviewsGiven(window, subject), pullRequests, reviews.reviewsGiven)],
    personReviewTurnaround: [
      held(personReviewTurnaround(window, subject), pullRequests, reviews.avgReviewTurnaroundHours),
    ],
  };
}

/** The metrics of runs, and of repositories that run. */
export function heldRuns(world: World): HeldMetrics {
  const { attempts, now } = world;
  const durations = naiveDurations(attempts);
  const activities = attempts.map(({ id, attempt, workflowId }) => ({
    repository: { id, archived: id % 3 === 0 } as Repository,
    isListed: attempt === 1,
    hasRuns: workflowId === 8 ? null : id % 2 === 0,
  }));
  const active = activities.filter(({ repository: { id }, hasRuns }) => id % 3 !== 0 && hasRuns === true);
  return {
    ...heldReliability(world),
    successRate: [held(successRate, attempts, naiveSuccessRate(attempts).value)],
    pooledSuccessRate: [held(pooledSuccessRate, attempts, naiveSuccessRate(attempts).value)],
    recentSuccessRate: ['main', null].map((branch) =>
      held(recentSuccessRate(branch), attempts, naiveRecentSuccessRate(attempts, branch).value),
    ),
    failureStreak: [held(failureStreak, attempts, naiveStreak(attempts))],
    runHealth: ['main', null].map((branch) => held(runHealth(branch), attempts, naiveHealth(attempts, branch).score)),
    flakyRate: [held(flakyRate, commitOutcomes(attempts, now), naiveFlaky(attempts, now).ratePct)],
    averageDuration: [held(averageDuration, attempts, naiveMean(durations, 1, 0))],
    slowDuration: [held(slowDuration, attempts, naiveFraction(durations, 19, 20, 1, 0))],
    medianDuration: [held(medianDuration, attempts, naiveFraction(durations, 1, 2, 1, 0))],
    p90Duration: [held(p90Duration, attempts, naiveFraction(durations, 9, 10, 1, 0))],
    workflowMedianDuration: [held(workflowMedianDuration, attempts, naiveFraction(durations, 1, 2, 1, 0))],
    workflowP90Duration: [held(workflowP90Duration, attempts, naiveFraction(durations, 9, 10, 1, 0))],
    failureRate: [held(failureRate, attempts, naiveFailureRate(attempts).value)],
    cancelledShare: [held(cancelledShare, attempts, naiveCancelledShare(attempts))],
    totalRunTime: [held(totalRunTime, attempts, naiveRunTime(attempts).value)],
    scopeRuns: [held(scopeRuns, attempts, latest(attempts).length)],
    createdRuns: [held(createdRuns, attempts, attempts.length)],
    activeRepositories: [held(activeRepositories, activities, active.length)],
    visibleRepositories: [
      held(
        visibleRepositories,
        activities.map(({ repository }) => repository),
        activities.length,
      ),
    ],
  };
}
