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
  labels(first: 20) { nodes { name color } }
  assignees(first: 10) { nodes { login } }
  comments { totalCount }
  timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { actor { ...Account } } } }
}`;

/** Schema that converts an issue of the GraphQL answers into a fact. */
export const issueReader = (toActor: ActorOf) =>
  wireIssue.transform((wire): Issue => {
    const closer = toActor(wire.timelineItems?.nodes?.at(-1)?.actor);
    return {
      number: wire.number,
      title: wire.title ?? null,
      createdAt: wire.createdAt,
      updatedAt: wire.updatedAt,
      closedAt: wire.closedAt,
      closeReason: wire.closedAt === null ? null : (closeReasons[wire.stateReason ?? ''] ?? null),
      closedByBot: wire.closedAt !== null && (closer?.isBot ?? false),
      author: toActor(wire.author),
      labels: (wire.labels?.nodes ?? []).flatMap((label) => label ?? []),
      assignees: (wire.assignees?.nodes ?? []).flatMap((one) => one?.login ?? []),
      comments: wire.comments?.totalCount ?? null,
      htmlUrl: wire.url,
    };
  });

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
  url: shownAddress,
  author: graphqlAccount,
  labels: nodes(z.object({ name: z.string(), color: z.string().catch('') })),
  assignees: nodes(z.object({ login: z.string() })),
  comments: z.object({ totalCount: integer }).nullish(),
  timelineItems: nodes(z.object({ actor: graphqlAccount })),
});
