import { z } from 'zod';
import { Problem } from '../../platform/problem.ts';
import { createConnectionSchema, pageInfoField, rateLimitCost, readPages } from '../client/graphql-pages.ts';
import type { Transport } from '../client/transport.ts';

/** What a published, not withdrawn advisory says of one action. */
export interface PublishedAdvisory {
  /** Such as `GHSA-mrrh-fwg8-r2c3`. */
  id: string;
  /** `owner/repo` in lower case. */
  actionKey: string;
  /** Affected versions in the platform's notation, such as `>= 4.3.0, < 4.3.5`. */
  range: string;
}

export interface AdvisoryReads {
  /** A published advisory by its GHSA or CVE id, as the platform gives it; null where it has none. Throws `Problem`. */
  advisory(id: string): Promise<unknown>;
  /** All that the platform publishes about actions, a hundred with a request. Throws `Problem`, also where some are missing. */
  actionAdvisories(): Promise<PublishedAdvisory[]>;
}

/** Reads advisories that the platform published. */
export const createAdvisories = (transport: Transport): AdvisoryReads => ({
  async advisory(id) {
    const key = id.startsWith('CVE') ? 'cve_id' : 'ghsa_id';
    const { fresh } = await transport.rest<unknown[]>({
      operation: 'advisory',
      route: 'GET /advisories',
      params: { [key]: id, per_page: 1 },
      read: (data) => (Array.isArray(data) ? data : []),
    });
    return fresh?.value[0] ?? null;
  },
  async actionAdvisories() {
    const { items, partial } = await readPages(
      transport,
      {
        operation: 'advisories about all actions',
        query: publishedQuery,
        variables: {},
        first: 100,
        read: (data) => wirePublished.parse(data).securityVulnerabilities,
      },
      { maxItems: maxPublished, identity: ({ id, actionKey, range }) => `${id} ${actionKey} ${range}` },
    );
    if (partial) throw new Problem('upstream_unavailable', 'GitHub did not give all advisories about actions.');
    return items.flatMap(({ isWithdrawn, ...one }) => (isWithdrawn ? [] : one));
  },
});

/** More than there are about actions. */
const maxPublished = 2000;

const wirePublished = z.object({
  securityVulnerabilities: createConnectionSchema(
    z
      .object({
        vulnerableVersionRange: z.string(),
        package: z.object({ name: z.string() }),
        advisory: z.object({ ghsaId: z.string().regex(/^GHSA(-[\da-z]{4}){3}$/), withdrawnAt: z.string().nullish() }),
      })
      .transform(({ vulnerableVersionRange: range, package: { name }, advisory: { ghsaId: id, withdrawnAt } }) => ({
        id,
        // Some name the path of the action below its repository.
        actionKey: name.toLowerCase().split('/').slice(0, 2).join('/'),
        range,
        isWithdrawn: Boolean(withdrawnAt),
      })),
  ),
});

const publishedQuery = `
query AllActionAdvisories($first: Int!, $after: String) {
  ${rateLimitCost}
  securityVulnerabilities(ecosystem: ACTIONS, first: $first, after: $after) {
    nodes { vulnerableVersionRange package { name } advisory { ghsaId withdrawnAt } }
    ${pageInfoField}
  }
}`;
