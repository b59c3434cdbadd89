import { basename } from 'node:path';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { isOfOnePullRequest } from '../../scan/concurrency-groups.ts';
import { isOfPullRequest } from '../../scan/triggers.ts';
import { textIn, valueIn, type Workflow } from '../../scan/workflow.ts';
import type { YamlNode } from '../../scan/yaml.ts';
import { findSuperseded, type RecordedAttempt, type Superseded } from '../history.ts';
import { createJobFinder } from '../job-names.ts';
import { type AdvisedFile, type Finding, kind, withoutHistory } from '../kind.ts';
import type { Change } from '../patch/change.ts';
import { reasonsWhere } from '../reasons.ts';
import { cancelSuperseded } from '../replay/cancellation.ts';
import { branchPushes, pullRequestUpdates } from '../replay/demand.ts';
import { filterNames, hasEvent, mayDeploy } from '../traits.ts';

/** Contract of the advisor, section 2.3. */
export const supersededRuns = kind({
  id: 'ADV-01',
  title: 'Cancel superseded runs',
  certainty: 'recorded',
  definition:
    'A run is superseded when a newer run of the same workflow, event and branch was created before it ended.',
  *find(file) {
    const event = findCancellableEvent(file);
    const place = findPlace(file.workflow);
    if (event === null || place === null || (place.group !== null && event === 'push')) return;
    const runs = file.attempts?.filter((one) => one.attempt === 1 && isCancellable(one, event, file)) ?? [];
    const superseded = findSuperseded(runs);
    const isTooSmall = runs.length < minRuns || superseded.length < minSuperseded;
    yield {
      anchor: ['concurrency'],
      offset: place.offset,
      ...(file.attempts === null
        ? withoutHistory('A newer run does not cancel older ones of the same branch.')
        : describe(file.workflow, event, { runs: runs.length, superseded })),
      reasons: reasonsWhere({
        queue_max: place.isQueue,
        shared_name: place.group !== null && isNameShared(file),
        files_unread: place.group !== null && file.hasUnreadFiles,
        called_workflow: hasEvent(file.workflow, 'workflow_call'),
        event_types: startsForOthers(file.workflow),
        history_absent: file.attempts === null,
        deploys: mayDeploy(file.workflow, [event]) || isFollowedByDeployment(superseded, file.deployedAt ?? []),
        deployments_unknown: file.deployedAt === null,
        sample_too_small: file.attempts !== null && isTooSmall,
      }),
      changes: [toChange(file, event, place)],
      counterfactual: {
        change: cancelSuperseded({
          workflow: file.workflow,
          isCancellable: (one) => isCancellable(one, event, file),
          delayMs: file.cancellationMs,
        }),
        demand: event === 'push' ? branchPushes(file.defaultBranch) : pullRequestUpdates,
        restsOnWaits: true,
      },
    };
  },
});

const minRuns = 20;
const minSuperseded = 5;

/**
 * Pushes to the default branch have groups of their own. A pull request from a branch of that name comes from a fork,
 * and those of several forks cannot be distinguished.
 */
const isCancellable = (one: RecordedAttempt, event: CancellableEvent, { defaultBranch }: AdvisedFile): boolean =>
  one.event === event && one.headBranch !== defaultBranch;

type CancellableEvent = 'pull_request' | 'push';

/** The event whose runs the patch would cancel; null without one. */
function findCancellableEvent({ workflow, defaultBranch }: AdvisedFile): CancellableEvent | null {
  if (hasEvent(workflow, 'pull_request')) return 'pull_request';
  const push = workflow.triggers.find(({ event }) => event === 'push');
  if (!push) return null;
  const branches = filterNames(push, 'branches');
  if (branches !== null) return branches.every((name) => name === defaultBranch) ? null : 'push';
  return valueIn(push.filter, 'tags') === null ? 'push' : null;
}

interface Place {
  offset: number;
  /** The existing `concurrency`; null where there is none. */
  group: YamlNode | null;
  /** Whether runs wait in order, so that none may be cancelled. */
  isQueue: boolean;
}

/** Where cancelling is missing; null where the file settles it, or has groups of its own for jobs. */
function findPlace({ root, concurrency, jobs }: Workflow): Place | null {
  if (concurrency === null) {
    const on = root?.entries.find(({ key }) => key.value === 'on');
    if (!on || jobs.some((job) => job.concurrency !== null)) return null;
    return { offset: on.key.offset, group: null, isQueue: false };
  }
  const group = textIn(concurrency, 'group');
  const isCancelling = textIn(concurrency, 'cancel-in-progress')?.value ?? 'false';
  if (!group || !isOfOnePullRequest(group) || isCancelling !== 'false') return null;
  return { offset: concurrency.offset, group: concurrency, isQueue: textIn(concurrency, 'queue')?.value === 'max' };
}

/** Activity of a pull request that changes its code. */
const codeTypes = new Set(['opened', 'synchronize', 'reopened', 'ready_for_review']);

function startsForOthers(workflow: Workflow): boolean {
  const types = workflow.triggers.flatMap((trigger) =>
    trigger.event === 'pull_request' ? (filterNames(trigger, 'types') ?? []) : [],
  );
  const others = workflow.triggers.filter(({ event }) => event !== 'pull_request' && isOfPullRequest(event));
  return others.length > 0 || hasEvent(workflow, 'workflow_run') || types.some((one) => !codeTypes.has(one));
}

const deployedWithinMs = 10 * 60_000;

const isFollowedByDeployment = (superseded: readonly Superseded[], deployedAt: readonly Instant[]) =>
  superseded.some(({ older: { endedAt } }) =>
    deployedAt.some((at) => endedAt !== null && at >= endedAt && at <= endedAt + deployedWithinMs),
  );

interface Replaced {
  runs: number;
  superseded: readonly Superseded[];
}

function describe(workflow: Workflow, event: CancellableEvent, { runs, superseded }: Replaced) {
  const unmatched = unmatchedPct(workflow, superseded);
  const label = event === 'pull_request' ? 'pull-request runs' : 'runs of pushes';
  const failed = superseded.filter(hadFailed);
  return {
    text: `${superseded.length} of ${runs} ${label} were replaced by a newer one before they ended.`,
    sample: runs,
    facts: [
      { label: 'Runs', value: String(runs), unit: null },
      { label: 'Superseded runs', value: String(superseded.length), unit: null },
      ...(unmatched === 0
        ? []
        : [
            {
              label: 'Jobs of them that fit no job of the file, or several: times kept',
              value: String(unmatched),
              unit: '%',
            },
          ]),
    ],
    evidence: superseded.map(({ older }) => ({ attempt: older, why: 'replaced before it ended' })),
    risks: [
      {
        text: 'Superseded runs that had failed before they were replaced: that result would not have been seen.',
        count: failed.length,
        of: superseded.length,
      },
    ],
  } satisfies Partial<Finding>;
}

/** Of the jobs of these runs, rounded up. */
function unmatchedPct(workflow: Workflow, superseded: readonly Superseded[]): number {
  const findJob = createJobFinder(workflow);
  const jobs = superseded.flatMap(({ older }) => older.jobs ?? []);
  const unmatched = jobs.filter(({ name }) => findJob(name) === null).length;
  return jobs.length === 0 ? 0 : Math.ceil((100 * unmatched) / jobs.length);
}

const hadFailed = ({ older, at }: Superseded) =>
  (older.jobs ?? []).some((job) => getOutcome(job) === 'fail' && job.completedAt !== null && job.completedAt <= at);

/** Whether another file builds the same group from its name: the two would cancel each other. */
const isNameShared = ({ workflow, others }: AdvisedFile): boolean =>
  others.some(({ name }) => name !== null && name.toLowerCase() === workflow.name?.toLowerCase());

function toChange(file: AdvisedFile, event: CancellableEvent, { group }: Place): Change {
  const { workflow } = file;
  const key = 'cancel-in-progress';
  if (group === null) {
    const isOwnName = !isNameShared(file) && !file.hasUnreadFiles;
    const name = isOwnName ? `\${{ github.workflow }}` : basename(workflow.path);
    const value = { group: `${name}-${toGroup(workflow, event)}`, [key]: true };
    return { do: 'insert', at: [], key: 'concurrency', value, after: ['permissions', 'on'] };
  }
  const isForPullRequests = workflow.triggers.every((trigger) => trigger.event === 'pull_request');
  const value = isForPullRequests ? true : `\${{ github.event_name == 'pull_request' }}`;
  return valueIn(group, key) === null
    ? { do: 'insert', at: ['concurrency'], key, value, after: ['group'] }
    : { do: 'replace', at: ['concurrency', key], value };
}

/** What distinguishes the runs of one pull request or branch; whatever is not to be cancelled is alone. */
function toGroup({ triggers }: Workflow, event: CancellableEvent): string {
  if (event === 'pull_request') return `\${{ github.event.pull_request.number || github.run_id }}`;
  const isAlone = [
    ...(triggers.every((trigger) => trigger.event === 'push') ? [] : [`github.event_name != 'push'`]),
    `github.ref_type == 'tag'`,
    'github.ref_name == github.event.repository.default_branch',
  ];
  return `\${{ (${isAlone.join(' || ')}) && github.run_id || github.ref }}`;
}
