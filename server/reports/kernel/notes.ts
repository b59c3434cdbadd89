import type { Context, Reply } from '../../access/context.ts';
import type { Codehost, Freshness, Listing } from '../../codehost/client/client.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { iso } from './instants.ts';

/** Reports beside the body how complete and how fresh a list read from the platform is. */
export function noteListing(
  reply: Reply,
  listing: Pick<Listing<unknown>, 'partial' | 'partialReason' | 'hidden' | 'stale' | 'asOf'>,
) {
  const { partialReason } = listing;
  const isPartial = listing.partial || partialReason !== undefined;
  reply.headers.set('X-Partial', String(isPartial || reply.headers.get('X-Partial') === 'true'));
  const earlierReasons = reply.headers.get('X-Partial-Reason')?.split('; ') ?? [];
  const hidden = listing.hidden ? singleSignOnHides : undefined;
  const reasons = joinedReasons([...earlierReasons, ...(partialReason?.split('; ') ?? []), hidden]);
  if (reasons) reply.headers.set('X-Partial-Reason', reasons);
  if (listing.stale) reply.headers.set('X-Stale', 'true');
  if (listing.stale || !reply.headers.has('X-Data-Source'))
    reply.headers.set('X-Data-Source', listing.stale ? 'cache' : 'live');
  const earlier = reply.headers.get('X-Data-As-Of');
  const asOf = iso(listing.asOf);
  reply.headers.set('X-Data-As-Of', earlier && earlier < asOf ? earlier : asOf);
}

const singleSignOnHides = 'single sign-on hides repositories: authorize the token for the organization';

/** The same for a part of the answer that is no list. */
export const noteFreshness = (reply: Reply, { stale, asOf }: Freshness) =>
  noteListing(reply, { stale, asOf, partial: false });

/** Reports how many items there are in total, where the platform or the list itself shows it. */
export function noteTotal(reply: Reply, listing: Listing<unknown>) {
  const total = listing.totalCount ?? (listing.partial ? null : listing.items.length);
  if (total !== null) reply.headers.set('X-Total-Count', String(total));
}

/** Reports the repository's present name when it was requested by an earlier one. */
export function noteCanonicalName(reply: Reply, codehost: Codehost, name: RepositoryName) {
  const now = codehost.repositories.canonical(name);
  if (now) reply.headers.set('X-Canonical-Repo', `${now.owner}/${now.repo}`);
}

/** Reads a list of a repository and leaves its notes on the reply. */
export async function readListing<T>(
  { owner, repo }: RepositoryName,
  context: Context,
  reply: Reply,
  read: (codehost: Codehost, name: RepositoryName) => Promise<Listing<T>>,
): Promise<T[]> {
  const codehost = await context.codehost();
  const listing = await read(codehost, { owner, repo });
  noteListing(reply, listing);
  noteTotal(reply, listing);
  noteCanonicalName(reply, codehost, { owner, repo });
  return listing.items;
}
