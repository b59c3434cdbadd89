import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { MissingFields, toMissingProblem } from '../client/failures.ts';
import { rateLimitCost } from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { type BatchOptions, createBatches } from '../repositories/batches.ts';

/** What names the workflow files of a default branch: the same id is the same files. */
export interface WorkflowTree {
  /** The platform's id of the repository that has the name now. */
  repositoryId: number;
  /** null where there is no directory of workflow files. */
  treeId: string | null;
}

export interface WorkflowTreeReads {
  /**
   * Of several repositories in their order, 50 in one request, always from the platform; the problem of one that cannot
   * be read concerns no other.
   */
  workflowTrees(names: readonly RepositoryName[]): Promise<(WorkflowTree | Problem)[]>;
}

const operation = 'trees of workflow files';

/** Reads whether workflow files changed, without reading them. */
export function createWorkflowTrees(batches: BatchOptions): WorkflowTreeReads {
  const readBatches = createBatches<WorkflowTree>(batches, {
    operation,
    size: 50,
    freshMs: 0,
    toKey: (name) => `tree of workflow files ${nameKey(name)}`,
    buildQuery,
    read(wire, errors) {
      const { data } = wireTree.safeParse(wire);
      if (data && errors.length === 0) return { repositoryId: data.databaseId, treeId: data.workflows?.oid ?? null };
      return toMissingProblem(operation, new MissingFields(['repository'], errors));
    },
    impossible: () => new Problem('not_found', 'Repository not found on GitHub.'),
    isCached: () => false,
  });
  return {
    async workflowTrees(names) {
      const found = await readBatches(names);
      return names.map((name) => {
        const read = found.get(nameKey(name));
        if (read instanceof Problem) return read;
        return read?.value ?? new Problem('upstream_unavailable', 'GitHub did not return all repositories.');
      });
    },
  };
}

/** A file in the place of the directory has no id here. */
const wireTree = z.object({ databaseId: z.int(), workflows: z.object({ oid: z.string().optional() }).nullish() });

const buildQuery = (places: readonly number[]) => `
query WorkflowTrees(${places.map((index) => `$owner${index}: String!, $name${index}: String!`).join(', ')}) {
  ${rateLimitCost}
  ${places.map((index) => `r${index}: repository(owner: $owner${index}, name: $name${index}) { ...WorkflowTree }`).join('\n  ')}
}
fragment WorkflowTree on Repository {
  databaseId
  workflows: object(expression: "HEAD:.github/workflows") { ... on Tree { oid } }
}`;
