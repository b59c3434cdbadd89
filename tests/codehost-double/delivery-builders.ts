import { LRUCache } from 'lru-cache';
import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import type {
  DoubleCommit,
  DoubleDeployment,
  DoubleFile,
  DoubleIssue,
  DoublePullRequest,
  DoubleRelease,
  DoubleReview,
  ReviewParts,
} from './delivery.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A person or, with `[bot]` at the end of the login, a bot. */
export const anActor = (login: string): Actor => ({
  login,
  avatarUrl: `https://avatars.codehost.example/${encodeURIComponent(login)}`,
  isBot: login.endsWith('[bot]'),
});

/** A commit whose id follows from its time, author and message. */
export function aCommit(
  committedAt: Instant,
  author: Actor | null,
  message: string,
  parts: Partial<DoubleCommit> = {},
): DoubleCommit {
  const authorName = parts.authorName ?? author?.login ?? 'Nobody Known';
  return {
    sha: shaOf(`${committedAt} ${authorName} ${message}`),
    message,
    authoredAt: committedAt,
    committedAt,
    author,
    authorName,
    offset: 0,
    parents: 1,
    files: [aFile('src/app.ts')],
    ...parts,
  };
}

export const aFile = (path: string, additions = 3, deletions = 1): DoubleFile => ({ path, additions, deletions });

export type PullRequestParts = Partial<Omit<DoublePullRequest, 'reviews'>> & {
  number: number;
  reviews?: ReviewParts[];
};

/**
 * A pull request; what is not said: opened by ann a day before `now`, one commit an hour before that, untouched since.
 * `mergedAt` or `closedAt` say how it ended.
 */
export function aPullRequest(now: Instant, { reviews = [], ...parts }: PullRequestParts): DoublePullRequest {
  const { number } = parts;
  const createdAt = parts.createdAt ?? now - day;
  const author = parts.author === undefined ? anActor('ann') : parts.author;
  const mergedAt = parts.mergedAt ?? null;
  const closedAt = parts.closedAt ?? mergedAt;
  const commits = parts.commits ?? [aCommit(createdAt - hour, author, `Change of ${number}`)];
  const submitted = reviews.map((one, index) => aReview(`PRR_${number}_${index + 1}`, one));
  const times = [createdAt, ...submitted.map((one) => one.submittedAt), ...(parts.clock ?? []).map((one) => one.at)];
  const queueTimes = (parts.queueEvents ?? []).map(({ at }) => at);
  return {
    title: `Pull request ${number}`,
    author,
    state: mergedAt !== null ? 'merged' : closedAt !== null ? 'closed' : 'open',
    isDraft: false,
    createdAt,
    updatedAt: Math.max(...times, ...queueTimes, ...commits.map((one) => one.committedAt), closedAt ?? 0),
    closedAt,
    mergedAt,
    mergedBy: mergedAt === null ? null : author,
    baseBranch: 'main',
    headBranch: `change-${number}`,
    headSha: commits.at(-1)?.sha ?? null,
    mergeSha: mergedAt === null ? null : shaOf(`merge of ${number} at ${mergedAt}`),
    labels: [],
    additions: 10,
    deletions: 2,
    changedFiles: 1,
    commits,
    reviews: submitted.map((one) => ({ ...one, commitSha: one.commitSha ?? commits.at(-1)?.sha ?? null })),
    pending: [],
    comments: 0,
    clock: [],
    queueEvents: [],
    mergeable: 'mergeable',
    reviewDecision: null,
    requestedReviewers: [],
    requestedTeams: [],
    ...parts,
  };
}

export const aReview = (id: string, parts: ReviewParts): DoubleReview => ({
  id,
  commitSha: null,
  comments: 0,
  ...parts,
});

/** An issue; what is not said: opened by ann a day before `now`, and open, unlabelled, unassigned, unanswered. */
export function anIssue(now: Instant, parts: Partial<DoubleIssue> & { number: number }): DoubleIssue {
  const createdAt = parts.createdAt ?? now - day;
  const closedAt = parts.closedAt ?? null;
  return {
    title: `Issue ${parts.number}`,
    createdAt,
    updatedAt: closedAt ?? createdAt,
    closedAt,
    closeReason: closedAt === null ? null : 'completed',
    closedBy: closedAt === null ? null : anActor('ann'),
    author: anActor('ann'),
    labels: [],
    assignees: [],
    comments: 0,
    ...parts,
  };
}

export const aRelease = (parts: Partial<DoubleRelease> & { id: number; createdAt: Instant }): DoubleRelease => ({
  tag: `v${parts.id}`,
  publishedAt: parts.isDraft ? null : parts.createdAt,
  isPrerelease: false,
  isDraft: false,
  author: anActor('ann'),
  ...parts,
});

/** A deployment to production; without statuses, as it is when just created. */
export const aDeployment = (
  parts: Partial<DoubleDeployment> & { id: number; createdAt: Instant },
): DoubleDeployment => ({
  environment: 'production',
  sha: shaOf(`deployment ${parts.id}`),
  ref: 'main',
  creator: anActor('ann'),
  statuses: [],
  url: null,
  production: (parts.environment ?? 'production') === 'production',
  ...parts,
});

/** The same commits are made for each service that a test starts. */
const known = new LRUCache<string, string>({ max: 10_000 });

/** Forty hexadecimal digits that follow from the text. */
export function shaOf(text: string): string {
  const sha = known.get(text) ?? hexadecimal(text);
  known.set(text, sha);
  return sha;
}

function hexadecimal(text: string): string {
  let hash = 0x811c9dc5;
  let sha = '';
  while (sha.length < 40) {
    const read = `${text}${sha}`;
    for (let index = 0; index < read.length; index++) hash = Math.imul(hash ^ read.charCodeAt(index), 0x01000193) >>> 0;
    sha += hash.toString(16).padStart(8, '0');
  }
  return sha.slice(0, 40);
}
