import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { type DeliveryContext, repositoryVariables, toStartOfDay } from '../delivery/context.ts';
import { asListing, type PagedQuestion, readPages } from './graphql-pages.ts';
import { nameKey } from './names.ts';

/** A list of a repository whose items come in the order of their creation, the newest first. */
interface NewestFirst<T> extends Omit<PagedQuestion<T>, 'variables' | 'first'> {
  /** Items to read at most. */
  maxItems: number;
  freshMs: number;
  identity(item: T): string | number;
}

/** Reads such a list back to the start of a day, in pages of 100. */
export async function readBackTo<T extends { createdAt: Instant }>(
  { reader, transport }: DeliveryContext,
  name: RepositoryName,
  since: Instant,
  { maxItems, freshMs, identity, ...question }: NewestFirst<T>,
) {
  const from = toStartOfDay(since);
  const read = await reader.remember(
    { key: `${question.operation} ${nameKey(name)} ${from}`, freshMs: () => freshMs },
    () =>
      readPages(
        transport,
        { ...question, variables: repositoryVariables(name), first: 100 },
        { maxItems, enough: (items) => (items.at(-1)?.createdAt ?? 0) < from, identity },
      ),
  );
  return asListing(read);
}
