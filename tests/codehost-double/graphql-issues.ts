import type { DoubleIssue } from './delivery.ts';
import { anActor } from './delivery-builders.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { type Order, ordered } from './graphql-pull-requests.ts';
import { GraphqlRequestError, person, personOrNull, type View } from './graphql-view.ts';
import { idOf, moment, momentOrNull, webAddress } from './wire.ts';
import { type DoubleRepository, fullName, sameName } from './world.ts';

interface IssuesArgs extends Paging {
  states?: string[] | null;
  labels?: string[] | null;
  orderBy?: Order | null;
  filterBy?: {
    since?: string | null;
    states?: string[] | null;
    labels?: string[] | null;
    assignee?: string | null;
    createdBy?: string | null;
  } | null;
}

/** The list of a repository's issues; empty, without an error, where the tracker is switched off. */
export function issues(view: View, one: DoubleRepository, args: IssuesArgs) {
  const filter = args.filterBy ?? {};
  const since = filter.since ? Date.parse(filter.since) : -Infinity;
  const states = args.states ?? filter.states;
  const labels = args.labels ?? filter.labels;
  const wanted = (one.issuesEnabled ? one.issues : [])
    .filter(({ closedAt }) => !states || states.includes(closedAt === null ? 'OPEN' : 'CLOSED'))
    .filter((each) => !labels || each.labels.some(({ name }) => labels.includes(name)))
    .filter(({ updatedAt }) => updatedAt >= since)
    .filter(({ author }) => !filter.createdBy || (author && sameName(author.login, filter.createdBy)))
    .filter(({ assignees }) => isAssigned(assignees, filter.assignee));
  const sorted = args.orderBy?.field === 'COMMENTS' ? byComments(wanted, args.orderBy) : ordered(wanted, args.orderBy);
  return connection(sorted, args, (each) => issue(view, one, each));
}

/** `*` asks for any assignee; the platform takes null for none. */
function isAssigned(assignees: string[], wanted: string | null | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted === null) return assignees.length === 0;
  return wanted === '*' ? assignees.length > 0 : assignees.some((login) => sameName(login, wanted));
}

const byComments = (list: DoubleIssue[], { direction }: Order) =>
  [...list].sort((one, other) => (direction === 'DESC' ? -1 : 1) * (one.comments - other.comments));

export function issueNumbered(view: View, one: DoubleRepository, number: number) {
  const found = one.issuesEnabled ? one.issues.find((each) => each.number === number) : undefined;
  if (!found) throw new GraphqlRequestError('NOT_FOUND', `Could not resolve to an Issue with the number of ${number}.`);
  return issue(view, one, found);
}

export function issue(view: View, one: DoubleRepository, given: DoubleIssue) {
  return {
    __typename: 'Issue',
    id: `I_${idOf(`${fullName(one)}#${given.number}`)}`,
    databaseId: one.facts.id * 10_000 + given.number,
    number: given.number,
    title: given.title,
    url: `${webAddress(one.facts)}/issues/${given.number}`,
    state: given.closedAt === null ? 'OPEN' : 'CLOSED',
    stateReason: given.closeReason?.toUpperCase() ?? null,
    closed: given.closedAt !== null,
    locked: false,
    milestone: null,
    createdAt: moment(given.createdAt),
    updatedAt: moment(given.updatedAt),
    closedAt: momentOrNull(given.closedAt),
    author: personOrNull(given.author),
    repository: () => view.repository(one),
    labels: (args: Paging) =>
      connection(given.labels, args, ({ name, color }) => ({ id: `LA_${name}`, name, color, description: null })),
    assignees: (args: Paging) => connection(given.assignees, args, (login) => person(anActor(login))),
    comments: () => ({ totalCount: given.comments }),
    timelineItems: (args: Paging & { itemTypes?: string[] | null }) => closings(given, args),
  };
}

/** Of an issue's history the double keeps the last closing alone. */
function closings(given: DoubleIssue, args: Paging & { itemTypes?: string[] | null }) {
  const unserved = args.itemTypes?.find((type) => type !== 'CLOSED_EVENT');
  if (unserved) throw new Error(`The double does not serve timeline items of type ${unserved}`);
  const events = given.closedAt === null ? [] : [given.closedAt];
  const page = connection(events, args, (at) => ({
    __typename: 'ClosedEvent',
    id: `EV_${given.number}_CLOSED`,
    createdAt: moment(at),
    stateReason: given.closeReason?.toUpperCase() ?? null,
    actor: personOrNull(given.closedBy),
    closer: null,
  }));
  return {
    ...page,
    filteredCount: events.length,
    pageCount: page.nodes.length,
    updatedAt: moment(given.updatedAt),
  };
}
