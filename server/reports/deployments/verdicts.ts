import { z } from 'zod';
import type { Domain } from '../../api/wire.ts';
import { getDeploymentResult, isSuccess } from '../../metrics/delivery/deployments.ts';
import { getRestoreTimes, type Outage } from '../../metrics/delivery/restores.ts';
import { compareCounts, compareMedians, compareShares, judgeChange } from '../../metrics/kernel/comparison.ts';
import type { CountedDay } from '../../metrics/kernel/counts.ts';
import type { Deployment } from '../../metrics/kernel/delivery-facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { countByDay, toPeriod } from '../comparison/periods.ts';
import { verdict } from '../kernel/verdict.ts';

export const DeploymentVerdicts = z.object({
  deployments: verdict,
  deploys_per_day: verdict,
  change_failure_rate: verdict,
  time_to_restore: verdict,
});

/** What one repository deployed to production in a window. */
export interface DeployedIn {
  window: Window;
  deployments: readonly Deployment[];
  outages: readonly Outage[];
}

/** Whether deployments of repositories differ from those of an equally long window; of null there is nothing to say. */
export function judgeDeployments(
  now: readonly DeployedIn[],
  before: readonly DeployedIn[] | null,
  calendar: Calendar,
): Domain<typeof DeploymentVerdicts> {
  const compare = <Part>(listParts: (side: readonly DeployedIn[]) => Part, judge: (a: Part, b: Part) => Verdict) =>
    before === null ? 'not_enough_data' : judge(listParts(before), listParts(now));
  const judgeDays = (a: CountedDay[], b: CountedDay[]) => judgeChange(compareCounts(a, b), 'count');
  return {
    deployments: compare((side) => sumDays(side, () => true, calendar), judgeDays),
    deploysPerDay: compare((side) => sumDays(side, isSuccess, calendar), judgeDays),
    changeFailureRate: compare(toShare, (a, b) => judgeChange(compareShares(a, b), 'percent')),
    timeToRestore: compare(
      (side) => side.flatMap(({ outages }) => outages.flatMap(getRestoreTimes)),
      (a, b) => judgeChange(compareMedians(a, b), 'milliseconds'),
    ),
  };
}

type Verdict = Domain<typeof verdict>;

/** Each repository by the days of its own window, which may end some hours apart. */
function sumDays(side: readonly DeployedIn[], counts: (one: Deployment) => boolean, calendar: Calendar): CountedDay[] {
  const each = side.map(({ window, deployments }) => {
    const instants = deployments.filter(counts).map(({ createdAt }) => createdAt);
    return countByDay(instants, toPeriod(window), calendar);
  });
  const [first = [], ...others] = each;
  return first.map(({ weekday, count }, day) => ({
    weekday,
    count: others.reduce((sum, own) => sum + (own[day]?.count ?? 0), count),
  }));
}

function toShare(side: readonly DeployedIn[]) {
  const outcomes = side.flatMap(({ deployments }) => deployments.map((one) => getDeploymentResult(one).outcome));
  const part = outcomes.filter((outcome) => outcome === 'failed').length;
  return { part, n: part + outcomes.filter((outcome) => outcome === 'success').length };
}
