import { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import type { Transport } from '../client/transport.ts';
import { instant } from '../client/wire.ts';
import { repositoryVariables } from '../delivery/context.ts';

/** A pull request of any repository. */
export interface PullRequestAddress extends RepositoryName {
  /** The platform's, since a name may be given to another repository. */
  repositoryId: number;
  number: number;
}

export interface PullRequestState {
  state: 'open' | 'closed' | 'merged';
  mergedAt: Instant | null;
  mergeCommit: string | null;
}

export interface PullRequestStateReads {
  /**
   * What became of pull requests, 50 in one request, never from a copy. In the order of the addresses; null for one
   * that the token may not see.
   */
  pullRequestStates(addresses: readonly PullRequestAddress[]): Promise<(PullRequestState | null)[]>;
}

/** Pull requests whose states are read in one request. */
export const statesPerRequest = 50;

export const createPullRequestStates = (transport: Transport): PullRequestStateReads => ({
  async pullRequestStates(addresses) {
    const states: (PullRequestState | null)[] = [];
    for (let from = 0; from < addresses.length; from += statesPerRequest)
      states.push(...(await requestStates(transport, addresses.slice(from, from + statesPerRequest))));
    return states;
  },
});

const requestStates = (transport: Transport, addresses: readonly PullRequestAddress[]) =>
  requestAll(transport, {
    operation: 'states of pull requests',
    query: statesQuery(addresses.length),
    variables: Object.fromEntries(
      addresses.flatMap((address, place) => {
        const { owner, name } = repositoryVariables(address);
        return [
          [`owner${place}`, owner],
          [`name${place}`, name],
          [`number${place}`, address.number],
        ];
      }),
    ),
    read(data) {
      const answer = z.record(z.string(), z.unknown()).parse(data);
      return addresses.map(({ repositoryId }, place) => {
        const { data: found } = repositorySchema.safeParse(answer[`p${place}`]);
        return found?.databaseId === repositoryId ? found.pullRequest : null;
      });
    },
  });

function statesQuery(size: number): string {
  const places = Array.from({ length: size }, (_unused, place) => place);
  const variables = places.map((place) => `$owner${place}: String!, $name${place}: String!, $number${place}: Int!`);
  const parts = places.map(
    (place) => `p${place}: repository(owner: $owner${place}, name: $name${place}) {
    databaseId
    pullRequest(number: $number${place}) { state mergedAt mergeCommit { oid } }
  }`,
  );
  return `query PullRequestStates(${variables.join(', ')}) {
  ${rateLimitCost}
  ${parts.join('\n  ')}
}`;
}

const states = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const;

const repositorySchema = z.object({
  databaseId: z.int(),
  pullRequest: z
    .object({
      state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
      mergedAt: instant.nullable(),
      mergeCommit: z.object({ oid: z.string() }).nullable(),
    })
    .transform(
      ({ state, mergedAt, mergeCommit }): PullRequestState => ({
        state: states[state],
        mergedAt,
        mergeCommit: mergeCommit?.oid ?? null,
      }),
    ),
});
