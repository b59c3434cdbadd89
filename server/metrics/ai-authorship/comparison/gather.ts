import type { PullRequest } from '../../kernel/delivery-facts.ts';
import type { Instant } from '../../kernel/facts.ts';
import { isWithin, type Window } from '../../kernel/window.ts';
import type { People } from '../../people/people.ts';
import { type Calendar, getWeekStart } from '../../people/workday-hours.ts';
import { getReadyAt } from '../../pull-requests/open.ts';
import { getSize } from '../../pull-requests/pull-requests.ts';
import type { AuthorshipClass, ChangeType } from '../classes.ts';
import { type ComparedPullRequest, clusterOf, stratumOf } from './compared-pull-request.ts';
import { type MeasuredOutcome, measureOutcomes, type OutcomeSources, reviewFollowUp } from './measure-outcomes.ts';
import { type OutcomeKey, outcomeKeys } from './outcomes.ts';

/** Which class is compared with those without a mark. */
export interface ComparedClass {
  class: 'agent_authored' | 'ai_assisted';
  /** One agent alone; null for all. */
  agent: string | null;
}

/** What is stored of the marks of a pull request. */
export interface StoredMark {
  number: number;
  class: AuthorshipClass;
  agent: string | null;
  type: ChangeType;
}

/** A repository with its pull requests, open ones among them, and their marks. */
export interface MarkedRepository extends Pick<OutcomeSources, 'naming' | 'runs'> {
  /** `owner/repo`. */
  name: string;
  defaultBranch: string | null;
  pullRequests: readonly PullRequest[];
  /** Every one that was created in it is among them, whatever became of it. */
  known: Window;
  marks: readonly StoredMark[];
}

/** Why a marked pull request, or one without a mark, is not compared. */
export const exclusions = [
  'automation',
  'unread',
  'other_class',
  'not_stored',
  'other_base',
  'draft',
  'too_recent',
] as const;
export type Exclusion = (typeof exclusions)[number];

export interface Gathering extends ComparedClass {
  people: People;
  calendar: Calendar;
  now: Instant;
}

/** The pull requests of a repository that are compared, and why others are not; contract, sections 3.4 and 3.5. */
export function gather(
  repository: MarkedRepository,
  gathering: Gathering,
): { compared: ComparedPullRequest[]; excluded: Exclusion[] } {
  const facts = new Map(repository.pullRequests.map((one) => [one.number, one]));
  const toCompared = comparer(repository, gathering);
  const gathered = repository.marks.map((mark) => {
    const fact = facts.get(mark.number);
    return whyExcluded(mark, fact, repository, gathering) ?? (fact ? toCompared(fact, mark) : 'not_stored');
  });
  return {
    compared: gathered.filter((one) => typeof one !== 'string'),
    excluded: gathered.filter((one) => typeof one === 'string'),
  };
}

function whyExcluded(
  mark: StoredMark,
  fact: PullRequest | undefined,
  { defaultBranch, known }: MarkedRepository,
  { now, ...compared }: ComparedClass & Pick<Gathering, 'now'>,
): Exclusion | null {
  if (mark.class === 'automation' || mark.class === 'unread') return mark.class;
  if (mark.class !== 'unmarked' && !isOfClass(mark, compared)) return 'other_class';
  // Of a time of which not all are known, those that took long are.
  if (fact === undefined || !isWithin(fact.createdAt, known)) return 'not_stored';
  if (fact.baseBranch !== defaultBranch) return 'other_base';
  if (fact.isDraft) return 'draft';
  return now < (getReadyAt(fact) ?? fact.createdAt) + reviewFollowUp ? 'too_recent' : null;
}

const isOfClass = (mark: StoredMark, { class: wanted, agent }: ComparedClass): boolean =>
  mark.class === wanted && (agent === null || mark.agent === agent);

function comparer(
  { name, pullRequests, naming, runs }: MarkedRepository,
  { people, calendar, now, class: wanted }: Gathering,
): (fact: PullRequest, mark: StoredMark) => ComparedPullRequest {
  const byBranch = Map.groupBy(pullRequests, ({ headBranch }) => headBranch);
  const attempts = Map.groupBy(runs?.attempts ?? [], ({ headBranch }) => headBranch);
  const keyOf = ({ author }: PullRequest) => (author === null || people.isBot(author) ? null : people.toKey(author));
  const byAuthor = Map.groupBy(pullRequests, keyOf);
  return (fact, mark) => {
    const { createdAt, number, headBranch } = fact;
    const day = calendar.getDay(createdAt);
    const author = keyOf(fact);
    const own = author === null ? [] : (byAuthor.get(author) ?? []);
    const ownRuns = runs && { window: runs.window, attempts: attempts.get(headBranch) ?? [] };
    const sources = { naming, runs: ownRuns, others: byBranch.get(headBranch) ?? [], people, now };
    return {
      repository: name,
      number,
      isMarked: mark.class !== 'unmarked',
      author,
      createdAt,
      stratum: stratumOf({
        repository: name,
        month: day.slice(0, 7),
        type: mark.type,
        isExperienced: wanted === 'ai_assisted' ? isExperienced(own, createdAt) : null,
      }),
      cluster: clusterOf(name, getWeekStart(day)),
      weekday: (calendar.getWeekday(createdAt) + 6) % 7,
      lines: getSize(fact),
      changedFiles: fact.changedFiles,
      openPullRequests: pullRequests.filter((one) => isOpenAt(one, createdAt)).length,
      outcomes: onlyKnown(measureOutcomes(fact, sources)),
    };
  };
}

const isOpenAt = ({ createdAt, closedAt }: PullRequest, at: Instant): boolean =>
  createdAt <= at && (closedAt === null || at < closedAt);

const manyMerged = 10;

/** By the pull requests that are stored: whoever merged more before these counts as less experienced. */
const isExperienced = (own: readonly PullRequest[], before: Instant): boolean =>
  own.filter(({ mergedAt }) => mergedAt !== null && mergedAt < before).length >= manyMerged;

function onlyKnown(measured: Record<OutcomeKey, MeasuredOutcome>): ComparedPullRequest['outcomes'] {
  const known = outcomeKeys.map((key) => [key, typeof measured[key] === 'number' ? measured[key] : null]);
  return Object.fromEntries(known) as ComparedPullRequest['outcomes'];
}
