import { z } from 'zod';
import type { RepositoryName, Workflow } from '../../metrics/kernel/facts.ts';
import type { Codehost } from '../client/client.ts';
import { type Page, pageSize, readListing, toPage } from '../client/listing.ts';
import { repositoryParams } from '../client/names.ts';
import { readableItems } from '../client/readable-items.ts';
import type { Reader, Reading } from '../client/reader.ts';
import { instant, maybeCount, platformId, shownAddress } from '../client/wire.ts';

/** Reads of a repository's workflows, each page cached for 5 minutes. */
export const createWorkflows = (reader: Reader): Codehost['workflows'] => ({
  list: async (name) => readListing(reader, createWorkflowPageReading(name), maxPages, ({ id }) => id),
  async count(name) {
    const { value, stale, asOf } = await reader.read(createWorkflowPageReading(name)(1));
    const { items, excluded, totalCount, hasNext } = value;
    return { count: hasNext ? totalCount : items.length + (excluded?.count ?? 0), stale, asOf };
  },
});

const maxPages = 10;

const workflowSchema = z
  .object({
    id: platformId,
    name: z.string(),
    path: z.string(),
    state: z.string(),
    html_url: shownAddress,
    badge_url: shownAddress,
    created_at: instant,
    updated_at: instant,
  })
  .transform(
    (wire): Workflow => ({
      id: wire.id,
      name: wire.name,
      path: wire.path,
      state: wire.state,
      htmlUrl: wire.html_url,
      badgeUrl: wire.badge_url,
      createdAt: wire.created_at,
      updatedAt: wire.updated_at,
    }),
  );

const listSchema = z.object({ total_count: maybeCount, workflows: readableItems(workflowSchema) });

function createWorkflowPageReading(name: RepositoryName): (page: number) => Reading<Page<Workflow>> {
  const repository = repositoryParams(name);
  return (page) => ({
    operation: 'list workflows',
    route: 'GET /repos/{owner}/{repo}/actions/workflows',
    params: { ...repository, per_page: pageSize, page },
    repository: name,
    read(data, headers) {
      const { total_count, workflows } = listSchema.parse(data);
      return toPage(workflows, total_count, headers);
    },
    freshMs: () => 5 * 60_000,
    staleIfError: true,
  });
}
