import { z } from 'zod';
import { type Access, requestedLogin } from '../access/rules.ts';
import { halves } from '../metrics/people/profile.ts';
import { alertSources } from '../metrics/security/security-alerts.ts';
import { within } from '../platform/fields.ts';
import { invalidRequest } from '../platform/problem.ts';
import { recommendationId } from '../reports/advisor/scope.ts';
import { Explained, type ExplainInput } from '../reports/kernel/evidence.ts';
import { explanations } from '../reports/kernel/explanations.ts';
import { range } from '../reports/kernel/period.ts';
import { branch } from '../reports/merge-queue/operations.ts';
import { operation } from './operation.ts';
import {
  billingMonth,
  bots,
  bounded,
  clamped,
  identifier,
  login,
  org,
  owner,
  repo,
  securityFilter,
} from './parameters.ts';

/** Whoever may see a number may see what it is made of. */
const ofItsMetric: Access = {
  name: 'metric',
  required({ url }) {
    const explanation = explanations.get(url.searchParams.get('metric') ?? '');
    if (!explanation?.feature) return 'member';
    return {
      feature: explanation.feature,
      orOwn: explanation.feature === 'contributorProfile' ? requestedLogin(url) : null,
    };
  },
  isOrganizationOnly: false,
  allowsTokenWrites: false,
  allowsAccessTokens: true,
  isSessionOnly: false,
};

export const explain = operation({
  method: 'GET',
  path: '/api/explain',
  summary: 'Explanation of a metric: definition, counted items, and excluded items with reasons',
  access: ofItsMetric,
  input: z.object({
    metric: z.enum([...explanations.keys()]),
    owner: owner.optional(),
    repo: repo.optional(),
    org: org.optional(),
    login: login.optional(),
    half: z
      .enum(halves)
      .optional()
      .meta({ description: 'Of a person: the last 45 days, or the previous 45; without it 90 days.' }),
    environment: z.string().max(255, 'is longer than 255 characters').optional(),
    branch,
    workflow_id: identifier.optional(),
    id: recommendationId.optional().meta({ description: 'Of a recommendation.' }),
    job: z.string().max(1000, 'is longer than 1,000 characters').optional(),
    source: z.enum(alertSources).optional(),
    ...securityFilter,
    per_page: clamped(1, 100, 50),
    page: bounded(1, 1000, 1),
    days: within(7, 90).optional(),
    bots,
    range: range.optional(),
    ...billingMonth,
  }),
  output: Explained,
  rows: ({ counted }) => counted,
  async run({ metric, ...input }, context, reply) {
    const explanation = explanations.get(metric);
    const isMissing = (key: keyof ExplainInput) => input[key] === undefined;
    const missing = (explanation?.needs ?? []).filter(isMissing);
    const isOther = explanation?.orNeeds !== undefined && !explanation.orNeeds.some(isMissing);
    if (!explanation || (missing.length > 0 && !isOther))
      throw invalidRequest(
        missing.map((field) => ({ field, reason: 'missing', message: `${field} is required for ${metric}.` })),
      );
    const { days } = input;
    if (days !== undefined && !explanation.anyDays && days !== 30 && days !== 90)
      throw invalidRequest([{ field: 'days', reason: 'invalid', message: `days is 30 or 90 for ${metric}.` }]);
    return explanation.explain(input, context, reply);
  },
});
