import { z } from 'zod';
import type { FactKind, FactOf } from '../../facts/fact-repository.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { accountFields } from '../accounts/graphql-people.ts';
import { createConnectionSchema, type GraphqlPage, noItems, pageInfoField } from '../client/graphql-pages.ts';
import { type KindTotals, noTotals } from '../client/totals.ts';
import { instant, integer } from '../client/wire.ts';
import { isoSeconds } from '../delivery/context.ts';
import { deploymentFragment, deploymentReader } from '../delivery/deployments.ts';
import { issueFields, issueReader } from '../issues/wire.ts';
import { pullRequestFragment, pullRequestReader } from '../pull-requests/wire.ts';
import { branchWith, commitFragment, commitReader, comparison } from '../repositories/commits-wire.ts';
import {
  publishedRelease,
  publishedTotal,
  releaseFields,
  releasesLookedAt,
  wireRelease,
} from '../repositories/releases.ts';
import type { ActorOf } from '../runs/wire.ts';
import type { Wanted } from './client.ts';

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
  /** null when it came without what was requested. */
  page: GraphqlPage<Row<Fact>> | null;
  totals: KindTotals;
  /** See `Change`. */
  added: number | null;
}

/** How the changes of one kind are requested and read. */
export interface Part<Fact> {
  /** Items of the page that comes with the other kinds, and of each page that is read alone. */
  first: number;
  alone: number;
  /** Types of the variables beside the repository's name. */
  variables: Record<string, string>;
  toVariables(wanted: NonNullable<Wanted[FactKind]>): Record<string, string | boolean>;
  /** Fields of a repository; `page` holds the arguments of the page. */
  fields(page: string): string;
  fragments: string[];
  schema: z.ZodType<PartAnswer<Fact>>;
}

export type Parts = { [Kind in FactKind]: Part<FactOf[Kind]> };

export const createParts = (toActor: ActorOf): Parts => ({
  pull_requests: pullRequests(toActor),
  commits: commits(toActor),
  issues: issues(toActor),
  deployments: deployments(toActor),
  releases,
});

const newestFirst = (field: string) => `orderBy: { field: ${field}, direction: DESC }`;
const list = (node: string) => `${pageInfoField} nodes { ${node} }`;
const counted = z.object({ totalCount: integer }).nullish();

/** The answer about a kind that has no branch. */
const toPartAnswer = <Fact>(page: GraphqlPage<Row<Fact>> | null | undefined, totals: Partial<KindTotals> = {}) => ({
  page: page ?? null,
  totals: { ...noTotals, ...totals },
  added: null,
});

const pullRequests = (toActor: ActorOf): Part<FactOf['pull_requests']> => ({
  first: 25,
  alone: 50,
  variables: {},
  toVariables: () => ({}),
  fields: (page) => `pullRequests(${newestFirst('UPDATED_AT')}, ${page}) { ${list('...PullRequestFields')} }`,
  fragments: [pullRequestFragment, accountFields],
  schema: z
    .object({
      pullRequests: createConnectionSchema(
        pullRequestReader(toActor).transform((fact) => ({
          key: fact.number,
          fact,
          changedAt: fact.updatedAt,
          listedAt: fact.updatedAt,
        })),
      ).nullish(),
    })
    .transform(({ pullRequests: page }) => toPartAnswer(page)),
});

const commits = (toActor: ActorOf): Part<FactOf['commits']> => ({
  first: 100,
  alone: 100,
  variables: { commitsSince: 'GitTimestamp!', storedHead: 'String!', hasHead: 'Boolean!' },
  toVariables: ({ since, head }) => ({
    commitsSince: isoSeconds(since),
    storedHead: head ?? '',
    hasHead: head !== null,
  }),
  fields: (page) => `defaultBranchRef {
    target { ... on Commit { oid history(since: $commitsSince, ${page}) { ${list('...CommitFields')} } } }
    ${comparison}(headRef: $storedHead) @include(if: $hasHead) { aheadBy behindBy }
  }`,
  fragments: [commitFragment, accountFields],
  schema: z
    .object(
      branchWith({
        oid: z.string(),
        history: createConnectionSchema(
          commitReader(toActor).transform((fact) => ({
            key: fact.sha,
            fact,
            changedAt: fact.committedAt,
            listedAt: null,
          })),
        ).nullish(),
      }),
    )
    .transform(({ defaultBranchRef: branch }) => {
      // An empty repository has no branch.
      if (!branch) return toPartAnswer(noItems);
      const { oid, history } = branch.target ?? {};
      // The branch is the base: the stored head is ahead by the commits that the branch has no more.
      const { aheadBy, behindBy } = branch.compare ?? {};
      return { ...toPartAnswer(history, { head: oid ?? null }), added: aheadBy === 0 ? (behindBy ?? null) : null };
    }),
});

const issues = (toActor: ActorOf): Part<FactOf['issues']> => ({
  // 100 would cost more than all the other kinds together, and few change between two readings.
  first: 30,
  alone: 100,
  variables: { issuesSince: 'DateTime!' },
  toVariables: ({ since }) => ({ issuesSince: isoSeconds(since) }),
  fields: (page) => `issues(filterBy: { since: $issuesSince }, ${newestFirst('UPDATED_AT')}, ${page}) {
    ${list('...IssueFields')}
  }
  allIssues: issues { totalCount }
  openIssues: issues(states: OPEN) { totalCount }`,
  fragments: [issueFields, accountFields],
  schema: z
    .object({
      issues: createConnectionSchema(
        issueReader(toActor).transform((fact) => ({
          key: fact.number,
          fact,
          changedAt: fact.updatedAt,
          listedAt: null,
        })),
      ).nullish(),
      allIssues: counted,
      openIssues: counted,
    })
    .transform(({ issues: page, allIssues, openIssues }) =>
      toPartAnswer(page, { total: allIssues?.totalCount ?? null, openCount: openIssues?.totalCount ?? null }),
    ),
});

const deployments = (toActor: ActorOf): Part<FactOf['deployments']> => ({
  first: 50,
  alone: 100,
  variables: {},
  toVariables: () => ({}),
  fields: (page) => `deployments(${newestFirst('CREATED_AT')}, ${page}) {
    totalCount
    ${list('...DeploymentFields')}
  }`,
  fragments: [deploymentFragment, accountFields],
  schema: z
    .object({
      deployments: createConnectionSchema(
        deploymentReader(toActor).transform((fact) => ({
          key: fact.id,
          fact,
          listedAt: fact.createdAt,
          changedAt: Math.max(fact.createdAt, ...(fact.statuses ?? []).map(({ at }) => at)),
        })),
      ).nullish(),
    })
    .transform(({ deployments: page }) =>
      toPartAnswer(page, { total: page?.totalCount ?? null, newestAt: page?.items[0]?.listedAt ?? null }),
    ),
});

const releases: Part<FactOf['releases']> = {
  first: releasesLookedAt,
  alone: 100,
  variables: {},
  toVariables: () => ({}),
  fields: (page) => `releases(${newestFirst('CREATED_AT')}, ${page}) {
    totalCount
    ${list(`${releaseFields} updatedAt`)}
  }`,
  fragments: [],
  schema: z
    .object({
      releases: createConnectionSchema(
        wireRelease.extend({ updatedAt: instant }).transform(({ updatedAt, ...wire }) => ({
          key: wire.tagName,
          fact: publishedRelease(wire),
          listedAt: wire.createdAt,
          changedAt: Math.max(updatedAt, wire.publishedAt ?? 0),
        })),
      ).nullish(),
    })
    .transform(({ releases: page }) =>
      toPartAnswer(page, {
        total: page
          ? publishedTotal(
              page.totalCount,
              page.items.map(({ fact }) => fact),
            )
          : null,
      }),
    ),
};
