import { createHash, randomUUID } from 'node:crypto';
import { type Actor, type Context, changedBy, type Reply } from '../../../access/context.ts';
import type { OpenedPullRequest, WantedPullRequest } from '../../../advisor/opened-pull-requests.ts';
import { branchName, branchNames, hashSubject, headline } from '../../../advisor/pull-request/names.ts';
import type { Domain } from '../../../api/wire.ts';
import type { Platform } from '../../../codehost/changes/client.ts';
import type { Repository, RepositoryName } from '../../../metrics/kernel/facts.ts';
import { Problem } from '../../../platform/problem.ts';
import { findIdempotencyKey } from '../../filed-issues/idempotency-key.ts';
import { readAdvisorSettings } from '../in-effect.ts';
import { type Advice, readAdvice } from '../reading.ts';
import { asShown, showsCost } from '../report.ts';
import { claimOnce, countAttempt } from './attempt.ts';
import { propose } from './proposal.ts';
import type { OpenedPullRequest as Answer } from './schema.ts';
import { describeChanges } from './texts.ts';
import { type Written, writePullRequest } from './write.ts';

export interface PullRequestToOpen extends RepositoryName {
  ids: readonly string[];
  base_blobs: Readonly<Record<string, string>>;
  resulting_blobs?: Readonly<Record<string, string>> | undefined;
  title?: string | undefined;
  note: string;
  draft?: boolean | undefined;
  /** From a form, which cannot send the header. */
  idempotency_key?: string | undefined;
}

/**
 * Opens a pull request with the changes of recommendations as the caller, exactly once: repeated requests get the
 * result of the first, and what was left in the middle goes on where it ended. Contract of the advisor, section 7.3.
 */
export async function openPullRequest(
  input: PullRequestToOpen,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof Answer>> {
  const { pull_requests: isOffered } = await readAdvisorSettings(context);
  if (!isOffered) throw new Problem('advisor_off', 'Pull requests with recommended changes are off in the settings.');
  const platform = await context.codehost();
  const actor = await context.actor();
  const repository = await platform.repositories.get(input);
  const claim = await claimOnce(
    toWanted(input, repository, actor, findIdempotencyKey(input.idempotency_key, context)),
    context,
  );
  if (claim.kind !== 'own') {
    reply.status = claim.kind === 'replayed' ? 201 : 200;
    if (claim.kind === 'replayed') reply.headers.set('Idempotent-Replay', 'true');
    return toAnswer(claim.made, claim.kind === 'duplicate');
  }
  const { claimed, isResumed } = claim;
  const { pullRequests, clock } = context.services;
  try {
    const { made, isOwn } = await write(input, claimed, { platform, repository, context, reply });
    await pullRequests.done(claimed, made, isOwn ? await noteOpened(repository, made, context) : null);
    reply.status = isOwn ? 201 : 200;
    return toAnswer(made, !isOwn);
  } catch (error) {
    const isRejected = error instanceof Problem && !/^(upstream_unavailable|in_progress)$/.test(error.code);
    await (isRejected && !isResumed ? pullRequests.released(claimed) : pullRequests.unsure(claimed, clock.now()));
    if (error instanceof Problem && error.code === 'file_changed') await readAnew(platform, input);
    throw error;
  }
}

function toWanted(
  { ids, base_blobs: baseBlobs, resulting_blobs: resulting = {}, title, note, draft }: PullRequestToOpen,
  repository: Repository,
  { id, login }: Actor,
  key: string | null,
): WantedPullRequest {
  const subjectHash = computeHash([repository.id, hashSubject(ids, baseBlobs)]);
  return {
    operationId: randomUUID(),
    userId: id,
    login,
    key,
    requestHash: computeHash([subjectHash, Object.entries(resulting).sort(), title ?? null, note, draft ?? null]),
    subjectHash,
    repository,
    ids: [...ids].sort(),
    baseBlobs,
  };
}

const computeHash = (parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

interface Around {
  platform: Platform;
  repository: Repository;
  context: Context;
  reply: Reply;
}

async function write(
  input: PullRequestToOpen,
  claimed: { operationId: string; userId: number; leaseUntil: number },
  { platform, repository, context, reply }: Around,
): Promise<Written> {
  const { owner, repo, base_blobs: baseBlobs } = input;
  const shown = { ...(await asShown(context)), chosen: input.ids };
  const advice = await readAdvice({ owner, repo }, shown, context, reply);
  const only = input.ids.length === 1 ? await findKind(input, advice, platform, context) : null;
  const mayCost = await showsCost(context);
  let counted: Promise<void> | null = null;
  const mark = `<!-- delivery-analytics operation ${claimed.operationId} -->`;
  for (const branch of branchNames(branchName(input.ids, only, baseBlobs))) {
    const written = await writePullRequest({
      platform,
      name: { owner, repo },
      branch,
      paths: Object.keys(baseBlobs),
      propose: (base) => propose(input, base, advice, context),
      describe: ({ chosen: made, changes }) => ({
        title: input.title ?? headline(made),
        body: [
          ...(input.note === '' ? [] : [input.note]),
          describeChanges({ ...advice, changes }, made, { context, mayCost }),
          mark,
        ].join('\n\n'),
      }),
      isDraft: input.draft ?? advice.settings.draft_default,
      mark,
      count() {
        counted ??= countAttempt(context, claimed.userId, reply);
        return counted;
      },
      branchUrl: (name) => `${repository.htmlUrl}/tree/${name}`,
      leaseUntil: claimed.leaseUntil,
      context,
    });
    if (written) return written;
  }
  throw new Problem('branch_refused', 'Other branches have all of the names that are tried.');
}

/** The kind of one recommendation, which this process may not know yet: then the file is read as it is now. */
async function findKind(input: PullRequestToOpen, advice: Advice, platform: Platform, context: Context) {
  const known = advice.recommendations.find(({ id }) => input.ids.includes(id));
  if (known) return known.kind;
  const { ids, base_blobs: baseBlobs } = input;
  const of = { branch: branchName(ids, null, baseBlobs), paths: Object.keys(baseBlobs) };
  const { chosen } = await propose(input, await platform.pullRequestBase(input, of), advice, context);
  return chosen[0]?.kind ?? null;
}

async function noteOpened({ owner, repo }: RepositoryName, { number, ids }: OpenedPullRequest, context: Context) {
  const { now, ...by } = await changedBy(context);
  const about = { category: 'advisor', action: 'advisor.pull_request_opened', targetType: 'pull_request' } as const;
  const what = { target: `${owner}/${repo}#${number}`, before: null, after: { repo: `${owner}/${repo}`, number, ids } };
  return { entry: { ...about, ...by, ...what, note: null }, now };
}

/** So that the change which is shown next is that of the files as they are. */
async function readAnew(platform: Platform, name: RepositoryName): Promise<void> {
  try {
    await platform.workflowFiles(name, { anew: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

const toAnswer = (made: OpenedPullRequest, deduplicated: boolean): Domain<typeof Answer> => ({
  ok: true,
  number: made.number,
  htmlUrl: made.htmlUrl,
  title: made.title,
  branch: made.branch,
  base: made.baseBranch,
  commit: made.commit,
  ids: [...made.ids],
  draft: made.isDraft,
  createdAt: made.createdAt,
  deduplicated,
});
