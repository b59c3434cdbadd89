import type { Deployment, PullRequest } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';

/** What merges into the default branch tell of the commits that are deployed. */
export interface MergedChanges {
  /** When a commit came onto the default branch, by its SHA; only merges of pull requests that were read. */
  mergedAt: ReadonlyMap<string, Instant>;
  reverts: readonly MergedRevert[];
  /** Since when all reverts are known. */
  knownFrom: Instant;
}

interface MergedRevert {
  at: Instant;
  /** When the change that it takes back was merged; null where it is not known which one that is. */
  changeMergedAt: Instant | null;
}

/** The changes among pull requests that were merged into this branch, whoever wrote them; all are known from then on. */
export function findMergedChanges(
  pullRequests: readonly PullRequest[],
  defaultBranch: string | null,
  knownFrom: Instant,
): MergedChanges {
  const merged = pullRequests.flatMap((one) =>
    one.mergedAt !== null && one.baseBranch === defaultBranch ? [{ ...one, mergedAt: one.mergedAt }] : [],
  );
  const byNumber = new Map(merged.map((one) => [one.number, one.mergedAt]));
  return {
    knownFrom,
    mergedAt: new Map(
      merged.flatMap(({ mergeQueue, mergedAt }) =>
        mergeQueue?.mergeSha ? [[mergeQueue.mergeSha, mergedAt] as const] : [],
      ),
    ),
    reverts: merged.flatMap((one) => {
      const number = getRevertedNumber(one);
      if (!one.isRevert && number === null) return [];
      return [{ at: one.mergedAt, changeMergedAt: number === null ? null : (byNumber.get(number) ?? null) }];
    }),
  };
}

/** The platform names the branch of a revert `revert-<number>-<branch>`; other reverts tell it in texts that are not stored. */
function getRevertedNumber({ headBranch }: PullRequest): number | null {
  const number = /^revert-(\d{1,9})-/.exec(headBranch)?.[1];
  return number === undefined ? null : Number(number);
}

/**
 * Whether a deployment contains a change that was merged then and the one before it did not (null where none is
 * known; `isWhole` where there was none). null where that is not known.
 */
export function hasDeployed(
  deployment: Deployment,
  previous: Deployment | null,
  changeMergedAt: Instant | null,
  { changes, isWhole }: { changes: MergedChanges; isWhole: boolean },
): boolean | null {
  if (previous?.sha === deployment.sha) return false;
  if (changeMergedAt === null) return null;
  const own = placeOf(deployment, changes);
  const nothing = { from: never, to: isWhole ? never : Number.POSITIVE_INFINITY };
  const before = previous === null ? nothing : placeOf(previous, changes);
  if (changeMergedAt > own.to || changeMergedAt <= before.from) return false;
  return (changeMergedAt <= own.from && changeMergedAt > before.to) || null;
}

/** Whether a deployment has an older commit than the one before it; null where that is not known. */
export function goesBack(deployment: Deployment, previous: Deployment, changes: MergedChanges): boolean | null {
  const [own, before] = [placeOf(deployment, changes), placeOf(previous, changes)];
  if (own.from > before.to) return false;
  return own.to < before.from || null;
}

const never = Number.NEGATIVE_INFINITY;

/** Between which instants the commit of a deployment came onto the default branch; nothing is deployed before it is there. */
function placeOf({ sha, createdAt }: Deployment, { mergedAt }: MergedChanges): { from: Instant; to: Instant } {
  const at = mergedAt.get(sha);
  return { from: at ?? never, to: at ?? createdAt };
}
