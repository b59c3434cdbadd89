import type { Review } from '../metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../metrics/kernel/random-stream.ts';
import { day, hour, minute, second } from './calendar.ts';
import { commitTitles } from './commit-titles.ts';
import { blank, pickSize, type Setting, type WorldPullRequest } from './pull-requests.ts';
import { around, hexDigits, pickOne } from './random.ts';

/** What an open pull request waits for, and how old it is in days. */
interface OpenPlan {
  story: 'fresh' | 'author' | 'merge' | 'draft' | 'asked_again' | 'forgotten' | 'pushed' | 'bot' | 'talked';
  age: number;
}

const plans: OpenPlan[] = [
  { story: 'fresh', age: 0.3 },
  { story: 'author', age: 4 },
  { story: 'merge', age: 1.6 },
  { story: 'draft', age: 16 },
  { story: 'asked_again', age: 6 },
  { story: 'forgotten', age: 34 },
  { story: 'pushed', age: 2.4 },
  { story: 'bot', age: 9 },
  { story: 'talked', age: 60 },
  { story: 'draft', age: 0.8 },
  { story: 'forgotten', age: 12 },
];

/** The open pull requests of a repository: of every age, and waiting for everything one can wait for. */
export function openPullRequests(setting: Setting, count: number): WorldPullRequest[] {
  return Array.from({ length: count }, (_, index) =>
    openOne(setting, plans[index % plans.length] as OpenPlan, `${setting.seed} open ${index}`, index),
  );
}

function openOne(setting: Setting, { story, age }: OpenPlan, key: string, index: number): WorldPullRequest {
  const { now, cast, plan } = setting;
  const random = randomStream(key, now);
  const createdAt = now - Math.round((age * day * around(random, 0.06)) / second) * second;
  const busy = cast.people[1] as Actor;
  const author = story === 'bot' ? cast.bot : index % 2 === 0 ? busy : pickOne(random, cast.people);
  const others = cast.people.filter((one) => one.login !== author.login);
  const reviewer = others.find((one) => one.login === plan.mainReviewer) ?? pickOne(random, others);
  const title = commitTitles[(index * 7 + 3) % commitTitles.length] as string;
  const made: WorldPullRequest = {
    ...blank(story === 'bot' ? 'Raise the map library' : title, author, createdAt, key),
    ...pickSize(story === 'bot' ? 'bot' : index % 5 === 4 ? 'big' : 'usual', random),
    mergeable: story === 'talked' ? 'conflicting' : 'mergeable',
    firstCommitAt: createdAt - 3 * hour,
    ...(story === 'draft' ? {} : requested(reviewer, createdAt)),
  };
  return touched({ ...made, ...ofStory(story, made, reviewer, now, random) });
}

const requested = (reviewer: Actor, at: Instant) => ({
  requestedReviewers: [reviewer.login],
  reviewDecision: 'review_required' as const,
  clock: [{ kind: 'review_requested' as const, at: at + minute, login: reviewer.login }],
});

/** What happened since it was opened, at parts of its age. */
function ofStory(
  story: OpenPlan['story'],
  { createdAt, clock, headSha }: WorldPullRequest,
  reviewer: Actor,
  now: Instant,
  random: RandomStream,
): Partial<WorldPullRequest> {
  const at = (part: number) => createdAt + Math.round(((now - createdAt) * part) / second) * second;
  const review = (state: Review['state'], part: number, sha = headSha): Review => ({
    id: `RV_${hexDigits(`${headSha} ${state}`, 14)}`,
    reviewer,
    state,
    submittedAt: at(part),
    commitSha: sha,
    comments: state === 'approved' ? 0 : 3,
  });
  const earlier = hexDigits(`${headSha} before`, 40);
  switch (story) {
    case 'author':
      return {
        reviews: [review('changes_requested', 0.4)],
        reviewDecision: 'changes_requested',
        requestedReviewers: [],
      };
    case 'merge':
      return { reviews: [review('approved', 0.6)], reviewDecision: 'approved', requestedReviewers: [] };
    case 'draft':
      return { isDraft: true, clock: random() < 0.5 ? [{ kind: 'converted_to_draft', at: at(0.2), login: null }] : [] };
    case 'asked_again':
      return {
        reviews: [review('commented', 0.3, earlier)],
        clock: [
          { kind: 'ready_for_review', at: at(0.1), login: null },
          { kind: 'review_requested', at: at(0.7), login: reviewer.login },
        ],
      };
    case 'pushed':
      return {
        reviews: [review('changes_requested', 0.3, earlier)],
        reviewDecision: 'changes_requested',
        clock: [...clock, { kind: 'pushed', at: at(0.8), login: null }],
        lastPushAt: at(0.8),
      };
    case 'talked':
      return { reviews: [review('commented', 0.5)], requestedReviewers: [], requestedTeams: ['harbour-crew'] };
    default:
      return {};
  }
}

/** Its last update is the last thing that happened. */
function touched(one: WorldPullRequest): WorldPullRequest {
  const times = [...one.reviews.map((each) => each.submittedAt), ...one.clock.map((each) => each.at)];
  return { ...one, updatedAt: Math.max(one.createdAt, one.lastPushAt ?? 0, ...times) };
}
