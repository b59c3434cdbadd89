import { hash } from 'node:crypto';
import type { Services } from '../../access/context.ts';
import type { DeliveryReads } from '../../codehost/delivery/client.ts';
import { peopleIn } from '../../identity/people.ts';
import { comparedAverages } from '../../metrics/ai-authorship/comparison/averages.ts';
import type { ComparedPullRequest } from '../../metrics/ai-authorship/comparison/compared-pull-request.ts';
import {
  type ComparedClass,
  type Exclusion,
  gather,
  type MarkedRepository,
} from '../../metrics/ai-authorship/comparison/gather.ts';
import type { KeptComparison } from '../../metrics/ai-authorship/comparison/kept-comparison.ts';
import type { OpenPullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { dayMs, minuteMs, type Window } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import type { ComparisonKey } from '../../store/ai-comparisons.ts';
import type { Store } from '../../store/orm.ts';
import type { Months } from './months.ts';

export type ComparedRepository = Pick<Repository, 'id' | 'owner' | 'repo' | 'defaultBranch'>;

/** Which pull requests are compared: whoever sees other repositories has another comparison. */
export interface ComparisonScope extends ComparedClass {
  repositories: readonly ComparedRepository[];
  months: Months;
  tableVersion: string;
}

export interface ComparisonSource {
  services: Services;
  store: Store;
  /** As whoever asks sees it, or the service where the job does. */
  codehost: Pick<DeliveryReads, 'pullRequests'>;
  calendar: Calendar;
}

/** What a comparison is stored by. */
export const keyOf = ({ repositories, months, class: own, agent }: ComparisonScope): ComparisonKey => ({
  scopeKey: hash(
    'sha256',
    repositories
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .join(' '),
  ),
  months: `${months.from} ${months.to}`,
  class: own,
  agent: agent ?? '',
});

/** Compares what is stored of a scope, and what is open in it now: a request or a few of each repository. */
export async function computeComparison(scope: ComparisonScope, source: ComparisonSource): Promise<KeptComparison> {
  const { compared, excluded } = await gatherAll(scope, source);
  return compare(compared, excluded, scope, source.services);
}

/** More are not compared: the newest count. */
const maxPullRequests = 10_000;
/** Beyond it a scope is too large. */
const limitMs = minuteMs;

/** Compares in a thread of its own. The same pull requests of the same scope give the same figures. */
export async function compare(
  gathered: readonly ComparedPullRequest[],
  excluded: readonly Exclusion[],
  scope: ComparisonScope,
  services: Pick<Services, 'comparing'>,
): Promise<KeptComparison> {
  const newest = gathered.toSorted((a, b) => b.createdAt - a.createdAt || b.number - a.number);
  const pullRequests = newest.slice(0, maxPullRequests);
  const seed = [...Object.values(keyOf(scope)), scope.tableVersion];
  const outcome = await services.comparing.run({ pullRequests, seed }, limitMs);
  if (outcome.state !== 'done') throw new Error(`Pull requests could not be compared: ${outcome.state}.`);
  const overLimit = newest.slice(maxPullRequests).map(() => 'over_limit' as const);
  const byReason = Map.groupBy([...excluded, ...overLimit], (reason) => reason);
  return {
    ...outcome.result,
    raw: comparedAverages(pullRequests),
    markedPrs: pullRequests.filter(({ isMarked }) => isMarked).length,
    excluded: [...byReason].map(([reason, own]) => [reason, own.length]),
  };
}

async function gatherAll(
  { repositories, months, ...compared }: ComparisonScope,
  { services, store, codehost, calendar }: ComparisonSource,
): Promise<{ compared: ComparedPullRequest[]; excluded: Exclusion[] }> {
  const now = services.clock.now();
  const gathering = { class: compared.class, agent: compared.agent, people: await peopleIn(services), calendar, now };
  const ids = repositories.map(({ id }) => id);
  const marks = Map.groupBy(await store.pullRequestMarks.list(ids, months), ({ repositoryId }) => repositoryId);
  const all: ReturnType<typeof gather>[] = [];
  for (const repository of repositories) {
    const own = marks.get(repository.id);
    if (own) all.push(gather({ ...(await readPullRequests(repository, services, codehost)), marks: own }, gathering));
  }
  return { compared: all.flatMap((one) => one.compared), excluded: all.flatMap((one) => one.excluded) };
}

/** What was read longer ago may have ended since. */
const staleMs = 2 * dayMs;

/** The stored pull requests that have ended, and those that are open now. */
async function readPullRequests(
  repository: ComparedRepository,
  { facts, clock }: Pick<Services, 'facts' | 'clock'>,
  codehost: ComparisonSource['codehost'],
): Promise<Omit<MarkedRepository, 'marks'>> {
  const { owner, repo, defaultBranch } = repository;
  const about = { name: `${owner}/${repo}`, defaultBranch, naming: null, runs: null };
  const state = (await facts.syncStates(repository)).find(({ kind }) => kind === 'pull_requests');
  if (!state || state.capped || state.through < clock.now() - staleMs)
    return { ...about, pullRequests: [], known: { from: 0, to: 0 } };
  const [ended, open] = await Promise.all([
    facts.facts(repository, 'pull_requests', state.floor),
    codehost.pullRequests.open({ owner, repo }),
  ]);
  const stored = new Set(ended.map(({ number }) => number));
  const pullRequests = [...ended, ...open.items.filter(({ number }) => !stored.has(number))];
  return { ...about, pullRequests, known: { from: state.floor, to: knownTo(open, state.through) } };
}

/** Open ones are read oldest first: where not all were, those that are newer than the last are not known. */
const knownTo = ({ items, partial }: { items: OpenPullRequest[]; partial: boolean }, through: number): Window['to'] =>
  partial ? Math.min(through, items.at(-1)?.createdAt ?? 0) : through;
