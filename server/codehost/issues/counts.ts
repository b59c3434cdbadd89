import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { accountFields } from '../accounts/graphql-people.ts';
import { createConnectionSchema, rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { integer } from '../client/wire.ts';
import type { IssueCounts, IssueWindow } from '../delivery/client.ts';
import {
  type DeliveryContext,
  dayMs,
  isoSeconds,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
  toAgeMinutes,
  withRenameRetry,
} from '../delivery/context.ts';
import { assertTracker, issueFields, issueReader } from './wire.ts';

/** Counts issues by the platform's own search, all in one request. */
export async function countIssues(context: DeliveryContext, requested: RepositoryName, window: IssueWindow) {
  const { value } = await context.reader.remember(
    {
      key: `issue counts ${nameKey(requested)} ${toAgeMinutes(window.since, window.now)}`,
      freshMs: () => 5 * minuteMs,
    },
    () => withRenameRetry(context, requested, (name) => requestCounts(context, name, window)),
  );
  return value;
}

function requestCounts(context: DeliveryContext, name: RepositoryName, window: IssueWindow): Promise<IssueCounts> {
  const { owner, repo } = repositoryParams(name);
  const searches = Object.entries(buildSearches(window));
  const inRepository = repositoryIn(context, name, {
    hasIssuesEnabled: z.boolean(),
    issues: createConnectionSchema(issueReader(context.toActor)),
    ofState: z.object({ totalCount: integer }),
  });
  const queries = searches.map(([alias, search]) => [alias, `repo:${owner}/${repo} is:issue ${search}`]);
  return requestAll(context.transport, {
    operation: 'issue counts',
    query: `
query IssueCounts($owner: String!, $name: String!, ${searches.map(([alias]) => `$${alias}: String!`).join(', ')}) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    hasIssuesEnabled
    issues(states: OPEN, orderBy: { field: CREATED_AT, direction: ASC }, first: 1) { nodes { ...IssueFields } }
    ofState: issues(states: OPEN) { totalCount }
  }
  ${searches.map(([alias]) => `${alias}: search(query: $${alias}, type: ISSUE, first: 1) { issueCount }`).join('\n  ')}
}
${issueFields}
${accountFields}`,
    variables: { ...repositoryVariables(name), ...Object.fromEntries(queries) },
    read(data, errors): IssueCounts {
      const repository = inRepository(data, errors);
      assertTracker(repository);
      const { ages0, ages1, ages2, ages3, closedNotPlanned, closedAsDuplicate, ...counts } = countsSchema.parse(data);
      return {
        ...counts,
        closedNotPlanned: closedNotPlanned + closedAsDuplicate,
        openCount: repository.ofState.totalCount,
        ages: [ages0, ages1, ages2, ages3],
        oldestOpen: repository.issues.items[0] ?? null,
      };
    },
  });
}

/** What each count searches for. A time that ends a range is a second before the one that begins the next. */
function buildSearches({ since, now }: IssueWindow) {
  const ago = (days: number, secondsLater = 0) => isoSeconds(now - days * dayMs + secondsLater * 1000);
  return {
    openedInPeriod: `created:>=${isoSeconds(since)}`,
    closedInPeriod: `is:closed closed:>=${isoSeconds(since)}`,
    closedNotPlanned: `is:closed reason:"not planned" closed:>=${isoSeconds(since)}`,
    closedAsDuplicate: `is:closed reason:duplicate closed:>=${isoSeconds(since)}`,
    staleCount: `is:open updated:<=${ago(30)}`,
    unlabelledCount: 'is:open no:label',
    unassignedCount: 'is:open no:assignee',
    unansweredCount: `is:open comments:0 created:<=${ago(14)}`,
    ages0: `is:open created:>${ago(7)}`,
    ages1: `is:open created:${ago(30, 1)}..${ago(7)}`,
    ages2: `is:open created:${ago(90, 1)}..${ago(30)}`,
    ages3: `is:open created:<=${ago(90)}`,
  };
}

const count = z.object({ issueCount: integer }).transform(({ issueCount }) => issueCount);

const countsSchema = z.object({
  openedInPeriod: count,
  closedInPeriod: count,
  closedNotPlanned: count,
  closedAsDuplicate: count,
  staleCount: count,
  unlabelledCount: count,
  unassignedCount: count,
  unansweredCount: count,
  ages0: count,
  ages1: count,
  ages2: count,
  ages3: count,
});
