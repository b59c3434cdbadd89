import type { SyncState } from '../facts/fact-repository.ts';
import { type OpenPullRequests, readOpenPullRequests } from '../facts/open-pull-requests.ts';
import type { PullRequest } from '../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { hourMs, staleAfterMs } from '../metrics/kernel/window.ts';
import type { People } from '../metrics/people/people.ts';
import { getEndedAt } from '../metrics/pull-requests/pull-requests.ts';
import type { Store } from '../store/orm.ts';
import { type AlertFacts, type Evaluation, type Range, unknown } from './metric.ts';

/** What metrics of pull requests are judged from. */
export interface PullRequestFacts extends AlertFacts {
  /** Those that ended since before the first window, and those that are open. */
  pullRequests: readonly PullRequest[];
  people: People;
  /** How far the ended ones were read; null where they never were. */
  ended: Reached | null;
  /** null where they were not read lately. */
  open: Pick<OpenPullRequests, 'asOf' | 'complete'> | null;
}

type ReadSpan = Pick<SyncState, 'kind' | 'floor' | 'through' | 'capped'>;

/** Where pull requests are stored. */
export interface PullRequestSource {
  repositories: Pick<Store['repositories'], 'findCodehostId'>;
  facts: {
    syncStates(repository: { id: number }): Promise<ReadSpan[]>;
    facts(repository: { id: number }, kind: 'pull_requests', since: Instant): Promise<PullRequest[]>;
  };
  answers: Pick<Store['answers'], 'get'>;
}

interface Reached {
  /** All that ended from then on is known. */
  from: Instant;
  through: Instant;
}

/** Pull requests of all windows of the range, which look back over `windows` of their length. */
export async function readPullRequests(
  range: Range,
  windows: number,
  source: PullRequestSource,
): Promise<PullRequestFacts> {
  const { repoId, from, until, windowHours, people } = range;
  const behindMs = windows * windowHours * hourMs;
  const id = await source.repositories.findCodehostId(repoId);
  const none = { ledgers: [], ended: [] };
  // What was open when it was read may have ended since.
  const since = Math.min(from - behindMs, until - staleAfterMs);
  const [{ ledgers, ended }, open] = await Promise.all([
    id === null ? none : readEnded({ id }, since, source),
    readOpenPullRequests(repoId, source, until),
  ]);
  const reached = getReached(ledgers, ended);
  const known = new Set(ended.map(({ number }) => number));
  return {
    pullRequests: [...ended, ...(open?.items ?? []).filter(({ number }) => !known.has(number))],
    people,
    ended: reached,
    open: open && { asOf: open.asOf, complete: open.complete },
    knownFrom: reached === null ? until : reached.from + behindMs,
    endings: [],
  };
}

/** As of when pull requests were read, the ended and the open ones; null where they never were. */
export async function pullRequestsReadAt(
  repoId: number,
  source: Pick<PullRequestSource, 'repositories' | 'answers'> & {
    facts: Pick<PullRequestSource['facts'], 'syncStates'>;
  },
  now: Instant,
): Promise<Instant | null> {
  const id = await source.repositories.findCodehostId(repoId);
  const states = id === null ? [] : await source.facts.syncStates({ id });
  const ended = states.find(({ kind }) => kind === 'pull_requests')?.through;
  if (ended === undefined) return null;
  const open = await readOpenPullRequests(repoId, source, now);
  return Math.min(now, ended, open?.asOf ?? ended);
}

/** Why the pull requests that ended since then cannot all be known; null where they are. */
export function endedGap({ ended }: PullRequestFacts, since: Instant, now: Instant): Evaluation | null {
  if (ended === null) return unknown('Pull requests have not been synced yet.');
  if (ended.through < now - staleAfterMs) return unknown('Pull requests are not up to date.');
  if (ended.from <= since) return null;
  return unknown(`Pull requests are synced only since ${new Date(ended.from).toISOString()}.`);
}

/** The same of those that are open. */
export function openGap({ open }: PullRequestFacts, now: Instant): Evaluation | null {
  if (open === null || open.asOf < now - staleAfterMs) return unknown('Open pull requests are not up to date.');
  return open.complete ? null : unknown('Not all open pull requests are synced.');
}

async function readEnded(repository: { id: number }, since: Instant, { facts }: PullRequestSource) {
  const [ledgers, ended] = await Promise.all([
    facts.syncStates(repository),
    facts.facts(repository, 'pull_requests', since),
  ]);
  return { ledgers, ended };
}

/** Where a cap ended the reading, all is known from the oldest that was read on. */
function getReached(states: readonly ReadSpan[], ended: readonly PullRequest[]): Reached | null {
  const syncState = states.find(({ kind }) => kind === 'pull_requests');
  if (!syncState) return null;
  const { floor, through, capped } = syncState;
  const oldest = Math.min(through, ...ended.flatMap((each) => getEndedAt(each) ?? []));
  return { from: capped ? oldest : floor, through };
}
