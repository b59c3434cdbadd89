import type { RecordedAttempt } from '../../advisor/history.ts';
import type { TrackedPullRequest } from '../../advisor/opened-pull-requests.ts';
import { asJudged } from '../../advisor/verdict/joint.ts';
import { asMerged, daysBefore, isApplied, type ProposedChange } from '../../advisor/verdict/proposed.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { StoredPlan } from '../../store/advisor-totals.ts';
import type { Store } from '../../store/orm.ts';
import type { KnownRepository } from '../../store/repositories.ts';
import { beginOf } from '../advisor-results/looks.ts';
import type { AdviceSource } from './gather.ts';
import { readStored } from './history.ts';

/** What was found in a repository just now. */
export interface FoundNow {
  /** Ids of all findings, of what is not offered too; null where they could not be computed. */
  found: readonly string[] | null;
  /** Its workflow files. */
  files: readonly { path: string; text: string }[];
}

/**
 * Begins the results of recommended changes that somebody made without a pull request from here: of those that
 * the last plan offered, and that its file has now. One request, where there is one. Contract of the advisor, section 5.2.
 */
export async function beginApplied(
  known: Pick<KnownRepository, 'id'>,
  repository: Repository,
  { previous, now }: { previous: StoredPlan; now: FoundNow },
  source: AdviceSource & { store: Store },
): Promise<void> {
  const applied = await listApplied(repository, previous, now, source.store);
  if (applied.length === 0) return;
  const commits = await (await source.codehost()).workflowChanges(repository, maxCommits);
  const at = source.services.clock.now();
  const since = previous.asOf - (daysBefore + 1) * dayMs;
  const attempts = await readStored(repository, { since, stepNames: [] }, source.services.store);
  for (const change of applied) {
    const commit = commits.items.find(({ files }) => files?.some(({ path }) => path === change.path));
    // A commit may be older than its merge.
    const startAt = Math.min(at, Math.max(previous.asOf, commit?.committedAt ?? 0));
    if (commit)
      await begin(
        { change: asJudged(change, applied), commit: commit.sha, startAt, together: applied },
        { known, repository, attempts, at },
        source.store,
      );
  }
}

const maxCommits = 20;

/** Without those that are in a pull request from here, and those that are followed already. */
async function listApplied(
  { id }: Repository,
  { asOf, plan: { rows } }: StoredPlan,
  { found, files }: FoundNow,
  { advisorPullRequests, advisorVerdicts }: Store,
): Promise<ProposedChange[]> {
  if (found === null) return [];
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const applied = rows.flatMap(({ proposed }) => {
    const text = proposed && texts.get(proposed.path);
    const isGone = proposed && !found.includes(proposed.id);
    return text !== undefined && isGone && isApplied(proposed, text) ? [asMerged(proposed, text)] : [];
  });
  if (applied.length === 0) return [];
  const opened = (await advisorPullRequests.ofRepositories([id])).get(id);
  const followed = (await advisorVerdicts.list([id])).filter(({ verdict }) => verdict.nextLook !== null);
  return applied.filter((one) => {
    return !mayBeOf(opened?.get(one.id), asOf) && !followed.some(({ change }) => change.id === one.id);
  });
}

/** Whether a change since a plan may have come with a pull request: not with one that is closed or was merged before. */
const mayBeOf = (pullRequest: TrackedPullRequest | undefined, since: Instant): boolean =>
  pullRequest !== undefined &&
  (pullRequest.state === 'open' || (pullRequest.mergedAt !== null && pullRequest.mergedAt >= since));

async function begin(
  {
    change,
    commit,
    startAt,
    together,
  }: { change: ProposedChange; commit: string; startAt: Instant; together: readonly ProposedChange[] },
  {
    known,
    repository,
    attempts,
    at,
  }: {
    known: Pick<KnownRepository, 'id'>;
    repository: Repository;
    attempts: readonly RecordedAttempt[];
    at: Instant;
  },
  { advisorVerdicts }: Store,
): Promise<void> {
  const verdict = beginOf(change, { attempts, defaultBranch: repository.defaultBranch ?? '', startAt }, together);
  await advisorVerdicts.begin(known.id, { operationId: null, commit, change, verdict }, at);
}
