/** Deployments, rollbacks and what speaks against a success a second time, straight from the words. */
import type { Deployment } from '../../server/metrics/kernel/delivery-facts.ts';
import { naiveEnd } from './naive-delivery.ts';
import { naiveRound, sortedBy } from './naive-people.ts';
import { day } from './worlds.ts';

export interface NaiveScope {
  environment: string;
  from: number;
  to: number;
  /** The oldest instant that was read. */
  coveredFrom: number;
}

/** null where nothing was deployed with success before. */
export function naiveIsRollback(deployment: Deployment, all: Deployment[]): boolean | null {
  const before = sortedBy(
    all.filter(
      (other) =>
        other.environment === deployment.environment &&
        naiveEnd(other)?.isGood === true &&
        (other.createdAt < deployment.createdAt ||
          (other.createdAt === deployment.createdAt && other.id < deployment.id)),
    ),
    (other) => [other.createdAt, other.id],
  );
  if (before.length === 0) return null;
  if (before[before.length - 1]?.sha === deployment.sha) return false;
  // Of a commit that was never there nobody can say without its ancestors.
  return before.some((other) => other.sha === deployment.sha) ? true : null;
}

export function naiveRecent(all: Deployment[], from: number, to: number) {
  const within = all.filter(({ createdAt }) => from <= createdAt && createdAt <= to);
  return sortedBy(within, ({ createdAt, id }) => [-createdAt, -id])
    .slice(0, 15)
    .map((deployment) => {
      const end = naiveEnd(deployment);
      const outcome = end === null ? 'inconclusive' : end.isGood ? 'success' : 'failed';
      const superseded = deployment.statuses?.some(({ state }) => state === 'inactive');
      return { id: deployment.id, outcome, superseded, isRollback: naiveIsRollback(deployment, all) };
    });
}

/** The figures of one environment; reverts are the instants at which they were merged. */
export function naiveEnvironment(all: Deployment[], reverts: number[], { environment, ...scope }: NaiveScope) {
  const own = all.filter((each) => each.environment === environment);
  const finished = own.filter(
    (each) => naiveEnd(each) !== null && each.createdAt >= scope.from && each.createdAt <= scope.to,
  );
  const good = finished.filter((each) => naiveEnd(each)?.isGood === true);
  const span = scope.to - Math.max(scope.from, scope.coveredFrom);
  const doubtful = good.filter((each) => isDoubtful(each, own, reverts));
  const rework = finished.filter(
    (each) => naiveIsRollback(each, own) === true || each.ref?.startsWith('hotfix/') === true,
  );
  return {
    perDay: finished.length === 0 ? null : naiveRound(good.length * day, span, 2),
    failureRate: naiveRound(100 * (finished.length - good.length), finished.length),
    corroborated: naiveRound(100 * (finished.length - good.length + doubtful.length), finished.length, 1),
    rework: naiveRound(100 * rework.length, finished.length, 1),
  };
}

function isDoubtful(deployment: Deployment, own: Deployment[], reverts: number[]): boolean {
  const at = naiveEnd(deployment)?.at ?? 0;
  const later = own.flatMap((other) => {
    const end = naiveEnd(other);
    if (end === null || !end.isGood || other.id === deployment.id) return [];
    return end.at > at || (end.at === at && other.id > deployment.id) ? [{ other, at: end.at }] : [];
  });
  const [next] = sortedBy(later, (one) => [one.at, one.other.id]);
  if (next !== undefined && naiveIsRollback(next.other, own) === true) return true;
  return reverts.some((time) => time > at && time - at <= day && (next === undefined || time <= next.at));
}
