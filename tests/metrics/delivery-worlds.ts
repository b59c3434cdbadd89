import type {
  Commit,
  Deployment,
  DeploymentState,
  Issue,
  OpenPullRequest,
  PullRequest,
  Release,
  Review,
  ReviewClockEvent,
  ReviewState,
} from '../../server/metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import type { IdentityLink } from '../../server/metrics/people/people.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import {
  aCommit,
  aDeployment,
  anActor,
  anIssue,
  anOpenPullRequest,
  aPullRequest,
  aReview,
} from './delivery-builders.ts';
import { aRun, day, hour, minute, randomOf } from './worlds.ts';

export interface DeliveryWorld {
  now: Instant;
  timezone: string;
  links: IdentityLink[];
  pullRequests: PullRequest[];
  openPullRequests: OpenPullRequest[];
  releases: Release[];
  commits: Commit[];
  directories: Map<string, string[]>;
  deployments: Deployment[];
  issues: Issue[];
  runs: MeasuredRun[];
}

/** A repository's half year in no order, with aliases, bots, deleted accounts, ties and oddities. The same for the same seed. */
export function deliveryWorld(seed: number): DeliveryWorld {
  return makeWorld(diceOf(seed));
}

/** The same facts in another order. */
export function shuffled(world: DeliveryWorld, seed: number): DeliveryWorld {
  const dice = diceOf(seed);
  const mixed = Object.entries(world).map(([key, value]) => [key, Array.isArray(value) ? dice.mix(value) : value]);
  return Object.fromEntries(mixed);
}

interface Dice {
  upTo(most: number): number;
  pick<Item>(...items: Item[]): Item;
  list<Item>(most: number, make: (index: number) => Item): Item[];
  mix<Item>(items: Item[]): Item[];
  chance(share: number): boolean;
}

function diceOf(seed: number): Dice {
  const next = randomOf(seed);
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  const pick = <Item>(...items: Item[]): Item => items[upTo(items.length - 1)] as Item;
  const list = <Item>(most: number, make: (index: number) => Item) =>
    Array.from({ length: upTo(most) }, (_, n) => make(n));
  const mix = <Item>(items: Item[]) =>
    items
      .map((item) => ({ item, place: next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
  return { upTo, pick, list, mix, chance: (share) => next() < share };
}

const logins = ['ana', 'ANA', 'ana-old', 'ben', 'ben-2', 'cy', 'dependabot[bot]', 'dependabot', 'renovate', 'own-ci'];
const zones = ['Asia/Saigon', 'Europe/Berlin', 'America/St_Johns', 'UTC'];

function makeWorld(dice: Dice): DeliveryWorld {
  const now = Date.UTC(2026, 0, 1) + dice.upTo(364) * day + dice.upTo(1440) * minute;
  const habit = dice.pick(0, 0, 0.95);
  const who = (): Actor | null => {
    if (dice.chance(habit)) return anActor('ana');
    return dice.chance(0.1) ? null : anActor(dice.pick('ana', 'ben', 'cy', ...logins));
  };
  const links = [
    { alias: 'ana-old', primary: 'ana' },
    { alias: 'ana maria', primary: 'ana' },
    { alias: 'ben-2', primary: 'Ben' },
  ].filter(() => dice.chance(0.8));
  const busy = dice.pick(2, 30, 50);
  const pace = dice.pick(0, 40, 400, 3000);
  const silence = dice.pick(0, 0, 15);
  const commits = dice.list(dice.pick(6, 60, 60), (n) => makeCommit(dice, who, now - silence * day, n));
  return {
    now,
    timezone: dice.pick(...zones),
    links,
    pullRequests: dice.list(busy, (n) => makePullRequest(dice, who, now, n + 1, pace)),
    openPullRequests: dice.list(12, (n) => makeOpen(dice, who, now, n + 100)),
    releases: dice.list(dice.pick(0, 8), (n) => makeRelease(dice, now, n)),
    commits,
    directories: new Map(
      commits.filter(() => dice.chance(0.9)).map(({ sha }) => [sha, dice.list(3, () => makeDirectory(dice))]),
    ),
    deployments: dice.list(dice.pick(3, 60), (n) => makeDeployment(dice, now, n)),
    issues: dice.list(20, (n) => makeIssue(dice, who, now, n + 1)),
    runs: dice.list(40, (n) => makeRun(dice, who, now, n + 1)),
  };
}

function makePullRequest(dice: Dice, who: () => Actor | null, now: Instant, number: number, pace = 400): PullRequest {
  const createdAt = now - dice.upTo(dice.pick(30, 110)) * day - dice.upTo(24 * 60) * minute;
  const end = Math.min(
    now,
    createdAt + Math.min(dice.pick(-2, 0, 1, 5, 30, 200), pace) * hour + dice.upTo(90) * minute,
  );
  const fate = dice.pick('merged', 'merged', 'merged', 'closed', 'open');
  const author = who();
  return aPullRequest({
    number,
    author,
    isRevert: dice.pick(false, false, true, false, true),
    createdAt,
    mergedAt: fate === 'merged' ? end : null,
    closedAt: fate === 'open' ? null : end,
    mergedBy: fate === 'merged' ? dice.pick(author, who()) : null,
    baseBranch: dice.pick('main', 'main', 'main', 'main', 'release'),
    headBranch: dice.pick('topic', 'a/b', 'hotfix/a', 'revert-1-b', 'ana/hotfix-c', 'feature/revert-x', 'hotfixes'),
    labels: dice.pick([], [], [], ['bug'], ['Hotfix']),
    additions: dice.upTo(300),
    deletions: dice.upTo(40),
    firstCommitAt: dice.pick(
      null,
      createdAt - dice.upTo(pace) * hour,
      createdAt - dice.upTo(pace) * hour,
      createdAt - 181 * day,
      createdAt + 3 * hour,
    ),
    reviews: dice.list(4, () => makeReview(dice, who, createdAt)),
    reviewsTruncated: dice.chance(0.1),
    clock: dice.list(4, () => makeClock(dice, createdAt)),
  });
}

function makeReview(dice: Dice, who: () => Actor | null, createdAt: Instant): Review {
  const at = createdAt + dice.upTo(dice.pick(4, 60)) * hour - dice.pick(0, 0, 0, 0, hour) + dice.upTo(59) * minute;
  const state = dice.pick<ReviewState>('approved', 'approved', 'commented', 'changes_requested', 'dismissed');
  return { ...aReview(null, state, at, dice.pick('a', 'b', 'c')), id: String(dice.upTo(1e9)), reviewer: who() };
}

function makeClock(dice: Dice, createdAt: Instant): ReviewClockEvent {
  const kind = dice.pick<ReviewClockEvent['kind']>(
    'ready_for_review',
    'converted_to_draft',
    'review_requested',
    'review_requested',
    'pushed',
  );
  const login = kind === 'review_requested' ? dice.pick(null, ...logins) : null;
  return { kind, at: createdAt + dice.upTo(dice.pick(4, 60)) * hour, login };
}

function makeOpen(dice: Dice, who: () => Actor | null, now: Instant, number: number): OpenPullRequest {
  const createdAt = now - dice.pick(dice.upTo(400), 24, 72, 120, 168, 336) * hour;
  const lastPushAt = dice.pick(null, createdAt + dice.upTo(60) * hour);
  return anOpenPullRequest({
    ...makePullRequest(dice, who, now, number),
    createdAt,
    state: 'open',
    mergedAt: null,
    closedAt: null,
    mergedBy: null,
    isDraft: dice.chance(0.25),
    reviews: dice.list(dice.pick(0, 4), () => makeReview(dice, who, createdAt)),
    clock: dice.list(dice.pick(0, 4), () => makeClock(dice, createdAt)),
    reviewDecision: dice.pick(null, null, 'approved', 'changes_requested', 'review_required'),
    lastPushAt,
  });
}

function makeRelease(dice: Dice, now: Instant, n: number): Release {
  const publishedAt = now - dice.upTo(110) * day;
  return { tag: `v${n}`, publishedAt, isPrerelease: dice.chance(0.2), isDraft: dice.chance(0.1), htmlUrl: '' };
}

function makeCommit(dice: Dice, who: () => Actor | null, now: Instant, n: number): Commit {
  const committedAt = now - dice.upTo(dice.pick(13, 100)) * day - dice.upTo(24 * 60) * minute;
  return aCommit({
    sha: `sha-${n}`,
    author: dice.chance(0.15) ? null : (who() ?? anActor('cy')),
    authorName: dice.pick('Ana Maria', 'Kim', 'kim', 'some[bot]', 'Lee'),
    committedAt,
    authoredAt: committedAt - dice.pick(0, 0, 3 * hour),
    parents: dice.pick(1, 1, 1, 1, 1, 0, 2),
    changedFiles: dice.pick(null, 3, 100, 101),
  });
}

function makeDirectory(dice: Dice): string {
  const deep = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, dice.upTo(6));
  return dice.pick('', 'src', 'src/lib', 'src/lib/x', 'docs', 'web/dist', 'vendor', ['src', 'lib', ...deep].join('/'));
}

function makeDeployment(dice: Dice, now: Instant, n: number): Deployment {
  const createdAt = now - dice.upTo(40 * 24) * hour;
  const states: DeploymentState[] = ['success', 'success', 'failure', 'error', 'inactive', 'pending', 'in_progress'];
  const statuses = dice.list(3, () => ({ state: dice.pick(...states), at: createdAt + dice.upTo(300) * minute }));
  const environment = dice.pick('production', 'production', 'Production — app', 'prod-eu', 'domain', 'pre-production');
  const sha = `sha-${dice.upTo(6)}`;
  return { ...aDeployment(n, createdAt), environment: dice.chance(0.5) ? 'staging' : environment, sha, statuses };
}

function makeIssue(dice: Dice, who: () => Actor | null, now: Instant, number: number): Issue {
  const createdAt = now - dice.pick(dice.upTo(2400), 7 * 24, 30 * 24, 90 * 24, 14 * 24) * hour;
  const closedAt = dice.chance(0.4) ? Math.min(now, createdAt + (dice.upTo(900) - 5) * hour) : null;
  const names = dice.mix(['bug', 'docs', 'ui', 'api', 'good first issue']).slice(0, dice.upTo(2));
  return anIssue({
    number,
    createdAt,
    closedAt,
    updatedAt: Math.max(createdAt, now - dice.pick(dice.upTo(1500), 30 * 24) * hour),
    closeReason: closedAt === null ? null : dice.pick('completed', 'not_planned', null),
    closedByBot: closedAt !== null && dice.chance(0.3),
    author: who(),
    labels: names.map((name) => ({ name, color: 'ededed' })),
    assignees: dice.list(2, () => dice.pick(...logins)),
    comments: dice.pick(0, 0, 1, 7),
  });
}

function makeRun(dice: Dice, who: () => Actor | null, now: Instant, id: number): MeasuredRun {
  const createdAt = now - dice.upTo(30 * 24) * hour;
  const attempt = dice.pick(1, 1, 1, 2);
  const startedAt = createdAt + dice.upTo(40) * minute;
  return aRun({
    id,
    attempt,
    createdAt,
    startedAt,
    updatedAt: startedAt + dice.upTo(90) * minute,
    event: dice.pick('push', 'pull_request', 'schedule'),
    status: dice.pick('completed', 'completed', 'completed', 'in_progress'),
    conclusion: dice.pick('success', 'success', 'failure', 'cancelled', 'timed_out'),
    actor: who(),
    triggeringActor: who(),
  });
}
