import type { Context } from '../access/context.ts';
import { createReader } from './reader.ts';
import { readCoverage } from './stored-coverage.ts';

/** What is stored of the repositories of the caller and of their organizations; nothing without the feature. */
export async function describeCoverage(context: Context) {
  const reader = createReader(context);
  const stored = await readCoverage(reader);
  return {
    owners: stored.map(({ answer: { owner, repos_known, summary } }) => ({ owner, repos_known, summary })),
    notes: reader.notes,
  };
}
