import type {
  Commit,
  Deployment,
  DeploymentState,
  Issue,
  OpenPullRequest,
  PullRequest,
  Review,
  ReviewState,
} from '../../server/metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import { hour } from './worlds.ts';

export function anActor(login: string): Actor {
  return { login, avatarUrl: `https://codehost.example/${login}.png`, isBot: login.endsWith('[bot]') };
}

/** Merged by its author two hours after creation, unreviewed; say only what differs. */
export function aPullRequest(differences: Partial<PullRequest> = {}): PullRequest {
  const createdAt = differences.createdAt ?? Date.UTC(2026, 2, 6, 10);
  const mergedAt = differences.mergedAt === undefined ? createdAt + 2 * hour : differences.mergedAt;
  return {
    number: 1,
    title: null,
    isRevert: false,
    author: anActor('ana'),
    state: mergedAt === null ? (differences.closedAt ? 'closed' : 'open') : 'merged',
    isDraft: false,
    createdAt,
    updatedAt: createdAt,
    closedAt: mergedAt,
    mergedAt,
    mergedBy: mergedAt === null ? null : anActor('ana'),
    baseBranch: 'main',
    headBranch: 'topic',
    headSha: null,
    labels: [],
    additions: 10,
    deletions: 5,
    changedFiles: 1,
    commitCount: 1,
    firstCommitAt: createdAt - hour,
    reviews: [],
    reviewsTruncated: false,
    clock: [],
    mergeQueue: { events: [], mergeSha: null, parentSha: null },
    htmlUrl: `https://codehost.example/pull/${differences.number ?? 1}`,
    ...differences,
  };
}

export function anOpenPullRequest(differences: Partial<OpenPullRequest> = {}): OpenPullRequest {
  return {
    ...aPullRequest({ mergedAt: null, ...differences }),
    mergeable: 'unknown',
    reviewDecision: null,
    requestedReviewers: [],
    requestedTeams: [],
    lastPushAt: null,
    ...differences,
  };
}

export function aReview(login: string | null, state: ReviewState, submittedAt: Instant, commitSha = 'a'): Review {
  const reviewer = login === null ? null : anActor(login);
  return { id: `${login}-${state}-${submittedAt}-${commitSha}`, reviewer, state, submittedAt, commitSha, comments: 1 };
}

export function aCommit(differences: Partial<Commit> = {}): Commit {
  const authoredAt = differences.authoredAt ?? Date.UTC(2026, 2, 6, 10);
  return {
    sha: 'sha',
    author: anActor('ana'),
    authorName: 'Ana',
    authoredAt,
    committedAt: authoredAt,
    parents: 1,
    additions: null,
    deletions: null,
    changedFiles: 1,
    ...differences,
  };
}

export function aDeployment(id: number, createdAt: Instant, ...statuses: [DeploymentState, Instant][]): Deployment {
  return {
    id,
    environment: 'production',
    createdAt,
    sha: `sha-${id}`,
    ref: null,
    creator: null,
    statuses: statuses.map(([state, at]) => ({ state, at })),
    url: null,
  };
}

export function anIssue(differences: Partial<Issue> = {}): Issue {
  const createdAt = differences.createdAt ?? Date.UTC(2026, 2, 6, 10);
  return {
    number: 1,
    title: null,
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
    closeReason: null,
    closedByBot: false,
    author: null,
    labels: [],
    assignees: [],
    comments: 0,
    htmlUrl: 'https://codehost.example/issues/1',
    ...differences,
  };
}
