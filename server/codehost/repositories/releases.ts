import { z } from 'zod';
import type { Release } from '../../metrics/kernel/delivery-facts.ts';
import { createConnectionSchema, pageInfoField, rateLimitCost } from '../client/graphql-pages.ts';
import { readBackTo } from '../client/newest-first.ts';
import { instant, maybeInstant, shownAddress } from '../client/wire.ts';
import type { DeliveryReads } from '../delivery/client.ts';
import { type DeliveryContext, minuteMs, repositoryIn, repositoryNameField } from '../delivery/context.ts';

/** Reads of published releases, newest first; pages of 100, at most three. */
export const createReleases = (context: DeliveryContext): DeliveryReads['releases'] => ({
  async since(name, since) {
    const inRepository = repositoryIn(context, name, { releases: createConnectionSchema(wireRelease) });
    const listing = await readBackTo(context, name, since, {
      operation: 'releases',
      query: releasesQuery,
      maxItems: 300,
      freshMs: 15 * minuteMs,
      read: (data, errors) => inRepository(data, errors).releases,
      identity: ({ tagName }) => tagName,
      lacks: ({ publishedAt, isDraft }) => (publishedAt === null && !isDraft ? ['publishedAt'] : []),
    });
    const items = listing.items
      .flatMap((one) => publishedRelease(one) ?? [])
      .filter(({ publishedAt }) => publishedAt === null || publishedAt >= since)
      .sort((one, other) => (other.publishedAt ?? 0) - (one.publishedAt ?? 0));
    const total = publishedTotal(listing.totalCount, listing.items.map(publishedRelease));
    return { ...listing, items, totalCount: listing.partial ? null : items.length, total };
  },
});

/** How many of the newest are looked at for drafts. */
export const releasesLookedAt = 30;

/**
 * How many releases are published, of all that the platform counts: it counts drafts for those who may push, and drafts
 * are seldom old. `newest` has null for each draft.
 */
export function publishedTotal(all: number | null, newest: readonly (Release | null)[]): number | null {
  const drafts = newest.slice(0, releasesLookedAt).filter((one) => one === null).length;
  return all === null ? null : all - drafts;
}

/** Everything a release's facts need. */
export const releaseFields = 'tagName createdAt publishedAt isPrerelease isDraft url';

const releasesQuery = `
query Releases($owner: String!, $name: String!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    releases(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      ${pageInfoField}
      nodes { ${releaseFields} }
    }
  }
}`;

export const wireRelease = z.object({
  tagName: z.string(),
  createdAt: instant,
  publishedAt: maybeInstant,
  isPrerelease: z.boolean(),
  isDraft: z.boolean(),
  url: shownAddress,
});

/** The fact of a release; null for one that is not published. */
export function publishedRelease({ tagName, publishedAt, url, ...wire }: z.output<typeof wireRelease>): Release | null {
  const { isPrerelease, isDraft } = wire;
  return isDraft ? null : { tag: tagName, publishedAt, isPrerelease, isDraft, htmlUrl: url };
}
