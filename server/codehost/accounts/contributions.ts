import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { MissingFields } from '../client/failures.ts';
import { rateLimitCost, requestAll, unreadIn } from '../client/graphql-pages.ts';
import { accountParams, organizationParams } from '../client/names.ts';
import { describePartial } from '../client/readable-items.ts';
import { integer, shownAddress, shownText } from '../client/wire.ts';
import type { Contributions, DeliveryReads } from '../delivery/client.ts';
import { type DeliveryContext, dayMs, isoSeconds, minuteMs, toStartOfDay } from '../delivery/context.ts';

/** Reads of accounts and of what they contributed to over 52 weeks. */
export const createPeople = (context: DeliveryContext): DeliveryReads['people'] => ({
  async contributions(login, organization, now) {
    accountParams(login);
    const bot = /\[bot\]$/i.test(login);
    const { value, stale, asOf } = await context.reader.remember(
      {
        key: `contributions ${login} ${organization ?? ''} ${toStartOfDay(now)}`.toLowerCase(),
        freshMs: () => 15 * minuteMs,
      },
      () => (bot ? readBot(context, login) : readPerson(context, login, organization, now)),
    );
    return { ...value, stale, asOf };
  },
});

/** The id an organization has in GraphQL, cached for a day; null when the account is no organization. */
async function organizationId({ reader, transport }: DeliveryContext, login: string): Promise<string | null> {
  const { value } = await reader.remember({ key: `organization id ${login}`.toLowerCase(), freshMs: () => dayMs }, () =>
    requestAll(transport, {
      operation: 'organization id',
      query: `query OrganizationId($login: String!) { ${rateLimitCost} organization(login: $login) { id } }`,
      variables: { login: organizationParams(login).org },
      read: (data, errors) => {
        const { organization } = z.object({ organization: z.object({ id: z.string() }).nullish() }).parse(data);
        if (!organization && !errors.some(({ type }) => type === 'NOT_FOUND'))
          throw new MissingFields(['organization'], errors);
        return organization?.id ?? null;
      },
    }),
  );
  return value;
}

async function readPerson(
  context: DeliveryContext,
  login: string,
  organization: string | null,
  now: Instant,
): Promise<Contributions> {
  const organizationNode = organization === null ? null : await organizationId(context, organization);
  return requestAll(context.transport, {
    operation: 'contributions',
    query: contributionsQuery,
    variables: {
      login,
      from: isoSeconds(toStartOfDay(now) - 364 * dayMs),
      to: isoSeconds(now),
      organization: organizationNode,
    },
    read(data, errors) {
      const { user } = z.object({ user: wireUser.nullish() }).parse(data);
      if (!user) throw new MissingFields(['user'], errors);
      const partialReason = describePartial('contributions', null, unreadIn(errors));
      return { ...toContributions(context, user), partialReason };
    },
  });
}

const contributionsQuery = `
query Contributions($login: String!, $from: DateTime!, $to: DateTime!, $organization: ID) {
  ${rateLimitCost}
  user(login: $login) {
    id login name avatarUrl bio company location url
    contributionsCollection(from: $from, to: $to, organizationID: $organization) {
      restrictedContributionsCount
      contributionCalendar { weeks { contributionDays { date contributionCount } } }
      commitContributionsByRepository(maxRepositories: 100) {
        repository { name owner { login } defaultBranchRef { name } primaryLanguage { name } }
        contributions { totalCount }
      }
    }
  }
}`;

const named = z.object({ name: z.string() }).nullish();

const wireUser = z.object({
  id: z.string(),
  login: z.string(),
  name: shownText,
  avatarUrl: shownAddress,
  bio: shownText,
  company: shownText,
  location: shownText,
  url: shownAddress,
  contributionsCollection: z.object({
    restrictedContributionsCount: integer,
    contributionCalendar: z.object({
      weeks: z.array(
        z.object({ contributionDays: z.array(z.object({ date: z.string(), contributionCount: integer })) }),
      ),
    }),
    commitContributionsByRepository: z.array(
      z.object({
        repository: z.object({
          name: z.string(),
          owner: z.object({ login: z.string() }),
          defaultBranchRef: named,
          primaryLanguage: named,
        }),
        contributions: z.object({ totalCount: integer }),
      }),
    ),
  }),
});

function toContributions({ toActor }: DeliveryContext, user: z.output<typeof wireUser>): Contributions {
  const { contributionsCollection: made, id, login, name, avatarUrl, bio, company, location, url } = user;
  const isBot = toActor({ login, type: 'User' })?.isBot ?? false;
  return {
    account: { id, login, name, avatarUrl, bio: bio || null, company, location, htmlUrl: url, isBot },
    days: made.contributionCalendar.weeks.flatMap(({ contributionDays }) =>
      contributionDays.map(({ date, contributionCount }) => ({ date, count: contributionCount })),
    ),
    restricted: made.restrictedContributionsCount,
    repositories: made.commitContributionsByRepository.map(({ repository, contributions }) => ({
      name: { owner: repository.owner.login, repo: repository.name },
      defaultBranch: repository.defaultBranchRef?.name ?? null,
      language: repository.primaryLanguage?.name ?? null,
      commits: contributions.totalCount,
    })),
  };
}

/** GraphQL does not look bots up by name, and they have no calendar. */
async function readBot({ transport }: DeliveryContext, login: string): Promise<Contributions> {
  const { fresh } = await transport.rest({
    operation: 'get account',
    route: 'GET /users/{username}',
    params: { username: login },
    read: (data) => wireBot.parse(data),
  });
  if (!fresh) throw new Problem('not_found', 'Account not found on GitHub.');
  const { node_id, html_url, avatar_url, ...account } = fresh.value;
  return {
    account: { ...account, id: node_id, avatarUrl: avatar_url, htmlUrl: html_url, isBot: true },
    days: [],
    restricted: 0,
    repositories: [],
  };
}

const wireBot = z.object({
  node_id: z.string(),
  login: z.string(),
  name: shownText,
  avatar_url: shownAddress,
  bio: shownText,
  company: shownText,
  location: shownText,
  html_url: shownAddress,
});
