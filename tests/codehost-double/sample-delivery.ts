import type { WorldRepository } from '../../server/demo/world.ts';
import type { DoubleCommit, DoubleDelivery, DoublePullRequest } from './delivery.ts';
import { aCommit, anActor } from './delivery-builders.ts';

const hour = 3_600_000;

/** What people did to a generated repository, as the double keeps it. */
export function sampleDelivery(sample: WorldRepository): DoubleDelivery {
  return {
    commits: sample.commits.map(({ message, files, zone, changedFiles, additions, deletions, ...one }) => ({
      ...one,
      message,
      offset: zone,
      files: files.map((path, index) => ({
        path,
        additions: index === 0 ? (additions ?? 0) : 0,
        deletions: index === 0 ? (deletions ?? 0) : 0,
      })),
    })),
    pullRequests: sample.pullRequests.map(pullRequest),
    issues: sample.issues.map(({ htmlUrl, closedByBot, title, ...one }) => ({
      ...one,
      title: title ?? '',
      comments: one.comments ?? 0,
      labels: one.labels ?? [],
      assignees: one.assignees ?? [],
      closedBy: one.closedAt === null ? null : closedByBot ? anActor('tidy[bot]') : one.author,
    })),
    releases: sample.releases.map(({ htmlUrl, ...one }, index) => ({
      ...one,
      id: 600_000 + index,
      createdAt: (one.publishedAt ?? 0) - hour,
      author: anActor('mira-okafor'),
    })),
    deployments: sample.deployments.map((one) => ({
      ...one,
      url: null,
      statuses: [...(one.statuses ?? [])],
      production: one.environment === 'production',
    })),
    environments: [],
  };
}

function pullRequest(one: WorldRepository['pullRequests'][number]): DoublePullRequest {
  const { commitCount, firstCommitAt, reviewsTruncated, lastPushAt, htmlUrl, title, mergeQueue, ...rest } = one;
  return {
    ...rest,
    title: title ?? '',
    reviews: rest.reviews.map((review) => ({ ...review, comments: review.comments ?? 0 })),
    queueEvents: mergeQueue?.events ?? [],
    commits: commitsOf(one),
    pending: [],
    comments: 0,
  };
}

/** The first and the last commit as reported, the others between them. */
function commitsOf(one: WorldRepository['pullRequests'][number]): DoubleCommit[] {
  const first = one.firstCommitAt ?? one.createdAt;
  const last = Math.max(one.lastPushAt ?? one.createdAt, first);
  return Array.from({ length: one.commitCount }, (_, index) => {
    const part = one.commitCount === 1 ? 0 : index / (one.commitCount - 1);
    const at = Math.floor((first + (last - first) * part) / 1000) * 1000;
    const made = aCommit(at, one.author, `${one.title} ${index + 1}`);
    return index === one.commitCount - 1 ? { ...made, sha: one.headSha ?? made.sha } : made;
  });
}
