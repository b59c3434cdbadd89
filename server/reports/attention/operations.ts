import { z } from 'zod';
import { member } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bounded, clamped, org } from '../../api/parameters.ts';
import { AttentionReport, repositoryAttention } from './report.ts';

export const getRepositoryAttention = operation({
  method: 'GET',
  path: '/api/codehost/repo-attention',
  summary: 'Repositories in the order in which they ask to be looked at, 25 a page with their summaries',
  access: member,
  input: z.object({
    org: org.optional(),
    q: z.string().max(100, 'is longer than 100 characters').optional(),
    visibility: z.enum(['all', 'public', 'private']).default('all'),
    language: z.string().max(100).optional(),
    page: bounded(1, 1000, 1),
    per_page: clamped(1, 25, 25),
  }),
  output: AttentionReport,
  run: repositoryAttention,
});
