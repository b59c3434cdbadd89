import type { Contributions } from '../codehost/delivery/client.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { randomStream } from '../metrics/kernel/random-stream.ts';
import { day, historyDays } from './calendar.ts';
import { notFound } from './lookup.ts';
import { between } from './random.ts';
import { same, type World } from './world.ts';

/** The id of an account, as its contributions show it. */
export const accountId = (login: string) => `account-${login}`;

const calendarDays = 365;

/**
 * What a person of the sample world contributed in 52 weeks: the last hundred days as the histories show, those before
 * invented. Throws `Problem('not_found')` when there is no such person.
 */
export function computeContributions(world: World, login: string, organization: string | null): Contributions {
  const person = [...world.people, world.bot].find((one) => same(one.login, login));
  if (!person) throw notFound(`account ${login}`);
  const inside = organization === null || same(organization, world.organization.login);
  const names = person.login.split('-').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return {
    account: {
      id: accountId(person.login),
      login: person.login,
      name: person.isBot ? null : names.join(' '),
      avatarUrl: person.avatarUrl,
      bio: null,
      company: 'Lumen Harbor',
      location: null,
      htmlUrl: '#',
      isBot: person.isBot,
    },
    days: inside && !person.isBot ? computeDays(world, person.login) : [],
    restricted: 0,
    repositories: inside && !person.isBot ? listRepositories(world, person.login) : [],
  };
}

function computeDays(world: World, login: string): Contributions['days'] {
  const counts = new Map<string, number>();
  for (let back = calendarDays - 1; back >= historyDays; back--) {
    const at = world.now - back * day;
    const invented = inventedOn(login, at);
    if (invented > 0) counts.set(formatDate(at), invented);
  }
  for (const at of listTimes(world, login)) counts.set(formatDate(at), (counts.get(formatDate(at)) ?? 0) + 1);
  return [...counts].map(([date, count]) => ({ date, count })).sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** Nothing on most weekends, and two weeks of holidays. */
function inventedOn(login: string, at: Instant): number {
  const random = randomStream(login, 'contributions', formatDate(at));
  const [luck, amount] = [random(), between(random, 1, 9)];
  const weekend = [0, 6].includes(new Date(at).getUTCDay());
  const holidays = Math.floor(at / (14 * day)) % 13 === login.length % 13;
  return holidays || luck < (weekend ? 0.88 : 0.22) ? 0 : amount;
}

function listTimes(world: World, login: string): Instant[] {
  const since = world.now - historyDays * day;
  const own = (actor: { login: string } | null) => actor?.login === login;
  return world.repositories
    .flatMap(({ commits, pullRequests, issues }) => [
      ...commits.filter(({ author }) => own(author)).map((one) => one.authoredAt),
      ...pullRequests.filter(({ author }) => own(author)).map((one) => one.createdAt),
      ...issues.filter(({ author }) => own(author)).map((one) => one.createdAt),
      ...pullRequests.flatMap(({ reviews }) => reviews.find(({ reviewer }) => own(reviewer))?.submittedAt ?? []),
    ])
    .filter((at) => at >= since);
}

const listRepositories = (world: World, login: string): Contributions['repositories'] =>
  world.repositories
    .map(({ repository: { owner, repo, defaultBranch, language }, commits }) => ({
      name: { owner, repo },
      defaultBranch,
      language,
      commits: commits.filter(({ author }) => author?.login === login).length,
    }))
    .filter((one) => one.commits > 0)
    .sort((one, other) => other.commits - one.commits);

const formatDate = (at: Instant) => new Date(at).toISOString().slice(0, 10);
