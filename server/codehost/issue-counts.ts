import { z } from 'zod';
import type { RepositoryName } from '../metrics/facts.ts';
import type { IssueCounts, IssueWindow } from './delivery-client.ts';
import {
  ageOf,
  type DeliveryContext,
  dayMs,
  isoSeconds,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
  underItsName,
} from './delivery-context.ts';
import { askWhole, connectionOf, priceField } from './graphql-pages.ts';
import { accountFields } from './graphql-people.ts';
import { nameKey, repositoryParams } from './names.ts';
import { wholeNumber } from './wire.ts';
import { assertTracker, issueFields, issueReader } from './wire-issues.ts';

/** Counts issues by the platform's own search, all in one request. */
export async function countIssues(context: DeliveryContext, asked: RepositoryName, window: IssueWindow) {
  const { value } = await context.reader.remember(
    { key: `issue counts ${nameKey(asked)} ${ageOf(window.since, window.now)}`, freshMs: () => 5 * minuteMs },
    () => underItsName(context, asked, (name) => ask(context, name, window)),
  );
  return value;
}

function ask(context: DeliveryContext, name: RepositoryName, window: IssueWindow): Promise<IssueCounts> {
  const { owner, repo } = repositoryParams(name);
  const searches = Object.entries(searchesOf(window));
  const inRepository = repositoryIn(context, name, {
    hasIssuesEnabled: z.boolean(),
    issues: connectionOf(issueReader(context.actorOf)),
  });
  const words = searches.map(([alias, search]) => [alias, `repo:${owner}/${repo} is:issue ${search}`]);
  return askWhole(context.transport, {
    operation: 'issue counts',
    query: `
query IssueCounts($owner: String!, $name: String!, ${searches.map(([alias]) => `$${alias}: String!`).join(', ')}) {
  ${priceField}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    hasIssuesEnabled
    issues(states: OPEN, orderBy: { field: CREATED_AT, direction: ASC }, first: 1) { totalCount nodes { ...IssueFields } }
  }
  ${searches.map(([alias]) => `${alias}: search(query: $${alias}, type: ISSUE, first: 1) { issueCount }`).join('\n  ')}
}
${issueFields}
${accountFields}`,
    variables: { ...repositoryVariables(name), ...Object.fromEntries(words) },
    read(data, errors): IssueCounts {
      const repository = inRepository(data, errors);
      assertTracker(repository);
      const { ages0, ages1, ages2, ages3, closedNotPlanned, closedAsDuplicate, ...counts } = countsSchema.parse(data);
      return {
        ...counts,
        closedNotPlanned: closedNotPlanned + closedAsDuplicate,
        open: repository.issues.totalCount ?? 0,
        ages: [ages0, ages1, ages2, ages3],
        oldestOpen: repository.issues.items[0] ?? null,
      };
    },
  });
}

/** What each count searches for. A time that ends a range is a second before the one that begins the next. */
function searchesOf({ since, now }: IssueWindow) {
  const ago = (days: number, secondsLater = 0) => isoSeconds(now - days * dayMs + secondsLater * 1000);
  return {
    opened: `created:>=${isoSeconds(since)}`,
    closed: `is:closed closed:>=${isoSeconds(since)}`,
    closedNotPlanned: `is:closed reason:"not planned" closed:>=${isoSeconds(since)}`,
    closedAsDuplicate: `is:closed reason:duplicate closed:>=${isoSeconds(since)}`,
    stale: `is:open updated:<=${ago(30)}`,
    unlabelled: 'is:open no:label',
    unassigned: 'is:open no:assignee',
    unanswered: `is:open comments:0 created:<=${ago(14)}`,
    ages0: `is:open created:>${ago(7)}`,
    ages1: `is:open created:${ago(30, 1)}..${ago(7)}`,
    ages2: `is:open created:${ago(90, 1)}..${ago(30)}`,
    ages3: `is:open created:<=${ago(90)}`,
  };
}

const count = z.object({ issueCount: wholeNumber }).transform(({ issueCount }) => issueCount);

const countsSchema = z.object({
  opened: count,
  closed: count,
  closedNotPlanned: count,
  closedAsDuplicate: count,
  stale: count,
  unlabelled: count,
  unassigned: count,
  unanswered: count,
  ages0: count,
  ages1: count,
  ages2: count,
  ages3: count,
});
