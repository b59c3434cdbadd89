import type { PullRequest } from '../../kernel/delivery-facts.ts';
import type { Instant } from '../../kernel/facts.ts';
import { countUpTo, inOrder } from '../../kernel/sorted-instants.ts';
import type { People } from '../../people/people.ts';
import { type Calendar, getWeekStart } from '../../people/workday-hours.ts';
import { getReadyAt } from '../../pull-requests/open.ts';
import { getSize } from '../../pull-requests/pull-requests.ts';
import type { AuthorshipClass, ChangeType } from '../classes.ts';
import { type ComparedPullRequest, clusterOf, stratumOf } from './compared-pull-request.ts';
import { type MeasuredOutcome, measureOutcomes, type OutcomeSources, reviewFollowUp } from './measure-outcomes.ts';
import { measureCost } from './measure-runs.ts';
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
  /** `YYYY-MM` of its creation. */
  month: string;
  /** Whether the account of a bot opened it. */
  isOfMachine: boolean;
}

/** A repository with its pull requests, open ones among them, and the marks of those that are wanted. */
export interface MarkedRepository extends Pick<OutcomeSources, 'naming' | 'runs'> {
  /** `owner/repo`. */
  name: string;
  defaultBranch: string | null;
  pullRequests: readonly PullRequest[];
  marks: readonly StoredMark[];
}

/** Why a marked pull request, or one without a mark, is not compared. */
export const exclusions = ['automation', 'unread', 'not_stored', 'other_base', 'draft', 'too_recent'] as const;
export type Exclusion = (typeof exclusions)[number];

/** A pull request that can be compared, whatever its class. */
export interface GatheredPullRequest extends Omit<ComparedPullRequest, 'isMarked' | 'stratum'> {
  class: ComparedClass['class'] | 'unmarked';
  agent: string | null;
  type: ChangeType;
  /** Whether its author had ten merged in the repository before. */
  isExperienced: boolean;
  isOfMachine: boolean;
}

/** One that is not compared. */
export interface ExcludedPullRequest
  extends Pick<GatheredPullRequest, 'repository' | 'month' | 'author' | 'isOfMachine'> {
  reason: Exclusion;
}

export interface Gathering {
  people: People;
  calendar: Calendar;
  /** What came of the pull requests of a month counts as it was then, whenever it is looked at. */
  settledAt(month: string): Instant;
}

/** The pull requests of a repository that can be compared, and why others cannot; contract, sections 3.4 and 3.5. */
export function gather(
  repository: MarkedRepository,
  gathering: Gathering,
): { gathered: GatheredPullRequest[]; excluded: ExcludedPullRequest[] } {
  const facts = new Map(repository.pullRequests.map((one) => [one.number, one]));
  const measure = measurer(repository, gathering);
  const gathered: GatheredPullRequest[] = [];
  const excluded: ExcludedPullRequest[] = [];
  for (const mark of repository.marks) {
    const fact = facts.get(mark.number);
    const reason = whyExcluded(mark, fact, repository, gathering);
    if (fact && mark.class !== 'automation' && mark.class !== 'unread' && reason === null)
      gathered.push(measure(fact, { ...mark, class: mark.class }));
    else
      excluded.push({
        reason: reason ?? 'not_stored',
        repository: repository.name,
        month: mark.month,
        author: fact ? authorOf(fact, gathering.people) : null,
        isOfMachine: mark.isOfMachine,
      });
  }
  return { gathered, excluded };
}

/** What a pull request is in the comparison of a class; null where it has no part in it. */
export function toCompared(one: GatheredPullRequest, wanted: ComparedClass): ComparedPullRequest | null {
  const isMarked = one.class === wanted.class && (wanted.agent === null || one.agent === wanted.agent);
  if (!isMarked && one.class !== 'unmarked') return null;
  const { repository, month, type } = one;
  const isExperienced = wanted.class === 'ai_assisted' ? one.isExperienced : null;
  return {
    repository,
    number: one.number,
    isMarked,
    author: one.author,
    createdAt: one.createdAt,
    month,
    stratum: stratumOf({ repository, month, type, isExperienced }),
    cluster: one.cluster,
    weekday: one.weekday,
    lines: one.lines,
    changedFiles: one.changedFiles,
    openPullRequests: one.openPullRequests,
    outcomes: one.outcomes,
    cost: one.cost,
  };
}

function whyExcluded(
  mark: StoredMark,
  fact: PullRequest | undefined,
  { defaultBranch }: MarkedRepository,
  { settledAt }: Gathering,
): Exclusion | null {
  if (mark.class === 'automation' || mark.class === 'unread') return mark.class;
  if (fact === undefined) return 'not_stored';
  if (fact.baseBranch !== defaultBranch) return 'other_base';
  if (fact.isDraft) return 'draft';
  return settledAt(mark.month) < (getReadyAt(fact) ?? fact.createdAt) + reviewFollowUp ? 'too_recent' : null;
}

const authorOf = ({ author }: PullRequest, people: People): string | null =>
  author === null || people.isBot(author) ? null : people.toKey(author);

type ComparableMark = StoredMark & Pick<GatheredPullRequest, 'class'>;

function measurer(
  { name, pullRequests, naming, runs }: MarkedRepository,
  { people, calendar, settledAt }: Gathering,
): (fact: PullRequest, mark: ComparableMark) => GatheredPullRequest {
  const byBranch = Map.groupBy(pullRequests, ({ headBranch }) => headBranch);
  const attempts = Map.groupBy(runs?.attempts ?? [], ({ headBranch }) => headBranch);
  const opened = inOrder(pullRequests.map(({ createdAt }) => createdAt));
  // What ended before it began, by clocks that differ, was never open.
  const ended = inOrder(
    pullRequests.flatMap((one) => (one.closedAt === null ? [] : Math.max(one.createdAt, one.closedAt))),
  );
  const merged = mergesByAuthor(pullRequests, people);
  return (fact, { class: own, agent, type, month, isOfMachine }) => {
    const { createdAt, number, headBranch } = fact;
    const author = authorOf(fact, people);
    const ownRuns = runs && { window: runs.window, attempts: attempts.get(headBranch) ?? [] };
    const others = byBranch.get(headBranch) ?? [];
    const sources = { naming, runs: ownRuns, others, people, now: settledAt(month) };
    return {
      repository: name,
      number,
      class: own,
      agent,
      type,
      month,
      isOfMachine,
      author,
      createdAt,
      isExperienced: author !== null && countUpTo(merged.get(author) ?? [], createdAt - 1) >= manyMerged,
      cluster: clusterOf(name, getWeekStart(calendar.getDay(createdAt))),
      weekday: (calendar.getWeekday(createdAt) + 6) % 7,
      lines: getSize(fact),
      changedFiles: fact.changedFiles,
      openPullRequests: countUpTo(opened, createdAt) - countUpTo(ended, createdAt),
      outcomes: onlyKnown(measureOutcomes(fact, sources)),
      cost: measureCost(fact, sources),
    };
  };
}

/** By the pull requests that are stored: whoever merged more before these counts as less experienced. */
const manyMerged = 10;

function mergesByAuthor(pullRequests: readonly PullRequest[], people: People): Map<string, Instant[]> {
  const merged = new Map<string, Instant[]>();
  for (const one of pullRequests) {
    const author = authorOf(one, people);
    if (author === null || one.mergedAt === null) continue;
    const own = merged.get(author);
    if (own) own.push(one.mergedAt);
    else merged.set(author, [one.mergedAt]);
  }
  for (const [author, own] of merged) merged.set(author, inOrder(own));
  return merged;
}

function onlyKnown(measured: Record<OutcomeKey, MeasuredOutcome>): ComparedPullRequest['outcomes'] {
  const known = outcomeKeys.map((key) => [key, typeof measured[key] === 'number' ? measured[key] : null]);
  return Object.fromEntries(known) as ComparedPullRequest['outcomes'];
}
