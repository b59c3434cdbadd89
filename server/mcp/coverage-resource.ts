import type { Context } from '../access/context.ts';
import { createReader } from './reader.ts';
import { readCoverage } from './stored-coverage.ts';

/** Of each owner, by name; `repos_known` says how many there are. */
const maxRepositories = 200;

/** What is stored of the repositories of the caller and of their organizations; nothing without the feature. */
export async function describeCoverage(context: Context) {
  const reader = createReader(context);
  const stored = await readCoverage(reader, maxRepositories);
  return {
    owners: stored.map(({ answer: { owner, repos_known, summary, readings } }) => ({
      owner,
      repos_known,
      summary,
      repositories: readings
        .filter(({ resource }) => resource === 'workflow_runs')
        .map(({ repo, state, through }) => ({ repo, state, through })),
    })),
    notes: reader.notes,
  };
}
