import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bounded, clamped, owner, repo } from '../../api/parameters.ts';
import { syncProgress } from './progress.ts';
import { SyncProgress } from './progress-schema.ts';

export const getSyncProgress = operation({
  method: 'GET',
  path: '/api/db/sync',
  summary: 'Sync progress of repositories, and whether syncing continues in the background',
  access: feature('dataSync'),
  input: z
    .object({
      owner: owner.optional().meta({ description: 'Default: all repositories visible to the caller.' }),
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
