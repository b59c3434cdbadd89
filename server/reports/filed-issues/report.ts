import { createHash, randomUUID } from 'node:crypto';
import { type Actor, type Context, changedBy, type Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { FiledIssue, IssueWrites } from '../../codehost/issues/writes.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { hourMs } from '../../metrics/kernel/window.ts';
import { type Claim, type Claimed, claimReserveMs } from '../../platform/claims.ts';
import { Problem } from '../../platform/problem.ts';
import { findIdempotencyKey } from './idempotency-key.ts';
import type { CreatedIssue } from './schema.ts';

export interface IssueToCreate extends RepositoryName {
  title: string;
  body: string;
  /** From a form, which cannot send the header. */
  idempotency_key?: string | undefined;
}

const hourlyLimit = 5;

/**
 * Files an issue on the platform as the caller, exactly once: repeated requests get the result of the first.
 * Throws `in_progress`, `idempotency_conflict`, `rate_limited` and the problems of the platform;
 * `details.maybe_created` where it is not known whether the issue was created.
 */
export async function createIssue(
  wanted: IssueToCreate,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof CreatedIssue>> {
  const { filings, clock, limits } = context.services;
  const actor = await context.actor();
  const claim = await filings.claim(
    toFiling(wanted, actor, findIdempotencyKey(wanted.idempotency_key, context)),
    clock.now(),
  );
  const answer = (issue: FiledIssue, deduplicated: boolean) => toAnswer(issue, wanted.title, deduplicated);
  if (claim.kind === 'conflict') throw new Problem('idempotency_conflict', sentences.conflict);
  if (claim.kind === 'replayed') {
    reply.status = 201;
    reply.headers.set('Idempotent-Replay', 'true');
    return answer(claim.made, false);
  }
  if (claim.kind !== 'own') {
    // Repeating costs nothing, but who has used up the hour gets that error first.
    applyLimit(await limits.look(getBucket(context), hourlyLimit, hourMs, clock.now()), reply, false);
    return answer(runningOr(claim), true);
  }
  const { claimed: filing, isResumed } = claim;
  await count(context, reply, filing, isResumed);
  const { issue, isFound } = await sendOnce(context, actor, { wanted, filing, isResumed });
  const deduplicated = isFound && filing.key === null;
  reply.status = deduplicated ? 200 : 201;
  return answer(issue, deduplicated);
}

const sentences = {
  conflict: 'This idempotency key was used for another issue before.',
  running: 'This issue is being filed at the moment. Ask again in 2 s to see what came of it.',
  unknown: 'GitHub did not respond. The issue may have been created: check before filing it again.',
  notCreated: 'GitHub did not respond properly, and the issue was not created. Try again.',
};

function runningOr(claim: Exclude<Claim<FiledIssue>, { kind: 'own' | 'conflict' | 'replayed' }>): FiledIssue {
  if (claim.kind === 'duplicate') return claim.made;
  throw running();
}

const running = () => new Problem('in_progress', sentences.running, { details: { retry_after_s: 2 } });

function toFiling({ owner, repo, title, body }: IssueToCreate, { id }: Actor, key: string | null) {
  const place = `${owner}/${repo}`.toLowerCase();
  return {
    operationId: randomUUID(),
    userId: id,
    key,
    requestHash: computeHash([place, title, body]),
    subjectHash: computeHash([place, title.toLowerCase()]),
  };
}

const computeHash = (parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

const getBucket = ({ address }: Context) => `create-issue:${address}`;

/** Counts an attempt; one over the limit releases its claim. */
async function count(context: Context, reply: Reply, filing: Claimed<FiledIssue>, isResumed: boolean): Promise<void> {
  const { limits, clock, filings } = context.services;
  const verdict = await limits.hit(getBucket(context), hourlyLimit, hourMs, clock.now());
  if (!verdict.allowed) await (isResumed ? filings.unsure(filing, clock.now()) : filings.released(filing));
  applyLimit(verdict, reply, true);
}

type Verdict = Awaited<ReturnType<Context['services']['limits']['hit']>>;

function applyLimit({ allowed, remaining, resetMs }: Verdict, reply: Reply, isCounted: boolean): void {
  reply.headers.set('X-RateLimit-Limit', String(hourlyLimit));
  reply.headers.set('X-RateLimit-Remaining', String(remaining));
  if (isCounted ? allowed : remaining > 0) return;
  const wait = Math.max(1, Math.ceil(resetMs / 1000));
  const sentence = `At most ${hourlyLimit} issues an hour can be filed from one address. Try again in ${wait} s.`;
  throw new Problem('rate_limited', sentence, { details: { retry_after_s: wait } });
}

interface Sending {
  wanted: IssueToCreate;
  filing: Claimed<FiledIssue>;
  isResumed: boolean;
}

/** Sends an issue one time at most. Where an attempt was left without a result, it is looked for, not repeated. */
async function sendOnce(context: Context, { login }: Actor, { wanted, filing, isResumed }: Sending) {
  const { filings, clock } = context.services;
  const platform = await context.codehost();
  const mark = `<!-- delivery-analytics operation ${filing.operationId} -->`;
  const look = () => platform.findIssue(wanted, { creator: login, text: mark });
  try {
    const earlier = isResumed ? await look().catch(unresolved) : null;
    if (earlier === null && clock.now() > filing.leaseUntil - claimReserveMs) throw running();
    const found = earlier ?? (await send(platform, wanted, mark, look));
    await filings.done(filing, found, await findNote(wanted, found, context));
    return { issue: found, isFound: earlier !== null };
  } catch (error) {
    const isRejected = error instanceof Problem && !/^(upstream_unavailable|in_progress)$/.test(error.code);
    await (isRejected ? filings.released(filing) : filings.unsure(filing, clock.now()));
    throw error;
  }
}

/** Where several people share the service, it is written down who filed what. */
async function findNote({ owner, repo }: RepositoryName, { number }: FiledIssue, context: Context) {
  if (context.services.env.MODE !== 'organization') return null;
  const { now, ...by } = await changedBy(context);
  const about = { category: 'issues', action: 'issue.filed', targetType: 'issue' } as const;
  const what = { target: `${owner}/${repo}#${number}`, before: null, after: { repo: `${owner}/${repo}`, number } };
  return { entry: { ...about, ...by, ...what, note: null }, now };
}

async function send(
  platform: IssueWrites,
  wanted: IssueToCreate,
  mark: string,
  look: () => Promise<FiledIssue | null>,
): Promise<FiledIssue> {
  const body = wanted.body === '' ? mark : `${wanted.body}\n\n${mark}`;
  try {
    return await platform.createIssue(wanted, { title: wanted.title, body });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'upstream_unavailable') throw error;
    const found = await look().catch(unresolved);
    if (found) return found;
    const details = { ...error.details, maybe_created: false };
    throw new Problem('upstream_unavailable', sentences.notCreated, { details, cause: error });
  }
}

/** Nobody could look either, for whatever reason. */
function unresolved(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const details = { ...error.details, maybe_created: true };
  throw new Problem('upstream_unavailable', sentences.unknown, { details, cause: error });
}

const toAnswer = (issue: FiledIssue, title: string, deduplicated: boolean): Domain<typeof CreatedIssue> => ({
  ok: true,
  ...issue,
  title,
  deduplicated,
});
