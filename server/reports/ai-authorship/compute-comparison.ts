import { hash } from 'node:crypto';
import type { Services } from '../../access/context.ts';
import type { Listing } from '../../codehost/client/client.ts';
import type { DeliveryReads } from '../../codehost/delivery/client.ts';
import { peopleIn } from '../../identity/people.ts';
import type { ComparisonResult } from '../../metrics/ai-authorship/comparison/compare-gathered.ts';
import { cellOf } from '../../metrics/ai-authorship/comparison/compared-pull-request.ts';
import {
  type ComparedClass,
  type ExcludedPullRequest,
  type GatheredPullRequest,
  gather,
} from '../../metrics/ai-authorship/comparison/gather.ts';
import type { NamingPullRequest } from '../../metrics/ai-authorship/comparison/measure-outcomes.ts';
import type { OpenPullRequest, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { minuteMs } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import type { ComparisonKey } from '../../store/ai-comparisons.ts';
import type { Store } from '../../store/orm.ts';
import { type RepositoryCells, settledAt } from './cells.ts';
import { addMonths, type Month, startOfMonth } from './months.ts';
import { type MonthSpan, readRuns } from './stored-runs.ts';

/** What is compared: the same for whoever asks for it, in whatever window. */
export interface ComparisonScope extends ComparedClass {
  cells: readonly RepositoryCells[];
  tableVersion: string;
}

export interface ComparisonSource {
  services: Services;
  store: Store;
  /** As background work, which leaves a fifth of the quota. */
  codehost: Pick<DeliveryReads, 'pullRequests'>;
  calendar: Calendar;
  /** Whether a repository whose list of open pull requests has gaps is left out; else nothing is compared. */
  mayLeaveOut: boolean;
}

/** What was computed when less was computed of a comparison is none. */
const form = 7;

/** What a comparison is stored by. */
export const keyOf = ({ cells, class: own, agent }: ComparisonScope): ComparisonKey => ({
  cellsKey: hash(
    'sha256',
    [
      `form ${form}`,
      ...cells
        .map(({ repository, months, shown }) => `${repository.id} ${months.join(' ')}, ${shown.join(' ')}`)
        .sort(),
    ].join('\n'),
  ),
  class: own,
  agent: agent ?? '',
});

/** As pull requests to compare name their repository. */
export const nameOf = ({ owner, repo }: RepositoryCells['repository']): string => `${owner}/${repo}`;

/** Beyond it reading begins nothing more. */
const readingMs = 2 * minuteMs;
/** Beyond it a scope is too large. */
const comparingMs = minuteMs;
/** Beyond it too many others are compared before. */
const waitingMs = 2 * minuteMs;
/** Longer than all of it takes. */
export const computingMs = 2 * (readingMs + waitingMs + comparingMs);

/**
 * Compares what is stored of a scope, with what is open in it now: a request or a few of each repository.
 * @throws Error where it took too long, Problem where what is open could not be read.
 */
export async function computeComparison(scope: ComparisonScope, source: ComparisonSource): Promise<ComparisonResult> {
  const { services, store, calendar } = source;
  const until = services.clock.now() + readingMs;
  const people = await peopleIn(services);
  const gathering = { people, calendar, settledAt: (month: string) => settledAt(month, calendar) };
  const gathered: GatheredPullRequest[] = [];
  const excluded: ExcludedPullRequest[] = [];
  for (const { repository, months, storedFrom } of scope.cells) {
    if (services.clock.now() > until) throw new Error('Pull requests to compare could not be read in time.');
    const { id, defaultBranch } = repository;
    const { pullRequests, knownTo: end } = await readPullRequests({ repository, storedFrom: storedFrom ?? 0 }, source);
    // Of what was opened later than the last open one that was read, those that ended are known alone.
    const known = months.filter((month) => startOfMonth(addMonths(month, 1), calendar) <= end);
    const marks = known.length === 0 ? [] : await store.pullRequestMarks.list(id, known);
    const runs = marks.length === 0 ? null : await readRuns(repository, spanOf(known, calendar), store);
    const naming = await readNaming(id, pullRequests, store);
    const about = { name: nameOf(repository), defaultBranch, naming, runs };
    const own = gather({ ...about, pullRequests, marks }, gathering);
    gathered.push(...own.gathered);
    excluded.push(...own.excluded);
  }
  return compare({ gathered, excluded }, scope, services);
}

/** Which merged pull requests name which; all are known that were merged before the marks were read. */
async function readNaming(
  repositoryId: number,
  pullRequests: readonly PullRequest[],
  { pullRequestMarks }: Pick<Store, 'pullRequestMarks'>,
): Promise<NamingPullRequest[]> {
  const merges = new Map(pullRequests.map(({ number, mergedAt }) => [number, mergedAt]));
  return (await pullRequestMarks.links(repositoryId)).flatMap(({ number, kind, target }) => {
    const mergedAt = merges.get(number) ?? null;
    return mergedAt === null ? [] : { target, mergedAt, isRevert: kind === 'reverts', isFailureFix: true };
  });
}

const spanOf = (months: readonly Month[], calendar: Calendar): MonthSpan => ({
  starts: months.map((month) => startOfMonth(month, calendar)),
  settledAt: Math.max(...months.map((month) => settledAt(month, calendar))),
});

/** Compares in a thread of its own. The same pull requests of the same scope give the same figures. */
export async function compare(
  { gathered, excluded }: { gathered: readonly GatheredPullRequest[]; excluded: readonly ExcludedPullRequest[] },
  scope: ComparisonScope,
  services: Pick<Services, 'comparing'>,
): Promise<ComparisonResult> {
  const task = {
    gathered,
    excluded,
    compared: { class: scope.class, agent: scope.agent },
    counted: scope.cells.flatMap(({ repository, shown }) =>
      shown.map((month) => cellOf({ repository: nameOf(repository), month })),
    ),
    repositoryIds: new Map(scope.cells.map(({ repository }) => [nameOf(repository), repository.id])),
    seed: [...Object.values(keyOf(scope)), scope.tableVersion],
  };
  const outcome = await services.comparing.run(task, comparingMs, waitingMs);
  if (outcome.state !== 'done') throw new Error(`Pull requests could not be compared: ${outcome.state}.`);
  return outcome.result;
}

/** The stored pull requests that have ended, and those that are open now. */
async function readPullRequests(
  { repository, storedFrom }: { repository: RepositoryCells['repository']; storedFrom: Instant },
  { services: { facts }, codehost, mayLeaveOut }: ComparisonSource,
): Promise<{ pullRequests: PullRequest[]; knownTo: Instant }> {
  const { owner, repo } = repository;
  const [ended, open] = await Promise.all([
    facts.facts(repository, 'pull_requests', storedFrom),
    codehost.pullRequests.open({ owner, repo }),
  ]);
  const hasGaps = open.partialReason !== undefined || (open.partial && !open.capped);
  if (open.stale || (hasGaps && !mayLeaveOut)) throw new Error('Open pull requests could not be read.');
  const stored = new Set(ended.map(({ number }) => number));
  return {
    pullRequests: [...ended, ...open.items.filter(({ number }) => !stored.has(number))],
    knownTo: hasGaps ? 0 : knownTo(open),
  };
}

/** They are read oldest first, up to a limit. */
const knownTo = ({ items, partial }: Pick<Listing<OpenPullRequest>, 'items' | 'partial'>): Instant =>
  partial ? (items.at(-1)?.createdAt ?? 0) : Number.POSITIVE_INFINITY;
