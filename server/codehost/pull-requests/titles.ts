import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import {
  type DeliveryContext,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
} from '../delivery/context.ts';

/** Titles of pull requests by number, 100 in one request; those that are not found are excluded. */
export async function readTitles(context: DeliveryContext, name: RepositoryName, numbers: readonly number[]) {
  const wanted = [...new Set(numbers)].sort((one, other) => one - other);
  const batches = Array.from({ length: Math.ceil(wanted.length / batchSize) }, (_, index) =>
    wanted.slice(index * batchSize, (index + 1) * batchSize),
  );
  const found = await Promise.all(
    batches.map((batch) =>
      context.reader.remember({ key: `titles ${nameKey(name)} ${batch.join(' ')}`, freshMs: () => 15 * minuteMs }, () =>
        requestTitles(context, name, batch),
      ),
    ),
  );
  return new Map(found.flatMap(({ value }) => value));
}

const batchSize = 100;

function requestTitles(context: DeliveryContext, name: RepositoryName, numbers: number[]): Promise<[number, string][]> {
  const aliases = numbers.map((number) => `p${number}`);
  const titled = z.object({ title: z.string() }).nullish().catch(null);
  const inRepository = repositoryIn(context, name, Object.fromEntries(aliases.map((alias) => [alias, titled])));
  return requestAll(context.transport, {
    operation: 'pull request titles',
    query: `
query PullRequestTitles($owner: String!, $name: String!) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    ${numbers.map((number) => `p${number}: pullRequest(number: ${number}) { title }`).join('\n    ')}
  }
}`,
    variables: repositoryVariables(name),
    read(data, errors) {
      const repository: Record<string, unknown> = inRepository(data, errors);
      return numbers.flatMap((number): [number, string][] => {
        const title = titled.parse(repository[`p${number}`])?.title;
        return title === undefined ? [] : [[number, title]];
      });
    },
  });
}
