import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { collectionReport } from '../reports/collection.ts';
import { CollectionReport } from '../reports/collection-schema.ts';
import { operation } from './operation.ts';
import { bounded, clamped, owner, repo } from './parameters.ts';

export const getCollection = operation({
  method: 'GET',
  path: '/api/db/collection',
  summary: 'What has been read of a repository, or of those of an owner, and what not, kind by kind',
  access: feature('reports'),
  input: z.object({
    owner,
    repo: repo.optional(),
    limit: clamped(1, 200, 50).meta({ description: 'Repositories.' }),
    offset: bounded(0, 100_000, 0),
  }),
  output: CollectionReport,
  rows: ({ readings }) => readings,
  run: collectionReport,
});
