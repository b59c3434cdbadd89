import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bounded, clamped, owner, repo } from '../../api/parameters.ts';
import { syncProgress } from './progress.ts';
import { SyncProgress } from './progress-schema.ts';

export const getSyncProgress = operation({
  method: 'GET',
  path: '/api/db/sync',
  summary: 'How far the runs of repositories have been read, and whether reading goes on in the background',
  access: feature('dataSync'),
  input: z
    .object({
      owner: owner.optional().meta({ description: 'Without it, all repositories that the caller can see.' }),
      repo: repo.optional(),
      limit: clamped(1, 200, 20).meta({ description: 'Repositories.' }),
      offset: bounded(0, 100_000, 0),
    })
    .refine(({ owner, repo }) => owner !== undefined || repo === undefined, {
      path: ['owner'],
      message: 'is required with repo',
    }),
  output: SyncProgress,
  rows: ({ repositories }) => repositories,
  run: syncProgress,
});
