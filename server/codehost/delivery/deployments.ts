import { z } from 'zod';
import type { Deployment, DeploymentState } from '../../metrics/kernel/delivery-facts.ts';
import { accountFields, graphqlAccount } from '../accounts/graphql-people.ts';
import { createConnectionSchema, pageInfoField, rateLimitCost } from '../client/graphql-pages.ts';
import { repositoryParams } from '../client/names.ts';
import { readBackTo } from '../client/newest-first.ts';
import { readableItems } from '../client/readable-items.ts';
import { instant, platformId, shownText } from '../client/wire.ts';
import type { ActorOf } from '../runs/wire.ts';
import type { DeliveryReads } from './client.ts';
import { type DeliveryContext, minuteMs, repositoryIn, repositoryNameField } from './context.ts';

/** Reads of deployments with their status histories; pages of 100, at most five. */
export const createDeployments = (context: DeliveryContext): DeliveryReads['deployments'] => ({
  async since(name, since) {
    const inRepository = repositoryIn(context, name, {
      deployments: createConnectionSchema(deploymentReader(context.toActor)),
    });
    const listing = await readBackTo(context, name, since, {
      operation: 'deployments',
      query: deploymentsQuery,
      maxItems: 500,
      freshMs: 10 * minuteMs,
      read: (data, errors) => inRepository(data, errors).deployments,
      identity: ({ id }) => id,
    });
    const items = listing.items.filter(({ createdAt }) => createdAt >= since);
    const newestAt = listing.items.reduce<number | null>(
      (at, { createdAt }) => Math.max(at ?? createdAt, createdAt),
      null,
    );
    const unread = items.filter(({ statuses }) => statuses === null).length;
    if (unread === 0) return { ...listing, items, newestAt };
    const reasons = [listing.partialReason ?? [], `statuses of ${unread} in "deployments" could not be read`].flat();
    return { ...listing, items, newestAt, partial: true, capped: false, partialReason: reasons.join('; ') };
  },
  async productionEnvironments(name) {
    const { value } = await context.reader.read({
      operation: 'list deployments',
      route: 'GET /repos/{owner}/{repo}/deployments',
      params: { ...repositoryParams(name), per_page: 100 },
      repository: name,
      // Environments carry no such mark, only deployments do.
      read: (data) => {
        const marked = flaggedSchema.parse(data).items.filter(({ production_environment }) => production_environment);
        return [...new Set(marked.map(({ environment }) => environment))];
      },
      freshMs: () => 10 * minuteMs,
      staleIfError: true,
    });
    return value;
  },
});

const flaggedSchema = readableItems(
  z.object({ environment: z.string(), production_environment: z.boolean().nullish() }),
);

/** Everything a deployment's facts need; goes with the fragment for accounts. */
export const deploymentFragment = `
fragment DeploymentFields on Deployment {
  databaseId environment originalEnvironment createdAt commitOid
  ref { name }
  creator { ...Account }
  statuses(first: 100) { nodes { state createdAt environmentUrl logUrl } }
}`;

const deploymentsQuery = `
query Deployments($owner: String!, $name: String!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    deployments(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      ${pageInfoField}
      nodes { ...DeploymentFields }
    }
  }
}
${deploymentFragment}
${accountFields}`;

const states = ['error', 'failure', 'in_progress', 'inactive', 'pending', 'queued', 'waiting', 'success'] as const;

const wireStatus = z.object({
  state: z.string(),
  createdAt: instant,
  environmentUrl: shownText,
  logUrl: shownText,
});

const wireDeployment = z.object({
  databaseId: platformId,
  environment: z.string().nullish(),
  originalEnvironment: z.string().nullish(),
  createdAt: instant,
  commitOid: z.string(),
  ref: z.object({ name: z.string() }).nullish(),
  creator: graphqlAccount,
  isCreatorUnread: z.literal(true).optional(),
  // Without one of them, the result of the deployment cannot be determined.
  statuses: z
    .object({ nodes: z.array(wireStatus) })
    .nullish()
    .catch(null),
});

/** Schema that converts a deployment into a fact. */
export const deploymentReader = (toActor: ActorOf) =>
  wireDeployment.transform((wire): Deployment => {
    // The newest comes first; statuses of one instant keep their order.
    const statuses = wire.statuses?.nodes.toReversed().sort((one, other) => one.createdAt - other.createdAt) ?? null;
    const address = (key: 'environmentUrl' | 'logUrl') => statuses?.findLast((status) => status[key])?.[key] ?? null;
    return {
      id: wire.databaseId,
      environment: wire.environment ?? wire.originalEnvironment ?? '',
      createdAt: wire.createdAt,
      sha: wire.commitOid,
      ref: wire.ref?.name ?? null,
      creator: toActor(wire.creator),
      isCreatorUnread: wire.isCreatorUnread,
      statuses:
        statuses?.flatMap(({ state, createdAt }) => {
          const known = toDeploymentState(state);
          return known ? [{ state: known, at: createdAt }] : [];
        }) ?? null,
      url: address('environmentUrl') ?? address('logUrl'),
    };
  });

const toDeploymentState = (text: string): DeploymentState | undefined =>
  states.find((state) => state === text.toLowerCase());
