import { z } from 'zod';
import type { FactKind, FactOf } from '../facts/shelf.ts';
import type { Instant } from '../metrics/facts.ts';
import type { Wanted } from './changes-client.ts';
import { branchWith, commitFragment, commitReader } from './commits.ts';
import { isoSeconds } from './delivery-context.ts';
import { deploymentFragment, deploymentReader } from './deployments.ts';
import { connectionOf, type GraphqlPage, noItems, pageInfoField } from './graphql-pages.ts';
import { accountFields } from './graphql-people.ts';
import { publishedRelease, releaseFields, wireRelease } from './releases.ts';
import { instant } from './wire.ts';
import { issueFields, issueReader } from './wire-issues.ts';
import { pullRequestFragment, pullRequestReader } from './wire-pull-requests.ts';
import type { ActorOf } from './wire-runs.ts';

/** An entry of a list: a fact, and when it changed. */
export interface Row<Fact> {
  key: string | number;
  /** null for what is no fact yet: a release that is not published. */
  fact: Fact | null;
  changedAt: Instant;
  /** By what the list is sorted, the newest first; null when the list holds nothing from before `since`. */
  listedAt: Instant | null;
}

/** What a repository answers about one kind. */
export interface PartAnswer<Fact> {
  /** null when it came without what was asked. */
  page: GraphqlPage<Row<Fact>> | null;
  /** See `Change`. */
  total: number | null;
  newestAt: Instant | null;
}

/** How the changes of one kind are asked for and read. */
export interface Part<Fact> {
  /** Items of the page that comes with the other kinds, and of each page that is read alone. */
  first: number;
  alone: number;
  /** Types of the variables beside the repository's name. */
  variables: Record<string, string>;
  valuesOf(wanted: NonNullable<Wanted[FactKind]>): Record<string, string>;
  /** Fields of a repository; `page` holds the arguments of the page. */
  fields(page: string): string;
  fragments: string[];
  schema: z.ZodType<PartAnswer<Fact>>;
}

export type Parts = { [Kind in FactKind]: Part<FactOf[Kind]> };

export const partsOf = (actorOf: ActorOf): Parts => ({
  pull_requests: pullRequests(actorOf),
  commits: commits(actorOf),
  issues: issues(actorOf),
  deployments: deployments(actorOf),
  releases,
});

const newestFirst = (field: string) => `orderBy: { field: ${field}, direction: DESC }`;
const list = (node: string) => `${pageInfoField} nodes { ${node} }`;
const counted = z.object({ totalCount: z.number() }).nullish();

const pullRequests = (actorOf: ActorOf): Part<FactOf['pull_requests']> => ({
  first: 25,
  alone: 50,
  variables: {},
  valuesOf: () => ({}),
  fields: (page) => `pullRequests(${newestFirst('UPDATED_AT')}, ${page}) { ${list('...PullRequestFields')} }`,
  fragments: [pullRequestFragment, accountFields],
  schema: z
    .object({
      pullRequests: connectionOf(
        pullRequestReader(actorOf).transform((fact) => ({
          ...{ key: fact.number, fact, changedAt: fact.updatedAt, listedAt: fact.updatedAt },
        })),
      ).nullish(),
    })
    .transform(({ pullRequests: page }) => ({ page: page ?? null, total: null, newestAt: null })),
});

const commits = (actorOf: ActorOf): Part<FactOf['commits']> => ({
  first: 100,
  alone: 100,
  variables: { commitsSince: 'GitTimestamp!', commitsFloor: 'GitTimestamp!' },
  valuesOf: ({ since, floor }) => ({ commitsSince: isoSeconds(since), commitsFloor: isoSeconds(floor) }),
  fields: (page) => `defaultBranchRef { target { ... on Commit {
    history(since: $commitsSince, ${page}) { ${list('...CommitFields')} }
    sinceFloor: history(since: $commitsFloor) { totalCount }
  } } }`,
  fragments: [commitFragment, accountFields],
  schema: z
    .object(
      branchWith({
        history: connectionOf(
          commitReader(actorOf).transform((fact) => ({
            ...{ key: fact.sha, fact, changedAt: fact.committedAt, listedAt: null },
          })),
        ).nullish(),
        sinceFloor: counted,
      }),
    )
    .transform(({ defaultBranchRef: branch }) => {
      // An empty repository has no branch.
      if (!branch) return { page: noItems, total: 0, newestAt: null };
      const { history, sinceFloor } = branch.target ?? {};
      return { page: history ?? null, total: sinceFloor?.totalCount ?? null, newestAt: null };
    }),
});

const issues = (actorOf: ActorOf): Part<FactOf['issues']> => ({
  // 100 would cost more than all the other kinds together, and few change between two readings.
  first: 30,
  alone: 100,
  variables: { issuesSince: 'DateTime!' },
  valuesOf: ({ since }) => ({ issuesSince: isoSeconds(since) }),
  fields: (page) => `issues(filterBy: { since: $issuesSince }, ${newestFirst('UPDATED_AT')}, ${page}) {
    ${list('...IssueFields')}
  }
  openIssues: issues(states: OPEN) { totalCount }`,
  fragments: [issueFields, accountFields],
  schema: z
    .object({
      issues: connectionOf(
        issueReader(actorOf).transform((fact) => ({
          ...{ key: fact.number, fact, changedAt: fact.updatedAt, listedAt: null },
        })),
      ).nullish(),
      openIssues: counted,
    })
    .transform(({ issues: page, openIssues }) => ({
      ...{ page: page ?? null, total: openIssues?.totalCount ?? null, newestAt: null },
    })),
});

const deployments = (actorOf: ActorOf): Part<FactOf['deployments']> => ({
  first: 50,
  alone: 100,
  variables: {},
  valuesOf: () => ({}),
  fields: (page) => `deployments(${newestFirst('CREATED_AT')}, ${page}) {
    totalCount
    ${list('...DeploymentFields')}
  }`,
  fragments: [deploymentFragment, accountFields],
  schema: z
    .object({
      deployments: connectionOf(
        deploymentReader(actorOf).transform((fact) => ({
          ...{ key: fact.id, fact, listedAt: fact.createdAt },
          changedAt: Math.max(fact.createdAt, ...fact.statuses.map(({ at }) => at)),
        })),
      ).nullish(),
    })
    .transform(({ deployments: page }) => ({
      ...{ page: page ?? null, total: page?.totalCount ?? null, newestAt: page?.items[0]?.listedAt ?? null },
    })),
});

const releases: Part<FactOf['releases']> = {
  first: 30,
  alone: 100,
  variables: {},
  valuesOf: () => ({}),
  fields: (page) => `releases(${newestFirst('CREATED_AT')}, ${page}) { ${list(`${releaseFields} updatedAt`)} }`,
  fragments: [],
  schema: z
    .object({
      releases: connectionOf(
        wireRelease.extend({ updatedAt: instant }).transform(({ updatedAt, ...wire }) => ({
          ...{ key: wire.tagName, fact: publishedRelease(wire), listedAt: wire.createdAt },
          changedAt: Math.max(updatedAt, wire.publishedAt ?? 0),
        })),
      ).nullish(),
    })
    .transform(({ releases: page }) => ({ page: page ?? null, total: null, newestAt: null })),
};
