import fc from 'fast-check';
import type { Instant } from '../../server/metrics/kernel/facts.ts';
import { aCommit, aFile, anActor } from '../codehost-double/delivery-builders.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import type { Service } from '../support/service.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** People, an older account of `ana`, and bots. */
const logins = ['ana', 'bob', 'cy', 'ana-old', 'dependabot[bot]', 'helper[bot]'];
const states = ['approved', 'changes_requested', 'commented', 'dismissed'] as const;
const outcomes = ['success', 'failure', 'error', 'in_progress'] as const;

const kinds = [
  'open',
  'review',
  'push',
  'merge',
  'merge',
  'close',
  'reopen',
  'retitle',
  'label',
  'commit',
  'rewrite',
  'open issue',
  'close issue',
  'reopen issue',
  'move issue',
  'deploy',
  'status',
  'undeploy',
  'release',
  'publish',
  'unrelease',
  'burst',
  'branch',
] as const;

/** Something that happens to a repository; `which` and `who` choose among what there is then. */
export const happening = fc.record({
  kind: fc.constantFrom(...kinds),
  which: fc.nat(1000),
  who: fc.nat(1000),
  hoursAgo: fc.constantFrom(0, 0, 1, 40),
});

export type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

/** A repository of organization octo that changes, with a past of pull requests, issues, deployments and releases. */
export function movingRepository(service: Service, number: number, pullRequests: number) {
  const { double } = service;
  const name = `octo/moving-${number}`;
  const start = service.clock.now();
  double.addRepository({ name, facts: { id: 60_000 + number, createdAt: namedNow - 400 * day } });
  const repository = repositoryOf(double.world, name);
  let next = 1;
  const actor = (who: number) => (who % 13 === 0 ? null : anActor(logins[who % logins.length] as string));
  const of = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)];

  const open = (who: number, at: Instant, more = {}) =>
    double.putPullRequest(name, { number: next++, author: actor(who), createdAt: at, updatedAt: at, ...more });
  /** An older one comes with the merge of its branch. */
  const commit = (which: number, who: number, now: Instant, hoursAgo: number) => {
    const put = (at: Instant, parents: number) => {
      const files = [aFile(`src/${of(['pay', 'cart', 'shop'], which)}/a.ts`)];
      double.addCommit(name, aCommit(at, actor(who), `By hand ${next++}`, { files, parents }));
    };
    put(now - hoursAgo * hour, which % 7 === 0 ? 2 : 1);
    if (hoursAgo > 0) put(now, 2);
  };
  /** More than a page of one kind at once. */
  const burst = (which: number, now: Instant) => {
    const first = number * 10_000 + next;
    // None of what comes later has the number of one of these.
    next += 200;
    // No longer ago than readings overlap: the platform never reports afterwards of what was there an hour ago.
    const window = { from: now - 5 * minute, to: now, first };
    if (which % 4 === 0) double.addPullRequests(name, 60, window);
    if (which % 4 === 1) double.addIssues(name, 70, window);
    if (which % 4 === 2) double.addCommits(name, 130, window);
    if (which % 4 === 3) double.addDeployments(name, 60, window);
  };
  const happen = ({ kind, which, who, hoursAgo }: Happening, now: Instant) => {
    const opened = repository.pullRequests.filter(({ state }) => state === 'open');
    const pull = of(opened, which);
    const issue = of(repository.issues, which);
    // What the platform reports afterwards never happened before the thing itself.
    if (kind === 'open') open(who, now - hoursAgo * hour, { isDraft: who % 5 === 0 });
    if (kind === 'review' && pull)
      double.addReview(name, pull.number, {
        reviewer: actor(who),
        state: of(states, who + which) ?? 'commented',
        submittedAt: now,
      });
    if (kind === 'push' && pull) double.pushTo(name, pull.number, now);
    if (kind === 'merge' && pull) double.mergePullRequest(name, pull.number, { by: actor(which + who), at: now });
    if (kind === 'close' && pull) Object.assign(pull, { state: 'closed', closedAt: now, updatedAt: now });
    const closed = of(
      repository.pullRequests.filter(({ state }) => state === 'closed'),
      which,
    );
    if (kind === 'reopen' && closed) Object.assign(closed, { state: 'open', closedAt: null, updatedAt: now });
    const any = of(repository.pullRequests, which);
    if (kind === 'retitle' && any) Object.assign(any, { title: `Revert "${any.number}, ${now}"`, updatedAt: now });
    if (kind === 'label' && any) Object.assign(any, { labels: who % 2 ? ['incident'] : [], updatedAt: now });
    if (kind === 'commit') commit(which, who, now, hoursAgo);
    const gone = repository.commits.length > 1 && of(repository.commits, which);
    if (kind === 'rewrite' && gone) double.dropCommit(name, gone.sha);
    if (kind === 'open issue')
      double.putIssue(name, {
        number: next++,
        createdAt: now - hoursAgo * hour,
        updatedAt: now,
        author: actor(who),
        labels: who % 2 ? [{ name: 'bug', color: 'd73a4a' }] : [],
      });
    if (kind === 'close issue' && issue?.closedAt === null)
      double.closeIssue(name, issue.number, {
        at: now,
        by: anActor(logins[who % logins.length] as string),
        reason: who % 3 ? 'completed' : 'not_planned',
      });
    if (kind === 'reopen issue' && issue && issue.closedAt !== null)
      Object.assign(issue, { closedAt: null, closeReason: null, closedBy: null, updatedAt: now });
    if (kind === 'move issue' && issue) repository.issues.splice(repository.issues.indexOf(issue), 1);
    if (kind === 'deploy')
      double.putDeployment(name, {
        id: number * 10_000 + next++,
        createdAt: now,
        creator: actor(who),
        environment: who % 4 ? 'production' : 'staging',
      });
    const deployment = of(
      repository.deployments.filter(({ statuses }) => statuses.length < 3),
      which,
    );
    if (kind === 'status' && deployment)
      double.addDeploymentStatus(name, deployment.id, of(outcomes, who) ?? 'success', now);
    if (kind === 'undeploy' && deployment) repository.deployments.splice(repository.deployments.indexOf(deployment), 1);
    if (kind === 'release')
      double.putRelease(name, {
        id: next,
        tag: `v${next++}`,
        createdAt: now,
        isDraft: who % 3 === 0,
        isPrerelease: who % 5 === 0,
      });
    if (kind === 'unrelease') repository.releases.splice(which % Math.max(1, repository.releases.length), 1);
    if (kind === 'burst') burst(which, now);
    if (kind === 'branch') Object.assign(repository.facts, { defaultBranch: which % 2 ? 'main' : 'trunk' });
    const draft = of(
      repository.releases.filter(({ isDraft }) => isDraft),
      which,
    );
    if (kind === 'publish' && draft) Object.assign(draft, { isDraft: false, publishedAt: now });
  };
  for (let index = 0; index < pullRequests; index++) {
    const at = start - ((index * 1.4) % 100) * day - hour;
    const one = open(index, at - 5 * hour);
    if (index % 3)
      double.addReview(name, one.number, { reviewer: actor(index + 1), state: 'approved', submittedAt: at - hour });
    if (index % 4) double.mergePullRequest(name, one.number, { by: actor(index % 5), at });
    else if (index % 8) Object.assign(one, { state: 'closed', closedAt: at, updatedAt: at });
    if (index % 6 === 0)
      double.putIssue(name, { number: next++, createdAt: at - 9 * day, closedAt: index % 12 ? at : null });
    if (index % 3 === 0)
      double.putDeployment(name, {
        id: number * 10_000 + next++,
        createdAt: at,
        statuses: [{ state: index % 9 ? 'success' : 'failure', at: at + minute }],
      });
    if (index % 9 === 0) double.putRelease(name, { id: next, tag: `v${next++}`, createdAt: at });
  }
  return { name, repository, happen, query: `owner=octo&repo=moving-${number}` };
}

/** Every question about one repository whose answer is made of stored facts. */
export const factQuestions = (query: string): string[] =>
  [
    'repo-dora?',
    'repo-contributors?',
    'repo-contributors?days=30&',
    'repo-contributors?days=90&',
    'open-pr-health?',
    'issues?',
    'issues?days=90&',
    'deployments?',
    'bus-factor?',
    'team-workload-risk?',
    'team-workload-risk?days=30&',
    'team-workload-risk?days=90&',
  ].map((path) => `/api/codehost/${path}${query}`);

/** What an answer says, without from where and from when it is said. */
export function said({ generated_at, data_source, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

/** Asks with a token itself: sessions end while the clock is moved on for days. */
export const bearer = (token: string) => ({ headers: bearerOf(token) });
