import { z } from 'zod';
import type { Issue } from '../../metrics/kernel/delivery-facts.ts';
import { Problem } from '../../platform/problem.ts';
import { graphqlAccount } from '../accounts/graphql-people.ts';
import { readableOnly } from '../client/readable-items.ts';
import { instant, integer, maybeInstant, shownAddress, shownText } from '../client/wire.ts';
import type { ActorOf } from '../runs/wire.ts';

/** Everything an issue's facts need; goes with the fragment for accounts. */
export const issueFields = `
fragment IssueFields on Issue {
  number title createdAt updatedAt closedAt stateReason url
  author { ...Account }
  labels(first: 100) { nodes { name color } }
  assignees(first: 10) { nodes { login } }
  comments { totalCount }
  timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { actor { ...Account } } } }
}`;

/** Schema that converts an issue of the GraphQL answers into a fact. */
export const issueReader = (toActor: ActorOf) =>
  wireIssue.transform(
    (wire): Issue => ({
      number: wire.number,
      title: wire.title ?? null,
      createdAt: wire.createdAt,
      updatedAt: wire.updatedAt,
      closedAt: wire.closedAt,
      closeReason: wire.closedAt === null ? null : (closeReasons[wire.stateReason ?? ''] ?? null),
      isCloseReasonUnread: wire.isStateReasonUnread,
      closedByBot: wire.closedAt === null ? false : isByBot(wire.timelineItems, toActor),
      author: toActor(wire.author),
      labels: readNodes(wire.labels),
      assignees: readNodes(wire.assignees)?.map(({ login }) => login) ?? null,
      comments: wire.comments?.totalCount ?? null,
      htmlUrl: wire.url,
    }),
  );

/** Parts of an issue that were not reported, as the platform names them. */
export const partsLackedBy = ({ labels, assignees, comments, closedByBot }: Issue): string[] => [
  ...(labels === null ? ['labels'] : []),
  ...(assignees === null ? ['assignees'] : []),
  ...(comments === null ? ['comments'] : []),
  ...(closedByBot === null ? ['timelineItems'] : []),
];

/** Throws where the tracker is off: the platform itself then shows an empty list. */
export function assertTracker({ hasIssuesEnabled }: { hasIssuesEnabled: boolean }): void {
  if (!hasIssuesEnabled) throw new Problem('issues_disabled', 'The repository has its issues switched off.');
}

const closeReasons: Record<string, Issue['closeReason']> = {
  COMPLETED: 'completed',
  NOT_PLANNED: 'not_planned',
  DUPLICATE: 'not_planned',
};

const nodes = <S extends z.ZodType>(node: S) => z.object({ nodes: readableOnly(node.nullable()).nullish() }).nullish();

const wireIssue = z.object({
  number: integer,
  title: shownText,
  createdAt: instant,
  updatedAt: instant,
  closedAt: maybeInstant,
  stateReason: z.string().nullish(),
  isStateReasonUnread: z.literal(true).optional(),
  url: shownAddress,
  author: graphqlAccount,
  labels: nodes(z.object({ name: z.string(), color: z.string().catch('') })),
  assignees: nodes(z.object({ login: z.string() })),
  comments: z.object({ totalCount: integer }).nullish(),
  timelineItems: nodes(z.object({ actor: graphqlAccount, isActorUnread: z.literal(true).optional() })),
});

/** What is in a list; null where some of it could not be read. */
function readNodes<T>(list: { nodes?: (T | null)[] | null | undefined } | null | undefined): T[] | null {
  const found = list?.nodes;
  return found?.every((one) => one !== null) ? found : null;
}

/** Whether a bot closed it, by its newest closing; null where that, or who it was, could not be read. */
function isByBot(closings: z.output<typeof wireIssue>['timelineItems'], toActor: ActorOf): boolean | null {
  const known = readNodes(closings);
  const newest = known?.at(-1);
  if (known === null || newest?.isActorUnread) return null;
  return toActor(newest?.actor)?.isBot ?? false;
}
