import type { Context, Reply } from '../../access/context.ts';
import { mayUse } from '../../access/decision.ts';
import type { Domain } from '../../api/wire.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import { nameKey } from '../../codehost/client/names.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import type { CommitWithRepository, Contributions, PullRequestWithRepository } from '../../codehost/delivery/client.ts';
import type { Actor, Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs, lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import { createPeople, type IdentityLink, type People, type Subject } from '../../metrics/people/people.ts';
import type { Workday } from '../../metrics/people/workload.ts';
import { Problem } from '../../platform/problem.ts';
import { withRequests } from '../../platform/stored-only.ts';
import { teamWorkday } from '../kernel/calendar.ts';
import { type Coverage, missingBecause } from '../kernel/coverage.ts';
import { noteListing } from '../kernel/notes.ts';
import { knownUntil } from '../repositories/facts.ts';
import {
  areListsComplete,
  commitsCompleteFrom,
  type LoginRead,
  maxRepositories,
  profileCoverage,
  selectLists,
} from './coverage.ts';

/** What is known of one person in the repositories of one owner, all their linked accounts together. */
export interface PersonFacts {
  account: Contributions['account'];
  subject: Subject;
  window: Window;
  /** When the windows end; see `knownUntil`. */
  now: Instant;
  workday: Workday;
  /** The platform's own calendar; empty when it shows none. */
  days: Contributions['days'];
  /** Repositories of the owner with commits of the last 52 weeks. */
  repositories: Contributions['repositories'];
  /** The person's own and those they reviewed, each once. */
  pullRequests: PullRequestWithRepository[];
  /** null when they could not be read; `coverage` states why. */
  commits: CommitWithRepository[] | null;
  commitsCompleteFrom: Instant | null;
  /** Whether all pull requests and reviews of the window were read, and none lies where the caller sees nothing. */
  areListsComplete: boolean;
  linkedLogins: string[];
  restricted: number;
  coverage: Domain<typeof Coverage>;
  reads: { tried: number; complete: number };
  asOf: Instant;
}

export const profileDays = 90;

/** Reads a person with the caller's own token; `not_found` when there is no such account. Never shared. */
export async function personFacts(
  { owner, login }: { owner: string; login: string },
  context: Context,
  reply: Reply,
): Promise<PersonFacts> {
  const { services } = context;
  const [codehost, links, workday] = await Promise.all([
    context.codehost(),
    visibleLinks(context),
    teamWorkday(context),
  ]);
  const people = createPeople(links, services.env.BOT_LOGINS);
  const { primary, aliases } = listLogins(login, links, people);
  const read = (one: string) => readLogin(codehost, owner, one, services.clock.now());
  const [own, ...linked] = await Promise.all([read(primary), ...aliases.map((one) => read(one).catch(ifMissing))]);
  const all = [own, ...linked.filter((one) => one !== null)];
  const person = toActor(own.made.account);
  const pullRequests = once(
    all.flatMap(({ authored, reviewed }) => [...authored.items, ...reviewed.items]),
    ({ repository, number }) => `${nameKey(repository)}#${number}`,
  );
  const commits = once(
    all.flatMap((one) => (typeof one.commits === 'object' ? one.commits.items : [])),
    ({ sha }) => sha,
  );
  const coverage = profileCoverage(all);
  const listings = all.flatMap(selectLists);
  const readings = [...listings, ...all.map(({ made }) => made)];
  const asOf = Math.min(...readings.map((one) => one.asOf));
  const stale = readings.some((one) => one.stale);
  const now = knownUntil(services.clock.now(), readings);
  const partialReason = joinedReasons([...listings, ...all.map(({ made }) => made)].map((one) => one.partialReason));
  noteListing(reply, { partial: !coverage.complete, partialReason, stale, asOf });
  return {
    account: own.made.account,
    subject: { person, people },
    window: lastDaysWindow(profileDays, now),
    now,
    workday,
    days: all.flatMap(({ made }) => made.days),
    repositories: all.flatMap((one) => one.repositories),
    pullRequests,
    commits: typeof own.commits === 'object' ? commits : null,
    coverage,
    asOf,
    commitsCompleteFrom: commitsCompleteFrom(all),
    areListsComplete: all.every(areListsComplete),
    linkedLogins: linkedLogins({ person, people }, all, pullRequests, commits),
    restricted: all.reduce((sum, { made }) => sum + made.restricted, 0),
    reads: {
      tried: readsOfLogin * all.length,
      complete: all.length + listings.filter(({ partial }) => !partial).length,
    },
  };
}

/** A link changes numbers, never access: whoever may see no profile but their own sees that of their own account alone. */
const visibleLinks = async (context: Context): Promise<IdentityLink[]> => {
  const { store } = context.services;
  return store && (await mayUse('contributorProfile', context)) ? store.identity.links() : [];
};

/** The login a person is known by, and their other accounts. Aliases that cannot be logins are names in commits. */
function listLogins(login: string, links: readonly IdentityLink[], people: People) {
  const toPersonKey = (one: string) => people.toKey({ login: one, avatarUrl: '', isBot: false });
  const own = links.filter(({ primary }) => toPersonKey(primary) === toPersonKey(login));
  const accounts = own.filter(({ isName }) => !isName).map(({ alias }) => alias);
  const aliases = accounts.filter((alias) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/.test(alias));
  return { primary: own[0]?.primary ?? login, aliases };
}

/** Reads one account: what it contributed, its pull requests and reviews, then its commits in up to ten repositories. */
async function readLogin(codehost: Platform, owner: string, login: string, now: Instant): Promise<LoginRead> {
  // Copies of a day are shared, so all of its hours are read: one that is the fallback for a newer answer ends earlier.
  const since = Math.floor((now - profileDays * dayMs) / dayMs) * dayMs;
  const [about, own, others] = await Promise.allSettled([
    // It proves that the token still sees the account, also for an answer of what is stored.
    withRequests(() => codehost.people.contributions(login, owner, now)),
    codehost.pullRequests.authoredBy(owner, login, since),
    codehost.pullRequests.reviewedBy(owner, login, since),
  ]);
  // Of several errors the one about the account is the most specific.
  const [made, found, reviewed] = [settledValue(about), settledValue(own), settledValue(others)];
  const authored = { ...found, items: found.items.map((one) => withAuthor(one, toActor(made.account))) };
  const repositories = made.repositories.filter(({ name }) => name.owner.toLowerCase() === owner.toLowerCase());
  const names = listRepositories(repositories, authored.items);
  // Where the platform shows no calendar it is made from commits, and then they have to reach as far back.
  const from = isActive(made) ? since : now - 364 * dayMs;
  const commits = await commitsBy(codehost, made.account, names.slice(0, maxRepositories), from);
  return { made, repositories, authored, reviewed, commits, excluded: Math.max(0, names.length - maxRepositories) };
}

const readsOfLogin = 4;

/** The search found what an account opened, so that is known where the answer does not say. */
const withAuthor = (pullRequest: PullRequestWithRepository, author: Actor): PullRequestWithRepository =>
  pullRequest.isAuthorUnread ? { ...pullRequest, author, isAuthorUnread: undefined } : pullRequest;

/** The commits of an account, or why there are none: everything else can be shown without them. */
async function commitsBy(
  codehost: Platform,
  { id, login }: Contributions['account'],
  names: readonly RepositoryName[],
  since: Instant,
): Promise<LoginRead['commits']> {
  // Git knows the author of such a commit by name alone.
  if (/\[bot\]$/i.test(login)) return 'upstream_truncated';
  try {
    return await codehost.commits.historiesBy(names, id, since);
  } catch (error) {
    const reason = error instanceof Problem ? missingBecause[error.code] : undefined;
    if (!reason) throw error;
    return reason;
  }
}

/** Those with most commits first, then those with pull requests only. */
function listRepositories(
  repositories: Contributions['repositories'],
  authored: readonly PullRequestWithRepository[],
): RepositoryName[] {
  const byCommits = repositories.toSorted((one, other) => other.commits - one.commits).map(({ name }) => name);
  return once([...byCommits, ...authored.map(({ repository }) => repository)], nameKey);
}

/** Other accounts of the person that the facts come from. */
function linkedLogins(
  { person, people }: Subject,
  [, ...linked]: readonly LoginRead[],
  pullRequests: readonly PullRequestWithRepository[],
  commits: readonly CommitWithRepository[],
): string[] {
  const seen = [
    person,
    ...pullRequests.flatMap(({ author, reviews }) => [author, ...(reviews ?? []).map(({ reviewer }) => reviewer)]),
    ...commits.map(({ author }) => author),
    ...linked.filter(({ made }) => isActive(made)).map(({ made }) => toActor(made.account)),
  ];
  return people.roster(seen).get(people.toKey(person))?.linkedLogins ?? [];
}

/** The platform lists quiet days too. */
const isActive = ({ days }: Contributions) => days.some(({ count }) => count > 0);

const toActor = ({ login, avatarUrl, isBot }: Contributions['account']): Actor => ({ login, avatarUrl, isBot });

function settledValue<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** An account that is gone has left nothing under its name; so has a name that never was a login. */
function ifMissing(error: unknown): null {
  if (error instanceof Problem && error.code === 'not_found') return null;
  throw error;
}

const once = <T>(items: readonly T[], getKey: (item: T) => string): T[] =>
  [...Map.groupBy(items, getKey).values()].flatMap(([first]) => (first === undefined ? [] : [first]));
