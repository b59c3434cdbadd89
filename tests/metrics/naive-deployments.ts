/** Deployments, rollbacks and what speaks against a success a second time, straight from the words. */
import type { MergedChanges } from '../../server/metrics/delivery/merged-changes.ts';
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

/** The figures of one environment. */
export function naiveEnvironment(all: Deployment[], changes: MergedChanges, { environment, ...scope }: NaiveScope) {
  const own = all.filter((each) => each.environment === environment);
  const finished = own.filter(
    (each) => naiveEnd(each) !== null && each.createdAt >= scope.from && each.createdAt <= scope.to,
  );
  const good = finished.filter((each) => naiveEnd(each)?.isGood === true);
  const span = scope.to - Math.max(scope.from, scope.coveredFrom);
  const doubts = good.map((each) => isDoubtful(each, own, changes));
  const doubtful = doubts.filter((one) => one === true);
  const isBack = (each: Deployment) => each.ref?.startsWith('hotfix/') === true || wentBack(each, own, changes);
  const reworks = finished.map(isBack);
  const share = (part: number, verdicts: (boolean | null)[]) =>
    verdicts.includes(null) ? null : naiveRound(100 * part, finished.length, 1);
  return {
    perDay: finished.length === 0 ? null : naiveRound(good.length * day, span, 2),
    failureRate: naiveRound(100 * (finished.length - good.length), finished.length),
    corroborated: share(finished.length - good.length + doubtful.length, doubts),
    rework: share(reworks.filter(Boolean).length, reworks),
    undecided: doubts.filter((one) => one === null).length,
    reworkUndecided: reworks.filter((one) => one === null).length,
  };
}

function isDoubtful(deployment: Deployment, own: Deployment[], changes: MergedChanges): boolean | null {
  const at = naiveEnd(deployment)?.at ?? 0;
  const successes = own.flatMap((other) => {
    const end = naiveEnd(other);
    return end?.isGood ? [{ other, at: end.at }] : [];
  });
  const ordered = sortedBy(successes, (one) => [one.at, one.other.id]).map((one) => one.other);
  const place = ordered.findIndex(({ id }) => id === deployment.id);
  const next = ordered[place + 1];
  const verdicts = changes.reverts
    .filter((one) => one.at > at && one.at - at <= day && (next === undefined || one.at <= (naiveEnd(next)?.at ?? 0)))
    .map(({ changeMergedAt }) => brought(deployment, ordered[place - 1], changeMergedAt, changes));
  if (at < changes.knownFrom) verdicts.push(brought(deployment, ordered[place - 1], null, changes));
  if (next !== undefined) verdicts.push(wentBack(next, own, changes));
  return verdicts.includes(true) ? true : verdicts.includes(null) ? null : false;
}

/** Wherever the commits that nobody knows may have been. */
function places({ sha, createdAt }: Deployment, { mergedAt, reverts }: MergedChanges): number[] {
  const known = mergedAt.get(sha);
  if (known !== undefined) return [known];
  const instants = [...mergedAt.values(), ...reverts.flatMap(({ changeMergedAt }) => changeMergedAt ?? [])];
  return [0, createdAt, ...instants.flatMap((at) => [at - 1, at + 1])].filter((at) => at <= createdAt);
}

const agreed = (verdicts: boolean[]) => (new Set(verdicts).size === 1 ? (verdicts[0] ?? null) : null);

function wentBack(deployment: Deployment, own: Deployment[], changes: MergedChanges): boolean | null {
  const reported = naiveIsRollback(deployment, own);
  if (reported !== null) return reported;
  const before = sortedBy(
    own.filter(
      (other) =>
        naiveEnd(other)?.isGood &&
        (other.createdAt < deployment.createdAt ||
          (other.createdAt === deployment.createdAt && other.id < deployment.id)),
    ),
    (other) => [other.createdAt, other.id],
  ).at(-1);
  if (before === undefined) return null;
  const pairs = places(deployment, changes).flatMap((at) => places(before, changes).map((from) => at < from));
  return agreed(pairs);
}

function brought(
  deployment: Deployment,
  before: Deployment | undefined,
  changeMergedAt: number | null,
  changes: MergedChanges,
): boolean | null {
  if (before?.sha === deployment.sha) return false;
  if (changeMergedAt === null) return null;
  const from = before === undefined ? [0, Number.POSITIVE_INFINITY] : places(before, changes);
  return agreed(
    places(deployment, changes).flatMap((at) => from.map((past) => past < changeMergedAt && changeMergedAt <= at)),
  );
}
