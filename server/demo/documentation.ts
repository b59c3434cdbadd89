import { documentationPatterns } from '../advisor/documentation-patterns.ts';
import type { DocumentationReads, ReadChange } from '../codehost/pull-requests/documentation.ts';
import { listing, repositoryNamed } from './lookup.ts';
import type { World, WorldRepository } from './world.ts';

/** Which pull requests of the sample world change documentation alone. Unknown names throw `Problem('not_found')`. */
export const demoDocumentation = (world: World): DocumentationReads => ({
  documentationChanges: async (name) => listing(world, changesOf(repositoryNamed(world, name)), mostRead),
});

/** As many as are read of a real repository. */
const mostRead = 300;

/** What a pull request changed is known of those that were merged: the files of the commit. */
function changesOf({ pullRequests, commits, runs }: WorldRepository): ReadChange[] {
  const filesOf = new Map(commits.map(({ sha, files }) => [sha, files]));
  const headsOf = Map.groupBy(
    runs.filter(({ event }) => event === 'pull_request'),
    ({ pullRequests: [first] }) => first?.number ?? 0,
  );
  return pullRequests
    .map(({ number, updatedAt, headSha, mergeSha, changedFiles }) => {
      const heads = (headsOf.get(number) ?? []).map((run) => run.headSha);
      const shas = [...new Set(headSha === null ? heads : [headSha, ...heads])];
      const patterns = documentationPatterns(filesOf.get(mergeSha ?? '') ?? []);
      return { number, updatedAt, shas, mergeSha, changedFiles: changedFiles ?? 0, patterns };
    })
    .sort((one, other) => other.updatedAt - one.updatedAt);
}
