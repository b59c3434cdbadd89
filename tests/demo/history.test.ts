import { expect, test } from 'vitest';
import type { WorldPullRequest } from '../../server/demo/pull-requests.ts';
import { makeWorld, type World, type WorldRepository } from '../../server/demo/world.ts';
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';

const morning = Date.parse('2026-11-18T03:15:00Z');
const hour = 3_600_000;
const day = 24 * hour;
const week = [0, 1, 2, 3, 4, 5, 6].map((later) => makeWorld({ seed: 'demo', now: morning + later * day }));
const world = week[0] as World;

const named = (repo: string, on = world) =>
  on.repositories.find((one) => one.repository.repo === repo) as WorldRepository;
const merged = (one: WorldRepository) => one.pullRequests.filter(({ state }) => state === 'merged');
const open = (one: WorldRepository) => one.pullRequests.filter(({ state }) => state === 'open');
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const isHuman = (login: string | undefined) => login !== undefined && !login.endsWith('[bot]');

test('pull requests happen in an order that can be, before now', () => {
  for (const { now, repositories } of week)
    for (const one of repositories.flatMap(({ pullRequests }) => pullRequests)) {
      const end = one.closedAt ?? now;
      expect(one.firstCommitAt ?? 0).toBeLessThan(one.createdAt);
      expect(one.createdAt).toBeLessThan(end);
      expect(one.updatedAt).toBeLessThanOrEqual(now);
      expect([one.mergedAt ?? one.closedAt, one.closedAt === null]).toEqual([one.closedAt, one.state === 'open']);
      expect(one.isDraft && one.state !== 'open').toBe(false);
      const times = [...one.reviews.map((each) => each.submittedAt), ...one.clock.map((each) => each.at)];
      for (const at of times) {
        expect(at).toBeGreaterThanOrEqual(one.createdAt);
        expect(at).toBeLessThanOrEqual(end);
        expect(at % 1000).toBe(0);
      }
      expect([one.createdAt % 1000, (one.firstCommitAt ?? 0) % 1000, end % 1000]).toEqual([0, 0, 0]);
    }
});

test('reviews are sent, by others than the author, and each has its own id', () => {
  const states = new Set<string>();
  for (const { pullRequests } of world.repositories) {
    const reviews = pullRequests.flatMap((one) => one.reviews.map((review) => ({ ...review, one })));
    expect(new Set(reviews.map((each) => each.id)).size).toBe(reviews.length);
    for (const { reviewer, state, one, submittedAt } of reviews) {
      states.add(state);
      if (reviewer) expect(reviewer.login).not.toBe(one.author?.login);
      expect(submittedAt).toEqual(expect.any(Number));
    }
  }
  expect([...states].sort()).toEqual(['approved', 'changes_requested', 'commented']);
});

test('pull requests and issues share one row of numbers, and the counts agree with the lists', () => {
  for (const { repositories } of week)
    for (const one of repositories) {
      const all = [...one.pullRequests, ...one.issues].sort((a, b) => a.number - b.number);
      expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
      const created = all.map(({ createdAt }) => createdAt);
      expect(created).toEqual([...created].sort((a, b) => a - b));
      expect(one.state.openPullRequests).toBe(open(one).length);
      const openIssues = one.issues.filter(({ closedAt }) => closedAt === null).length;
      expect(one.state.openIssues ?? 0).toBe(openIssues);
    }
});

const twice = new Set(['App tests', 'Unit tests', 'Screenshot tests', 'Static analysis']);

test('runs are of the commits and pull requests there are', () => {
  for (const one of world.repositories) {
    const commits = new Map(one.commits.map((commit) => [commit.sha, commit]));
    const pulls = new Map(one.pullRequests.map((pull) => [pull.number, pull]));
    expect(commits.size).toBe(one.commits.length);
    const proposed = new Set(one.runs.flatMap(({ event, headSha }) => (event === 'pull_request' ? headSha : [])));
    for (const run of one.runs) {
      if (run.event === 'workflow_dispatch') expect(run.headBranch).toBe('main');
      // These also run for pushes to the branches of pull requests, or did so once.
      const isTwin = run.event === 'push' && run.headBranch !== 'main';
      if (isTwin) expect([twice.has(run.workflowName ?? ''), proposed.has(run.headSha)]).toEqual([true, true]);
      if (run.event === 'push' && !isTwin) {
        expect(run.displayTitle).toBe(commits.get(run.headSha)?.message);
        expect(commits.get(run.headSha)?.committedAt).toBeLessThan(run.createdAt);
      }
      if (run.event !== 'pull_request' && !isTwin) continue;
      const pull = pulls.get(run.pullRequests[0]?.number ?? 0);
      expect([run.headBranch, run.actor?.login, run.displayTitle]).toEqual([
        pull?.headBranch,
        pull?.author?.login,
        pull?.title,
      ]);
      expect(pull?.createdAt).toBeLessThan(run.createdAt);
      expect(pull?.closedAt ?? world.now).toBeGreaterThanOrEqual(run.createdAt);
    }
    for (const pull of merged(one)) expect(commits.get(pull.mergeSha ?? '')?.committedAt).toBe(pull.mergedAt);
  }
});

test.each(week.map((one): [string, World] => [new Date(one.now).toISOString().slice(0, 10), one]))(
  'on %s the first repository tells its stories',
  (_, on) => {
    const site = named('tidewater-web', on);
    const lead = (one: PullRequest) => ((one.mergedAt ?? 0) - (one.firstCommitAt ?? 0)) / hour;
    const since = on.now - 45 * day;
    const before = median(merged(site).flatMap((one) => ((one.mergedAt ?? 0) < since ? lead(one) : [])));
    const after = median(merged(site).flatMap((one) => ((one.mergedAt ?? 0) >= since ? lead(one) : [])));
    expect(after).toBeLessThan(before / 2);

    const reviewers = merged(site).flatMap(({ reviews }) => reviews.map((one) => one.reviewer?.login));
    const human = reviewers.filter(isHuman);
    expect(human.filter((login) => login === 'mira-okafor').length).toBeGreaterThan(human.length * 0.5);

    const tides = site.commits.filter(({ files }) => files.some((path) => path.startsWith('src/tides/')));
    expect(tides.filter((one) => one.authorName === 'elsa-lind').length).toBeGreaterThan(tides.length * 0.85);

    const production = site.deployments.filter((one) => one.environment === 'production');
    const states = production.filter((one) => one.createdAt > on.now - 30 * day).map((one) => one.statuses?.[1]?.state);
    expect(states).toEqual(expect.arrayContaining(['success', 'failure']));
    const failed = states.lastIndexOf('failure');
    expect(states.slice(0, failed)).toContain('success');
    expect(site.deployments.some((one) => one.statuses?.at(-1)?.state === 'in_progress')).toBe(true);
  },
);

test('people work together in every way that is to be measured', () => {
  const pulls = merged(named('tidewater-web'));
  const count = (fits: (one: WorldPullRequest) => boolean) => pulls.filter(fits).length;
  expect(pulls.length).toBeGreaterThan(300);
  expect(count((one) => one.author?.isBot === true)).toBeGreaterThan(20);
  expect(count((one) => one.author !== null && one.mergedBy?.login === one.author.login)).toBeGreaterThan(50);
  expect(count((one) => one.reviews.every(({ reviewer }) => reviewer?.isBot))).toBeGreaterThan(30);
  expect(count((one) => one.reviews.map(({ state }) => state).join() === 'changes_requested,approved')).toBeGreaterThan(
    30,
  );
  expect(count((one) => one.clock.some(({ kind }) => kind === 'ready_for_review'))).toBeGreaterThan(40);
  expect(count((one) => one.clock.filter(({ kind }) => kind === 'review_requested').length > 1)).toBeGreaterThan(20);
  expect(count((one) => one.clock.some(({ kind }) => kind === 'pushed'))).toBeGreaterThan(20);
  expect(count((one) => one.headBranch.startsWith('hotfix/'))).toBeGreaterThan(3);
  expect(count((one) => one.title?.startsWith('Revert "') ?? false)).toBeGreaterThan(0);
  expect(pulls.every((one) => one.isRevert === one.title?.startsWith('Revert "'))).toBe(true);
  expect(count((one) => one.additions + one.deletions > 1000)).toBeGreaterThan(8);
  const given = named('tidewater-web').pullRequests.filter((one) => one.state === 'closed');
  expect(given.length).toBeGreaterThan(15);
  const hurried = (one: WorldRepository) =>
    merged(one).filter(({ headBranch }) => /^(hotfix|revert)/.test(headBranch)).length / merged(one).length;
  expect(hurried(named('harbor-gateway'))).toBeGreaterThan(3 * hurried(named('tidewater-web')));
});

test('open pull requests are of every age and wait for everything', () => {
  const pulls = open(named('tidewater-web'));
  const ages = pulls.map((one) => (world.now - one.createdAt) / day);
  for (const [from, to] of [
    [0, 1],
    [1, 3],
    [3, 7],
    [7, 14],
    [14, 99],
  ] as const)
    expect(ages.some((age) => age >= from && age < to)).toBe(true);
  expect(new Set(pulls.map((one) => one.reviewDecision))).toEqual(
    new Set(['approved', 'changes_requested', 'review_required', null]),
  );
  expect(pulls.some((one) => one.isDraft)).toBe(true);
  expect(pulls.some((one) => one.author?.isBot)).toBe(true);
  expect(pulls.some((one) => one.mergeable === 'conflicting')).toBe(true);
  expect(pulls.some((one) => one.requestedTeams.length > 0)).toBe(true);
  const busy = pulls.filter((one) => one.author?.login === 'tuan-pham' && !one.isDraft);
  expect(busy.length).toBeGreaterThanOrEqual(4);
});

test('commits are by people with their own clocks, by bots, and by somebody without an account', () => {
  const { commits } = named('tidewater-web');
  const times = commits.map(({ committedAt }) => committedAt);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(commits.every((one) => one.authoredAt <= one.committedAt && one.committedAt <= world.now)).toBe(true);
  expect(commits.filter((one) => one.author === null && one.authorName === 'Quay Terminal 3').length).toBeGreaterThan(
    5,
  );
  expect(commits.some((one) => one.author?.isBot)).toBe(true);
  expect(commits.filter((one) => one.parents === 2).length).toBeGreaterThan(20);
  expect(new Set(commits.map(({ zone }) => zone)).size).toBeGreaterThan(4);
  const local = commits
    .filter((one) => one.authorName === 'elsa-lind')
    .map((one) => new Date(one.authoredAt + hour).getUTCHours());
  expect(local.filter((clock) => clock >= 6 && clock < 16).length).toBeGreaterThan(local.length * 0.6);
  expect(named('new-pier')).toMatchObject({ commits: [], pullRequests: [], issues: [], deployments: [], releases: [] });
});

test('of the deployments to an environment one at most is out', () => {
  for (const { now, repositories } of week)
    for (const { deployments, commits } of repositories) {
      const shas = new Set(commits.map(({ sha }) => sha));
      const out = deployments.filter((one) => one.statuses?.at(-1)?.state === 'success');
      expect(new Set(out.map((one) => one.environment)).size).toBe(out.length);
      expect(new Set(deployments.map(({ id }) => id)).size).toBe(deployments.length);
      for (const { statuses: known, createdAt, environment, sha } of deployments) {
        const statuses = known ?? [];
        const times = [createdAt, ...statuses.map(({ at }) => at)];
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(times.at(-1)).toBeLessThanOrEqual(now);
        const states = statuses.map(({ state }) => state);
        if (states.includes('inactive')) expect(states.indexOf('inactive')).toBeGreaterThan(states.indexOf('success'));
        if (!environment.startsWith('preview-')) expect(shas).toContain(sha);
      }
    }
  const environments = new Set(named('tidewater-web').deployments.map((one) => one.environment));
  expect([...environments]).toEqual(expect.arrayContaining(['staging', 'production']));
  expect(environments.size).toBe(8);
  expect(named('beacon-api').deployments).toEqual([]);
  const stale = named('pilot-mobile').deployments;
  expect([stale.length, (world.now - (stale[0]?.createdAt ?? 0)) / day]).toEqual([36, 58]);
});

test('releases follow each other, with trials between', () => {
  const { releases } = named('tidewater-web');
  const published = releases.map(({ publishedAt }) => publishedAt ?? 0);
  expect(published).toEqual([...published].sort((a, b) => b - a));
  expect(published[0]).toBeLessThanOrEqual(world.now);
  expect(releases.filter((one) => !one.isPrerelease).length).toBeGreaterThan(12);
  expect(releases.some((one) => one.isPrerelease)).toBe(true);
  expect(new Set(releases.map(({ tag }) => tag)).size).toBe(releases.length);
  expect(named('harbor-gateway').releases).toEqual([]);
});

test('issues are answered or forgotten, closed by people or swept by a bot', () => {
  const { issues } = named('tidewater-web');
  const openOnes = issues.filter((one) => one.closedAt === null);
  const closed = issues.filter((one) => one.closedAt !== null);
  expect([openOnes.length, closed.length]).toEqual([31, 60]);
  expect(openOnes.filter((one) => one.comments === 0 && one.createdAt < world.now - 14 * day).length).toBeGreaterThan(
    2,
  );
  expect(openOnes.filter((one) => one.updatedAt < world.now - 30 * day).length).toBeGreaterThan(4);
  expect(openOnes.some((one) => one.labels?.length === 0)).toBe(true);
  expect(openOnes.some((one) => one.assignees?.length === 0)).toBe(true);
  expect(closed.some((one) => one.closedByBot && one.closeReason === 'not_planned')).toBe(true);
  for (const one of issues) {
    expect(one.updatedAt).toBeGreaterThanOrEqual(one.createdAt);
    expect(one.updatedAt).toBeLessThanOrEqual(world.now);
    if (one.closedAt !== null) expect(one.closedAt).toBeGreaterThan(one.createdAt);
  }
  expect(named('anchor-charts').state.openIssues).toBeNull();
});
