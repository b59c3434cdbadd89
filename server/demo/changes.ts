import type { Change, ChangeReads, Changes } from '../codehost/changes/client.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { asFact, plain } from './delivery.ts';
import { repositoryNamed } from './lookup.ts';
import type { World } from './world.ts';

/** What changed in the sample world, which stays the same for a day. Unknown names throw `Problem('not_found')`. */
export const demoChanges = (world: World): ChangeReads => ({
  async changes(name, wanted) {
    const { state, pullRequests, commits, issues, deployments, releases } = repositoryNamed(world, name);
    const change = <T>(items: T[], changedAt: (item: T) => Instant, since: Instant): Change<T> => ({
      items: items.filter((one) => changedAt(one) >= since),
      reached: true,
      total: null,
      openCount: null,
      newestAt: null,
      head: null,
      added: null,
      asOf: world.now,
    });
    const found: Changes = {};
    if (wanted.pull_requests) {
      found.pull_requests = change(pullRequests.map(plain), (one) => one.updatedAt, wanted.pull_requests.since);
    }
    if (wanted.commits) {
      const { since, head } = wanted.commits;
      const added = head === null ? null : commits.findIndex(({ sha }) => sha === head);
      const branchState = { head: commits[0]?.sha ?? null, added: added === -1 ? null : added };
      found.commits = { ...change(commits.map(asFact), (one) => one.committedAt, since), ...branchState };
    }
    if (wanted.issues && state.openIssues !== null) {
      const openCount = issues.filter((one) => one.closedAt === null).length;
      const counts = { total: issues.length, openCount };
      found.issues = { ...change(issues, (one) => one.updatedAt, wanted.issues.since), ...counts };
    }
    if (wanted.deployments) {
      const lastChange = change(
        deployments,
        ({ createdAt, statuses }) => Math.max(createdAt, ...(statuses ?? []).map(({ at }) => at)),
        wanted.deployments.since,
      );
      found.deployments = { ...lastChange, total: deployments.length, newestAt: deployments[0]?.createdAt ?? null };
    }
    if (wanted.releases) {
      const total = releases.length;
      found.releases = { ...change(releases, (one) => one.publishedAt ?? 0, wanted.releases.since), total };
    }
    return found;
  },
});
