import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bounded, clamped, nextOffset, owner, repo } from '../../api/parameters.ts';
import { dependOnOwner, dependOnRepository, untilWindowsMove } from '../kernel/dependencies.ts';
import { collectionReport } from './report.ts';
import { CollectionReport } from './schema.ts';

export const getCollection = operation({
  method: 'GET',
  path: '/api/db/collection',
  summary: 'Data coverage of a repository or of the repositories of an owner, by data type',
  access: feature('reports'),
  input: z.object({
    owner,
    repo: repo.optional(),
    limit: clamped(1, 200, 50).meta({ description: 'Repositories.' }),
    offset: bounded(0, 100_000, 0),
  }),
  output: CollectionReport,
  rows: ({ readings }) => readings,
  nextPage: ({ repos_known: total, ...page }) => nextOffset({ ...page, total }),
  dependsOn({ owner, repo }, context) {
    const until = untilWindowsMove(context.services.clock.now());
    return repo ? dependOnRepository({ owner, repo }, context, until) : dependOnOwner(owner, context, until);
  },
  run: collectionReport,
});
