import { z } from 'zod';
import type { Context } from '../access/context.ts';
import { feature, member } from '../access/rules.ts';
import { operation, perMinute } from '../api/operation.ts';
import { identifier, org, owner, repo, repository } from '../api/parameters.ts';
import { AnomalyAnswer, anomalyExplanation } from './anomaly.ts';
import { InsightsAnswer, insights } from './insights.ts';
import { RootCauseAnswer, rootCause } from './root-cause.ts';

/** Where no provider is configured the answer states that, however often it is requested. */
const whereEnabled = {
  per: 'token' as const,
  counts: 'after' as const,
  applies: async ({ services }: Context) => (await services.ai.status()).enabled,
};

export const getInsights = operation({
  method: 'GET',
  path: '/api/ai/insights',
  summary: 'How a repository or an organization is doing, as text that a language model writes from its figures',
  access: feature('aiInsights'),
  limit: perMinute('ai-insights', 20, whereEnabled),
  includesOk: true,
  input: z
    .object({
      org: org.optional().meta({ description: 'Subject of the text; takes precedence over `owner` and `repo`.' }),
      owner: owner.optional(),
      repo: repo.optional(),
      refresh: z.literal('1').optional().meta({ description: 'Write anew, though the figures are the same.' }),
    })
    .superRefine((request, context) => {
      if (request.org !== undefined) return;
      for (const field of ['owner', 'repo'] as const)
        if (request[field] === undefined)
          context.addIssue({ code: 'custom', path: [field], message: 'is required without org' });
    }),
  output: InsightsAnswer,
  run: ({ org: requestedOrg, owner: ownerName = '', repo: repoName = '', refresh }, context) => {
    const scope = requestedOrg === undefined ? { owner: ownerName, repo: repoName } : { org: requestedOrg };
    return insights(scope, refresh === '1', context);
  },
});

const workflow = { ...repository, workflow_id: identifier };

export const getAnomalyExplanation = operation({
  method: 'GET',
  path: '/api/ai/anomaly-explanation',
  summary: 'What may be behind the unusual runs of a workflow, as text that a language model writes',
  access: feature('aiInsights'),
  limit: perMinute('ai-anomaly', 20, whereEnabled),
  includesOk: true,
  input: z.object({ ...workflow, metric: z.enum(['duration', 'queue_wait']) }),
  output: AnomalyAnswer,
  run: anomalyExplanation,
});

export const getRootCause = operation({
  method: 'GET',
  path: '/api/ai/root-cause',
  summary: 'Hypotheses of a language model about why runs of a workflow fail; none with fewer than three failures',
  access: feature('aiInsights'),
  limit: perMinute('ai-root-cause', 10, whereEnabled),
  includesOk: true,
  input: z.object(workflow),
  output: RootCauseAnswer,
  run: rootCause,
});

export const getAiStatus = operation({
  method: 'GET',
  path: '/api/ai/status',
  summary: 'Whether texts are generated here, and by which providers',
  access: member,
  cache: 'private, max-age=60',
  input: z.object({}),
  output: z.object({ enabled: z.boolean(), providers: z.array(z.string()) }),
  run: (_input, { services }) => services.ai.status(),
});
