import { z } from 'zod';
import { member } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bounded, clamped, org } from '../../api/parameters.ts';
import { AttentionReport, repositoryAttention } from './report.ts';

export const getRepositoryAttention = operation({
  method: 'GET',
  path: '/api/codehost/repo-attention',
  summary:
    'Repositories in the order in which they ask to be looked at, 25 a page with their summaries; as a table the repositories',
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
  rows: ({ items }) =>
    items.map(({ repository, attention, summary }) => ({
      repo: repository.full_name,
      attention: attention.level,
      reason: attention.reason,
      latest_run_at: summary?.latest_run_at ?? null,
      latest_conclusion: summary?.latest_conclusion ?? null,
      health: summary?.health.label ?? null,
      success_rate: summary?.success_rate ?? null,
      success_rate_sample: summary?.success_rate_sample ?? null,
      open_prs: summary?.open_prs ?? null,
    })),
  run: repositoryAttention,
});
