import type { Change, ChangeReads, Changes } from '../codehost/changes-client.ts';
import type { Instant } from '../metrics/facts.ts';
import { asFact, plain } from './delivery.ts';
import { repositoryNamed } from './lookup.ts';
import type { World } from './world.ts';

/** What changed in the sample world, which stands still for a day. Unknown names throw `Problem('not_found')`. */
export const demoChanges = (world: World): ChangeReads => ({
  async changes(name, wanted) {
    const { state, pullRequests, commits, issues, deployments, releases } = repositoryNamed(world, name);
    const change = <T>(items: T[], changedAt: (item: T) => Instant, since: Instant): Change<T> => ({
      ...{ items: items.filter((one) => changedAt(one) >= since), reached: true, total: null },
      ...{ newestAt: null, asOf: world.now },
    });
    const found: Changes = {};
    if (wanted.pull_requests) {
      found.pull_requests = change(pullRequests.map(plain), (one) => one.updatedAt, wanted.pull_requests.since);
    }
    if (wanted.commits) {
      const { since, floor } = wanted.commits;
      const total = commits.filter((one) => one.committedAt >= floor).length;
      found.commits = { ...change(commits.map(asFact), (one) => one.committedAt, since), total };
    }
    if (wanted.issues && state.openIssues !== null) {
      const total = issues.filter((one) => one.closedAt === null).length;
      found.issues = { ...change(issues, (one) => one.updatedAt, wanted.issues.since), total };
    }
    if (wanted.deployments) {
      const lastChange = change(
        deployments,
        ({ createdAt, statuses }) => Math.max(createdAt, ...statuses.map(({ at }) => at)),
        wanted.deployments.since,
      );
      found.deployments = { ...lastChange, total: deployments.length, newestAt: deployments[0]?.createdAt ?? null };
    }
    if (wanted.releases) found.releases = change(releases, (one) => one.publishedAt, wanted.releases.since);
    return found;
  },
});
