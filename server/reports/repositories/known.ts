import type { Repository } from '../../metrics/kernel/facts.ts';
import type { KnownRepository } from '../../store/repositories.ts';

/** As far as delivery looks at a repository; nothing else of it is stored. */
export const toRepository = ({
  codehostId,
  owner,
  repo,
  private: isPrivate,
  defaultBranch,
  archived,
  codehostCreatedAt: createdAt,
}: KnownRepository): Repository => ({
  id: codehostId,
  owner,
  repo,
  defaultBranch,
  archived,
  private: isPrivate,
  visibility: isPrivate ? 'private' : 'public',
  description: null,
  htmlUrl: '',
  language: null,
  stars: 0,
  fork: false,
  hasIssues: false,
  ownerType: 'org',
  createdAt,
  updatedAt: null,
  pushedAt: null,
});
