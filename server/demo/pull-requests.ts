import { isRevertTitle } from '../metrics/delivery/failure-fixes.ts';
import type { OpenPullRequest, Review, ReviewClockEvent } from '../metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import type { RandomStream } from '../metrics/kernel/random-stream.ts';
import { day, hour, minute, second } from './calendar.ts';
import type { DeliveryPlan } from './delivery-plans.ts';
import { around, between, hexDigits, pickOne } from './random.ts';
import { personAt } from './team.ts';

/** A pull request of the sample world, with the commit of main that it became. */
export interface WorldPullRequest extends OpenPullRequest {
  reviews: Review[];
  clock: ReviewClockEvent[];
  mergeSha: string | null;
}

/** Where and among whom pull requests are made. */
export interface Setting {
  seed: string;
  now: Instant;
  plan: DeliveryPlan;
  cast: { people: Actor[]; bot: Actor };
}

/** A push to main that merges a pull request. */
export interface Merge {
  sha: string;
  at: Instant;
  by: Actor | null;
  title: string;
}

/** Since when changes get through faster, where they do: six weeks and a half. */
export const improvedSince = (now: Instant): Instant => now - 45 * day;

/** The pull request that a push to main merged. Its number is given later. */
export function mergedPullRequest(setting: Setting, merge: Merge, random: RandomStream): WorldPullRequest {
  const kind = pickKind(setting, random);
  const author = pickAuthor(setting, merge, kind, random);
  const title = pickTitle(kind, merge.title, random);
  const reviewer = pickReviewer(setting, author, random);
  const times = pickTimes(setting, { kind, mergedAt: merge.at, reviewer }, random);
  const reviews = createReviews({ key: merge.sha, author, reviewer, times }, setting, random);
  return {
    ...blank(title, author, times.createdAt, merge.sha),
    ...pickSize(kind, random),
    state: 'merged',
    updatedAt: merge.at,
    closedAt: merge.at,
    mergedAt: merge.at,
    mergedBy: merge.by,
    mergeSha: merge.sha,
    headBranch: pickBranch(kind, title, random),
    labels: pickLabels(kind, random),
    firstCommitAt: times.firstCommitAt,
    lastPushAt: reviews.lastPushAt,
    reviews: reviews.reviews,
    clock: reviews.clock,
    reviewDecision: reviews.reviews.some((one) => one.state === 'approved') ? 'approved' : null,
  };
}

/** One that was given up, some days after it was opened. */
export function abandonedPullRequest(setting: Setting, merge: Merge, random: RandomStream): WorldPullRequest {
  const made = mergedPullRequest(setting, { ...merge, sha: `${merge.sha} given up` }, random);
  const ended = { state: 'closed', mergedAt: null, mergedBy: null, mergeSha: null, reviewDecision: null } as const;
  const reviews = made.reviews.filter((one) => one.state !== 'approved');
  return { ...made, ...ended, reviews, title: pickOne(random, givenUp), isRevert: false };
}

const givenUp = ['Try another map library', 'Rewrite the queue', 'Store tides as text', 'Move to a monorepo'];

type Kind = 'usual' | 'bot' | 'hotfix' | 'revert' | 'big';

function pickKind({ plan }: Setting, random: RandomStream): Kind {
  const luck = random();
  if (luck < plan.hotfixes) return luck < plan.hotfixes / 3 ? 'revert' : 'hotfix';
  if (luck > 0.9) return 'bot';
  return luck > 0.85 ? 'big' : 'usual';
}

/** Three in ten merge their own. */
function pickAuthor({ cast }: Setting, { by, at }: Merge, kind: Kind, random: RandomStream): Actor | null {
  const other = personAt(random, cast.people, at);
  const own = random() < 0.3;
  if (kind === 'bot') return cast.bot;
  return own ? by : other;
}

/** null when nobody is to look at it. */
function pickReviewer({ plan, cast }: Setting, author: Actor | null, random: RandomStream): Actor | null {
  const [luck, choice] = [random(), random()];
  if (luck > (author?.isBot ? 0.3 : plan.reviewed)) return null;
  const main = cast.people.find((one) => one.login === plan.mainReviewer);
  if (main && main.login !== author?.login && choice < 0.68) return main;
  return pickOne(
    random,
    cast.people.filter((one) => one.login !== author?.login),
  );
}

interface Times {
  firstCommitAt: Instant;
  createdAt: Instant;
  /** null when it was no draft. */
  readyAt: Instant | null;
  reviewedAt: Instant | null;
  approvedAt: Instant | null;
}

function pickTimes(
  { plan, now }: Setting,
  { kind, mergedAt, reviewer }: { kind: Kind; mergedAt: Instant; reviewer: Actor | null },
  random: RandomStream,
): Times {
  const slow = plan.improves && mergedAt < improvedSince(now) ? 4 : 1;
  const hurry = kind === 'hotfix' || kind === 'revert' ? 0.1 : 1;
  const busy = reviewer?.login === plan.mainReviewer ? 1.4 : 0.7;
  const lasting = (hours: number) => floorToSecond(hours * slow * hurry * around(random, 0.45) * hour);
  const [code, pickup, review, merge] = [lasting(4), lasting(5 * busy), lasting(2.5), lasting(1.2)];
  const draft = random() < 0.2 ? lasting(7) : null;
  const approvedAt = reviewer ? mergedAt - merge : null;
  const reviewedAt = approvedAt === null ? null : approvedAt - review;
  const startedAt = (reviewedAt ?? mergedAt - merge) - pickup;
  const createdAt = startedAt - (draft ?? 0);
  const readyAt = draft === null ? null : startedAt;
  return { firstCommitAt: createdAt - code, createdAt, readyAt, reviewedAt, approvedAt };
}

interface Story {
  key: string;
  author: Actor | null;
  reviewer: Actor | null;
  times: Times;
}

/** One look is enough for most; for others changes are requested, pushed, and looked at again. */
function createReviews({ key, author, reviewer, times }: Story, { cast }: Setting, random: RandomStream) {
  const { createdAt, readyAt, reviewedAt, approvedAt } = times;
  const start = readyAt ?? createdAt;
  const [luck, gone, again] = [random(), random() < 0.01, random() < 0.5];
  const who = gone ? null : reviewer;
  const heads = [hexDigits(`${key} head 1`, 40), hexDigits(`${key} head`, 40)];
  const review = (state: Review['state'], at: Instant, head: number, by = who): Review => ({
    id: `RV_${hexDigits(`${key} ${at} ${state}`, 14)}`,
    reviewer: by,
    state,
    submittedAt: at,
    commitSha: heads[head] ?? null,
    comments: state === 'approved' ? 0 : between(random, 1, 6),
  });
  const clock: ReviewClockEvent[] = readyAt === null ? [] : [{ kind: 'ready_for_review', at: readyAt, login: null }];
  const reviews: Review[] = luck > 0.9 && !author?.isBot ? [review('commented', start + 5 * minute, 1, cast.bot)] : [];
  if (!reviewer || reviewedAt === null || approvedAt === null) return { reviews, clock, lastPushAt: start };
  clock.push({ kind: 'review_requested', at: start + 2 * second, login: reviewer.login });
  if (luck > 0.45) return { reviews: [...reviews, review('approved', reviewedAt, 1)], clock, lastPushAt: start };
  const pushedAt = reviewedAt + floorToSecond((approvedAt - reviewedAt) * 0.6);
  reviews.push(review(luck < 0.28 ? 'changes_requested' : 'commented', reviewedAt, 0));
  if (again) clock.push({ kind: 'review_requested', at: pushedAt, login: reviewer.login });
  else clock.push({ kind: 'pushed', at: pushedAt, login: null });
  return { reviews: [...reviews, review('approved', approvedAt, 1)], clock, lastPushAt: pushedAt };
}

/** A pull request of which nothing is known yet but who opened it and when. */
export const blank = (title: string, author: Actor | null, createdAt: Instant, key: string): WorldPullRequest => ({
  number: 0,
  title,
  isRevert: isRevertTitle(title),
  author,
  state: 'open',
  isDraft: false,
  createdAt,
  updatedAt: createdAt,
  closedAt: null,
  mergedAt: null,
  mergedBy: null,
  mergeSha: null,
  baseBranch: 'main',
  headBranch: branchName(title),
  headSha: hexDigits(`${key} head`, 40),
  labels: [],
  additions: 40,
  deletions: 12,
  changedFiles: 3,
  commitCount: 2,
  firstCommitAt: createdAt - 2 * hour,
  reviews: [],
  reviewsTruncated: false,
  clock: [],
  mergeQueue: { events: [], mergeSha: null, parentSha: null },
  htmlUrl: '#',
  mergeable: 'unknown',
  reviewDecision: null,
  requestedReviewers: [],
  requestedTeams: [],
  lastPushAt: createdAt,
});

export function pickSize(kind: Kind, random: RandomStream) {
  const factor = { usual: 1, bot: 0.1, hotfix: 0.2, revert: 0.5, big: 18 }[kind];
  const additions = Math.max(1, Math.round(70 * factor * around(random, 0.6)));
  const deletions = Math.round(additions * (kind === 'revert' ? 1.4 : 0.4) * random());
  const changedFiles = Math.max(1, Math.round(additions / 24));
  return { additions, deletions, changedFiles, commitCount: kind === 'bot' ? 1 : between(random, 1, 7) };
}

function pickTitle(kind: Kind, title: string, random: RandomStream): string {
  if (kind === 'revert') return `Revert "${title}"`;
  if (kind !== 'bot') return title;
  return `Raise ${pickOne(random, ['the map library', 'the test runner', 'the date parser', 'the type checker'])}`;
}

const branchName = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function pickBranch(kind: Kind, title: string, random: RandomStream): string {
  const name = branchName(title);
  if (kind === 'hotfix') return `hotfix/${name}`;
  if (kind === 'bot') return `tide-updates/${name}-${between(random, 2, 60)}`;
  return kind === 'revert' ? `revert-${between(random, 100, 900)}-${name}` : name;
}

function pickLabels(kind: Kind, random: RandomStream): string[] {
  if (kind === 'bot') return ['dependencies'];
  if (kind === 'hotfix') return random() < 0.4 ? ['incident'] : ['bug'];
  return random() < 0.4 ? [pickOne(random, ['feature', 'bug', 'upkeep'])] : [];
}

const floorToSecond = (milliseconds: number) => Math.round(milliseconds / second) * second;
