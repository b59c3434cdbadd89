import { z } from 'zod';
import type { RepositoryName, Workflow } from '../metrics/facts.ts';
import type { Codehost } from './client.ts';
import { type Page, pageOf, pageSize, readListing } from './listing.ts';
import { repositoryParams } from './names.ts';
import type { Reader, Reading } from './reader.ts';
import { instant } from './wire.ts';

/** Reads of a repository's workflows: all pages, kept for 5 minutes. */
export const createWorkflows = (reader: Reader): Codehost['workflows'] => ({
  list: async (name) => readListing(reader, pageOfRepository(name), mostPages, ({ id }) => id),
});

const mostPages = 10;

const workflowSchema = z
  .object({
    id: z.number(),
    name: z.string(),
    path: z.string(),
    state: z.enum(['active', 'deleted', 'disabled_fork', 'disabled_inactivity', 'disabled_manually']),
    html_url: z.string(),
    badge_url: z.string(),
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

const listSchema = z.object({ total_count: z.number(), workflows: z.array(workflowSchema) });

function pageOfRepository(name: RepositoryName): (page: number) => Reading<Page<Workflow>> {
  const repository = repositoryParams(name);
  return (page) => ({
    operation: 'list workflows',
    route: 'GET /repos/{owner}/{repo}/actions/workflows',
    params: { ...repository, per_page: pageSize, page },
    repository: name,
    read(data, headers) {
      const { total_count, workflows } = listSchema.parse(data);
      return pageOf(workflows, total_count, headers);
    },
    freshMs: () => 5 * 60_000,
    staleIfError: true,
  });
}
