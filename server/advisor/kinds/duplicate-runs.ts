import { type Trigger, valueIn } from '../../scan/workflow.ts';
import type { RecordedAttempt } from '../history.ts';
import { type Finding, kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { commits } from '../replay/demand.ts';
import { withoutRuns } from '../replay/world-change.ts';
import { hasEvent, readsInConditions } from '../traits.ts';

/** Contract of the advisor, section 2.4. */
export const duplicateRuns = kind({
  id: 'ADV-02',
  title: 'Run once per change, not twice',
  certainty: 'recorded',
  definition:
    'A commit ran twice when a run for its push and one for its pull request were created within ten minutes.',
  *find({ workflow, attempts, defaultBranch }) {
    const push = workflow.triggers.find(isOpenPush);
    if (!push || !hasEvent(workflow, 'pull_request') || defaultBranch === '') return;
    const pushes = sortPushes(attempts ?? [], defaultBranch);
    const pairs = findPairs(attempts ?? []);
    // A queue waits for checks of its branches, whichever event they ran for.
    const queue = pushes.hasQueue && !hasEvent(workflow, 'merge_group') ? ['gh-readonly-queue/**'] : [];
    yield {
      anchor: ['on', 'push'],
      offset: push.offset,
      ...(attempts === null
        ? withoutHistory('A push to a branch with a pull request starts two runs.')
        : describe(pushes, pairs)),
      reasons: reasonsWhere({
        reads_event: readsInConditions(workflow, /^github\.(event_name|ref|event\.before|event\.commits)(\.|$)/),
        history_absent: attempts === null,
        sample_too_small: attempts !== null && isTooSmall(pushes, pairs),
        lost_runs: pushes.lost.length > maxLostShare * pushes.all.length,
        release_branches: pushes.releaseBranches.length > maxReleaseBranches,
      }),
      changes: [
        {
          do: 'filter-triggers',
          filters: { push: toFilter([defaultBranch, ...pushes.releaseBranches, ...queue], pushes.mayHaveTags) },
        },
      ],
      counterfactual: { change: withoutRuns(() => pushes.gone), demand: commits },
      lostRuns: pushes.lost.length,
    };
  },
});

const minPairs = 20;
/** Of the runs of pushes. */
const minPairShare = 0.1;
const maxLostShare = 0.2;
const maxReleaseBranches = 5;
/** So many pushes without a pull request make a branch one that lives long. */
const minReleasePushes = 5;
const pairedWithinMs = 10 * 60_000;

const isOpenPush = ({ event, filter }: Trigger): boolean =>
  event === 'push' &&
  ['branches', 'branches-ignore', 'tags', 'tags-ignore'].every((key) => valueIn(filter, key) === null);

const toFilter = (branches: string[], hasTags: boolean): { [key: string]: string[] } =>
  hasTags ? { branches, tags: ['**'] } : { branches };

/** Runs of pushes by what would become of them. */
interface Pushes {
  all: RecordedAttempt[];
  /** Whether any had no pull request: a stored run does not say whether it was started by a branch or a tag. */
  mayHaveTags: boolean;
  releaseBranches: string[];
  /** Whether any was to a branch of a merge queue. */
  hasQueue: boolean;
  /** Of other branches, without a run for a pull request: nothing would run for them any more. */
  lost: RecordedAttempt[];
  /** Those that would not run any more, with a run for a pull request or without. */
  gone: RecordedAttempt[];
}

function sortPushes(attempts: readonly RecordedAttempt[], defaultBranch: string): Pushes {
  const first = attempts.filter(({ attempt }) => attempt === 1);
  const built = new Set(
    first.flatMap((one) => (one.event === 'pull_request' ? `${one.headSha} ${one.headBranch}` : [])),
  );
  const all = first.filter(({ event }) => event === 'push');
  const alone = all.filter(
    (one) => one.headBranch !== defaultBranch && !isOfQueue(one) && !built.has(`${one.headSha} ${one.headBranch}`),
  );
  const branches = Map.groupBy(alone, ({ headBranch }) => headBranch ?? '');
  const pushesTo = (name: string) => branches.get(name)?.length ?? 0;
  const isTag = ({ headBranch }: RecordedAttempt) => isTagName(headBranch ?? '', pushesTo(headBranch ?? ''));
  const isRelease = (one: RecordedAttempt) =>
    pushesTo(one.headBranch ?? '') >= minReleasePushes ||
    (/^(release\/|v[^/]*$)/.test(one.headBranch ?? '') && !isTag(one));
  const rest = alone.filter((one) => !isRelease(one));
  const releaseBranches = [...new Set(alone.filter(isRelease).flatMap(({ headBranch }) => headBranch ?? []))].sort();
  const excluded = new Set<string | null>([defaultBranch, ...releaseBranches]);
  // Of another push it is not known whether a branch or a tag started it, and those of tags go on.
  const withPullRequest = new Set(first.flatMap((one) => (one.event === 'pull_request' ? (one.headBranch ?? []) : [])));
  return {
    all,
    mayHaveTags: alone.length > 0,
    releaseBranches,
    hasQueue: all.some(isOfQueue),
    lost: rest.filter((one) => !isTag(one)),
    gone: all.filter((one) => !excluded.has(one.headBranch) && withPullRequest.has(one.headBranch ?? '')),
  };
}

const isOfQueue = ({ headBranch }: RecordedAttempt): boolean => /^gh-readonly-queue\//.test(headBranch ?? '');

/** Whether it is a version as tags are named; one of two numbers that was pushed again is a branch. */
const isTagName = (name: string, pushes: number): boolean =>
  /^v?\d+(\.\d+){2,}([-+].*)?$/.test(name) || (pushes <= 1 && /^v?\d+\.\d+([-+].*)?$/.test(name));

interface Pair {
  push: RecordedAttempt;
  pullRequest: RecordedAttempt;
}

/** Runs of one commit and branch, one for its push and one for its pull request, created within ten minutes. */
function findPairs(attempts: readonly RecordedAttempt[]): Pair[] {
  const first = attempts.filter(({ attempt }) => attempt === 1);
  const bySha = Map.groupBy(first, ({ headSha }) => headSha);
  return first.flatMap((push) => {
    if (push.event !== 'push' || push.headBranch === null) return [];
    const pullRequest = bySha
      .get(push.headSha)
      ?.find(
        ({ event, headBranch, arrivedAt }) =>
          event === 'pull_request' &&
          headBranch === push.headBranch &&
          Math.abs(arrivedAt - push.arrivedAt) <= pairedWithinMs,
      );
    return pullRequest ? [{ push, pullRequest }] : [];
  });
}

const isTooSmall = ({ all }: Pushes, pairs: readonly Pair[]) =>
  pairs.length < minPairs || pairs.length < minPairShare * all.length;

function describe({ all, lost }: Pushes, pairs: readonly Pair[]) {
  return {
    text: `${pairs.length} of ${all.length} runs of pushes were for a commit whose pull request ran as well.`,
    sample: all.length,
    facts: [
      { label: 'Runs of pushes', value: String(all.length), unit: null },
      { label: 'Commits that ran twice', value: String(pairs.length), unit: null },
    ],
    evidence: pairs.map(({ push }) => ({ attempt: push, why: 'its pull request ran the same commit' })),
    risks: [
      {
        text: 'Runs of pushes to branches without a pull request: nothing would run for them.',
        count: lost.length,
        of: all.length,
      },
    ],
  } satisfies Partial<Finding>;
}
