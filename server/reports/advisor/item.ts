import type { AdvisedItem } from '../../advisor/advise.ts';
import type { Dismissal } from '../../advisor/dismissal.ts';
import type { TrackedPullRequest } from '../../advisor/opened-pull-requests.ts';
import { formatPath } from '../../advisor/patch/change.ts';
import { reasonTexts } from '../../advisor/reasons.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { ShortVerdict } from '../advisor-results/schema.ts';
import { formatFindingUrl } from '../security-scan/scans.ts';
import { dismissalItem } from './dismissals.ts';
import { toEffectItem } from './effect.ts';
import type { Advice } from './reading.ts';
import type { Recommendations } from './schema.ts';

/** What is known of recommendations beside their findings. */
export interface Around {
  /** Pull requests that were opened from here, by the id of the recommendation. */
  opened: ReadonlyMap<string, TrackedPullRequest>;
  /** What came of those that were merged. */
  verdicts: ReadonlyMap<string, Domain<typeof ShortVerdict>>;
  isDemo: boolean;
  mayCost: boolean;
}

/** A recommendation as answers have it. */
export function toItem(
  { repository, files, dismissals }: Advice,
  one: AdvisedItem,
  { opened, verdicts, isDemo, mayCost }: Around,
): Domain<typeof Recommendations>['recommendations'][number] {
  const { id, kind, path, workflowName, workflowId, line, text, sample, facts, risks, reasons } = one;
  const dismissal = dismissals.get(id) ?? null;
  const pullRequest = opened.get(id) ?? null;
  return {
    id,
    kind: kind.id,
    title: kind.title,
    certainty: one.certainty,
    workflowPath: path,
    workflowName,
    workflowId,
    anchor: formatPath(one.anchor),
    line,
    // The sample world has no pages.
    htmlUrl: isDemo ? null : formatFindingUrl(repository.htmlUrl, files.commitSha, { path, line }),
    blob: files.files.find((file) => file.path === path)?.blobId ?? '',
    finding: { text, sample, facts },
    effect: toEffectItem(one, mayCost),
    lostRuns: one.lostRuns ?? 0,
    unmappedJobsPct: one.unmappedJobsPct,
    risks,
    state: stateOf(one, { dismissal, pullRequest, readAt: files.asOf }),
    pullRequest: pullRequest && {
      number: pullRequest.number,
      htmlUrl: pullRequest.htmlUrl,
      state: pullRequest.state,
      openedAt: pullRequest.createdAt,
      mergedAt: pullRequest.mergedAt,
    },
    verdict: verdicts.get(id) ?? null,
    dismissal: dismissal && dismissalItem(dismissal),
    reasons: [...new Set(reasons)].map((code) => ({ code, text: reasonTexts[code] })),
  };
}

interface Known {
  dismissal: Dismissal | null;
  pullRequest: Pick<TrackedPullRequest, 'state' | 'mergedAt'> | null;
  /** When the workflow files were read. */
  readAt: Instant;
}

/** Where a recommendation is on its way. In an open pull request it stays when it came to save too little. */
export function stateOf({ reasons }: Pick<AdvisedItem, 'reasons'>, { dismissal, pullRequest, readAt }: Known) {
  if (dismissal) return 'dismissed';
  const progress = progressOf(pullRequest, readAt);
  const isInPullRequest = progress === 'in_pull_request';
  if (reasons.some((reason) => !isInPullRequest || reason !== 'below_materiality')) return 'not_offered';
  return progress;
}

/**
 * How far the pull request with a recommended change is. One that was closed without a merge changed nothing; what is
 * found in a file read after the merge is there again.
 */
export function progressOf(pullRequest: Known['pullRequest'], readAt: Instant | null) {
  if (pullRequest?.state === 'open') return 'in_pull_request';
  const mergedAt = pullRequest?.mergedAt ?? null;
  return mergedAt !== null && readAt !== null && readAt <= mergedAt ? 'merged' : 'open';
}
