import type { Context } from '../../../access/context.ts';
import type { OpenedPullRequest } from '../../../advisor/opened-pull-requests.ts';
import { blobId, commitBody, headline } from '../../../advisor/pull-request/names.ts';
import type { Platform } from '../../../codehost/changes/client.ts';
import type { PullRequestBase } from '../../../codehost/pull-requests/base.ts';
import { archived, fineGrainedPermissions, missing } from '../../../codehost/pull-requests/denials.ts';
import type { RepositoryName } from '../../../metrics/kernel/facts.ts';
import { claimReserveMs } from '../../../platform/claims.ts';
import { Problem, type ProblemDetails } from '../../../platform/problem.ts';
import { running } from './attempt.ts';
import { assertMayWrite, hideScopesOfApp } from './permission.ts';
import { fileChanged, type Proposal } from './proposal.ts';

/** What is to be opened, and by whom it may be. */
export interface Writing {
  platform: Platform;
  name: RepositoryName;
  branch: string;
  paths: readonly string[];
  /** The changes of the files as they are; see `propose`. */
  propose(base: PullRequestBase): Promise<Proposal>;
  /** The texts of the pull request. */
  describe(proposal: Proposal): { title: string; body: string };
  isDraft: boolean;
  /** Stands in the text of what this operation opens, and of nothing else. */
  mark: string;
  /** Counts the attempt, once. Throws `rate_limited`. */
  count(): Promise<void>;
  /** Page of a branch on the platform. */
  branchUrl(branch: string): string;
  leaseUntil: number;
  context: Context;
}

export interface Written {
  made: OpenedPullRequest;
  /** Whether this operation opened it, now or in an attempt whose end nobody saw. */
  isOwn: boolean;
}

/** How far the branch is: `taken` by something else, `empty` at the head of the default branch, or with our commit. */
interface State {
  base: PullRequestBase;
  proposal: Proposal;
  branch: 'none' | 'taken' | 'empty' | 'committed';
}

/**
 * Opens a pull request from this branch, beginning with the first step that is not done; null where the branch is
 * somebody else's. Contract of the advisor, section 7.3, steps 4 to 10.
 */
export async function writePullRequest(writing: Writing): Promise<Written | null> {
  const state = await readState(writing);
  const { base, proposal } = state;
  if (base.pullRequest) return found(writing, state);
  assertMayWrite(base);
  if (state.branch === 'taken') return null;
  await writing.count();
  const began = state.branch === 'none' ? await createBranch(writing, base) : state.branch;
  if (began === 'taken') return null;
  const commit = began === 'committed' && base.branch ? base.branch.oid : await commitFiles(writing, state, began);
  return open(writing, { base, proposal, commit });
}

/** One request, never from a copy. Throws `archived`, and whatever the proposal does. */
async function readState({ platform, name, branch, paths, propose, context }: Writing): Promise<State> {
  const base = hideScopesOfApp(await platform.pullRequestBase(name, { branch, paths }), context);
  if (base.isArchived) throw archived();
  const proposal = await propose(base);
  return { base, proposal, branch: stateOf(base, proposal) };
}

function stateOf({ branch, headOid }: PullRequestBase, { files }: Proposal): State['branch'] {
  if (branch === null) return 'none';
  if (branch.oid === headOid) return 'empty';
  const isOurs =
    branch.parent === headOid &&
    branch.changedFiles === files.length &&
    files.every(({ path, patch }) => branch.blobIds.get(path) === blobId(patch.text));
  return isOurs ? 'committed' : 'taken';
}

/** `created` where this very request made it, which is known of no branch that is found. */
async function createBranch(writing: Writing, base: PullRequestBase): Promise<State['branch'] | 'created'> {
  const { platform, name, branch } = writing;
  const create = async () => {
    const came = await platform.createBranch(name, { branch, oid: base.headOid }).catch(asDenial(base));
    return came === 'created' ? came : null;
  };
  const look = async () => {
    const state = await readState(writing);
    return state.branch === 'none' ? null : state.branch;
  };
  return (await sendOnce(writing, 'branch', create, look)) ?? (await look()) ?? 'taken';
}

/** The id of our commit on the branch. A refused one leaves no branch behind that was made for it. */
async function commitFiles(
  writing: Writing,
  { base, proposal }: State,
  began: Awaited<ReturnType<typeof createBranch>>,
): Promise<string> {
  const { platform, name, branch } = writing;
  const commit = () =>
    platform.commitFiles(name, {
      branch,
      expectedHead: base.headOid,
      headline: headline(proposal.chosen),
      body: commitBody(proposal.chosen),
      files: proposal.files.map(({ path, patch }) => ({ path, text: patch.text })),
    });
  const look = async () => {
    const state = await readState(writing);
    return state.branch === 'committed' ? (state.base.branch?.oid ?? null) : null;
  };
  try {
    const oid = (await sendOnce(writing, 'commit', commit, look)) ?? (await look());
    if (oid) return oid;
  } catch (error) {
    const isRefused = error instanceof Problem && !/^(upstream_unavailable|in_progress)$/.test(error.code);
    if (isRefused && began === 'created') await giveUp(writing, base.headOid);
    throw error;
  }
  const text = `The branch ${branch} has moved meanwhile. No pull request was opened.`;
  throw fileChanged(text, proposal, base);
}

/** Deletes the branch while nothing is on it: another person may have committed the same meanwhile. */
async function giveUp(writing: Writing, headOid: string): Promise<void> {
  const { platform, name, branch } = writing;
  try {
    const { branch: there } = await platform.pullRequestBase(name, { branch, paths: [] });
    if (there?.oid === headOid) await platform.deleteBranch(name, branch);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

async function open(
  writing: Writing,
  { base, proposal, commit }: Pick<State, 'base' | 'proposal'> & { commit: string },
): Promise<Written> {
  const { platform, name, branch, isDraft, describe } = writing;
  const send = async () => {
    const texts = describe(proposal);
    const wanted = { ...texts, head: branch, base: base.defaultBranch, isDraft };
    const opened = await platform
      .openPullRequest(name, wanted)
      .catch(asDenial(base))
      .catch((error: unknown) => {
        throw withDetails(error, { branch, branch_url: writing.branchUrl(branch) });
      });
    if (opened === 'exists') return null;
    const made = { ...opened, branch, commit, baseBranch: base.defaultBranch, baseCommit: base.headOid };
    return { made: { ...made, title: texts.title, ...changesOf(proposal) }, isOwn: true };
  };
  const look = async () => {
    const state = await readState(writing);
    return state.base.pullRequest ? found(writing, state) : null;
  };
  const written = (await sendOnce(writing, 'pull request', send, look)) ?? (await look());
  if (written) return written;
  throw running();
}

/**
 * Sends what changes something one time alone. Where the answer is lost, what came of it is looked for; what is not
 * there may come yet.
 */
async function sendOnce<T>(
  { branch, branchUrl, leaseUntil, context }: Writing,
  step: keyof typeof unanswered,
  send: () => Promise<T>,
  look: () => Promise<T>,
): Promise<T> {
  if (context.services.clock.now() > leaseUntil - claimReserveMs) throw running();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'upstream_unavailable') throw error;
    const there = await look().catch(() => null);
    if (there !== null) return there;
    const details = { ...error.details, maybe_created: true, branch, branch_url: branchUrl(branch) };
    throw new Problem('upstream_unavailable', `GitHub did not respond. ${unanswered[step]}`, { details, cause: error });
  }
}

const unanswered = {
  branch: 'The branch may have been created, the pull request was not opened. Try again.',
  commit: 'The change may be on the branch, the pull request was not opened. Try again.',
  'pull request': 'The pull request may have been opened: look before opening it again.',
};

function found({ branch, mark }: Writing, { base, proposal }: Pick<State, 'base' | 'proposal'>): Written {
  const { pullRequest, headOid } = base;
  if (!pullRequest) throw running();
  const { headOid: commit, body, ...there } = pullRequest;
  const made = { ...there, branch, commit, baseCommit: headOid, ...changesOf(proposal) };
  return { made, isOwn: body.includes(mark) };
}

const changesOf = ({ proposed }: Proposal) => ({ ids: proposed.map(({ id }) => id), proposed });

/** The platform answers 404 to a token that sees a repository and may not write to it. */
const asDenial =
  ({ scopes }: PullRequestBase) =>
  (error: unknown): never => {
    const isDenied = error instanceof Problem && error.code === 'not_found' && scopes === null;
    throw isDenied ? missing(fineGrainedPermissions) : error;
  };

function withDetails(error: unknown, details: ProblemDetails): unknown {
  if (!(error instanceof Problem)) return error;
  return new Problem(error.code, error.message, { details: { ...error.details, ...details }, cause: error.cause });
}
