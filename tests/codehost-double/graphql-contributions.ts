import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import { anActor } from './delivery-builders.ts';
import { everybody } from './everybody.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { GraphqlRequestError, person, type View } from './graphql-view.ts';
import { moment } from './wire.ts';
import { type DoubleRepository, sameName, sees } from './world.ts';

const day = 86_400_000;

/** A person with what they contributed. Bots and organizations are no users. */
export function contributor(view: View, login: string) {
  const account = view.world.accounts.find((one) => sameName(one.login, login));
  const seen = account ? anActor(account.login) : everybody(view.world).find((one) => sameName(one.login, login));
  if (!seen || seen.isBot)
    throw new GraphqlRequestError('NOT_FOUND', `Could not resolve to a User with the login of '${login}'.`);
  return {
    ...person(seen),
    name: account?.name ?? null,
    bio: null,
    company: null,
    location: null,
    email: account?.email ?? '',
    contributionsCollection: (args: Span) => collection(view, seen.login, args),
  };
}

interface Span {
  from?: string | null;
  to?: string | null;
  organizationID?: string | null;
}

interface Contribution {
  at: Instant;
  kind: 'commit' | 'pull_request' | 'review' | 'issue';
  repository: DoubleRepository;
}

function collection(view: View, login: string, { from, to, organizationID }: Span) {
  const until = to ? Date.parse(to) : view.now;
  const since = from ? Date.parse(from) : until - 365 * day;
  if (until - since > 366 * day)
    throw new GraphqlRequestError('UNPROCESSABLE', "The total time spanned by 'from' and 'to' must not exceed 1 year");
  const organization = view.world.organizations.find((one) => `O_${one.id}` === organizationID);
  if (organizationID && !organization)
    throw new GraphqlRequestError('NOT_FOUND', `Could not resolve to a node with the global id of '${organizationID}'`);
  const all = view.world.repositories
    .filter(({ facts }) => !organization || facts.owner === organization.login)
    .flatMap((one) => contributionsTo(one, login))
    .filter(({ at }) => at >= since && at <= until);
  const shown = all.filter(({ repository }) => sees(view.world, view.token, repository));
  const count = (kind: Contribution['kind']) => shown.filter((one) => one.kind === kind).length;
  return {
    startedAt: moment(since),
    endedAt: moment(until),
    hasAnyContributions: all.length > 0,
    restrictedContributionsCount: all.length - shown.length,
    totalCommitContributions: count('commit'),
    totalPullRequestContributions: () => count('pull_request'),
    totalPullRequestReviewContributions: count('review'),
    totalIssueContributions: () => count('issue'),
    // Hidden ones count in the calendar all the same, for those who show them.
    contributionCalendar: calendar(all, since, until),
    commitContributionsByRepository: ({ maxRepositories = 25 }: { maxRepositories?: number }) =>
      byRepository(view, shown).slice(0, maxRepositories),
  };
}

function contributionsTo(repository: DoubleRepository, login: string): Contribution[] {
  const own = (actor: Actor | null) => actor !== null && sameName(actor.login, login);
  const made = (kind: Contribution['kind'], at: Instant): Contribution => ({ at, kind, repository });
  const { commits, pullRequests, issues } = repository;
  return [
    ...commits.filter(({ author }) => own(author)).map((one) => made('commit', one.authoredAt)),
    ...pullRequests.filter(({ author }) => own(author)).map((one) => made('pull_request', one.createdAt)),
    ...issues.filter(({ author }) => own(author)).map((one) => made('issue', one.createdAt)),
    ...pullRequests
      .filter(({ author }) => !own(author))
      .flatMap(({ reviews }) => reviews.find(({ reviewer }) => own(reviewer)) ?? [])
      .map((one) => made('review', one.submittedAt)),
  ];
}

function calendar(all: Contribution[], since: Instant, until: Instant) {
  const perDay = new Map<string, number>();
  for (const { at } of all) perDay.set(dateOf(at), (perDay.get(dateOf(at)) ?? 0) + 1);
  const weeks: { firstDay: string; contributionDays: object[] }[] = [];
  for (let at = Date.parse(dateOf(since)); at <= until; at += day) {
    const weekday = new Date(at).getUTCDay();
    if (weekday === 0 || weeks.length === 0) weeks.push({ firstDay: dateOf(at), contributionDays: [] });
    const contributionCount = perDay.get(dateOf(at)) ?? 0;
    const contributionLevel = contributionCount === 0 ? 'NONE' : 'FIRST_QUARTILE';
    const one = { date: dateOf(at), weekday, contributionCount, contributionLevel, color: '#ebedf0' };
    weeks.at(-1)?.contributionDays.push(one);
  }
  return { totalContributions: all.length, weeks, isHalloween: false, colors: ['#9be9a8'] };
}

const dateOf = (at: Instant) => new Date(at).toISOString().slice(0, 10);

function byRepository(view: View, shown: Contribution[]) {
  const commits = Map.groupBy(
    shown.filter((one) => one.kind === 'commit'),
    (one) => one.repository,
  );
  return [...commits]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([one, made]) => ({
      repository: view.repository(one),
      contributions: (args: Paging) =>
        connection(made, args, ({ at }) => ({ occurredAt: moment(at), commitCount: 1, isRestricted: false })),
    }));
}
