import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { dismissalReasons } from '../../advisor/dismissal.ts';
import { operation, perMinute } from '../../api/operation.ts';
import { bounded, clamped, repo, repository } from '../../api/parameters.ts';
import { plainText } from '../../platform/fields.ts';
import { idempotencyKey } from '../filed-issues/idempotency-key.ts';
import { dependOnAdvice, dependOnAdvisorScope } from './dependencies.ts';
import { dismiss, restore } from './dismiss.ts';
import { whereOn } from './in-effect.ts';
import { RecommendedPatch, recommendedPatch } from './patch.ts';
import { plan } from './plan.ts';
import { Plan, planStates } from './plan-schema.ts';
import { openPullRequest } from './pull-request/open.ts';
import {
  baseBlobs,
  OpenedPullRequest,
  pullRequestNote,
  pullRequestTitle,
  resultingBlobs,
} from './pull-request/schema.ts';
import { recommendation, recommendations } from './report.ts';
import { toPlanRow, toRow } from './rows.ts';
import { DismissalChange, RecommendationDetail, Recommendations } from './schema.ts';
import { advisorScope, recommendationId } from './scope.ts';

const days = z
  .int()
  .min(28)
  .transform((value) => Math.min(value, 90))
  .optional()
  .meta({
    description: 'Days of history; what is above 90 is taken as 90. As the setting `window_days` says when not given.',
    override: { type: 'integer', minimum: 28, maximum: 90 },
  });

const workflow = z
  .string()
  .regex(/^(?!.*\.\.)[^\p{Cc}]{1,255}$/u, 'is not a path below the workflow directory')
  .optional()
  .meta({ description: 'Path below the directory of workflow files.' });

const kind = z
  .string()
  .regex(/^ADV-\d{2}$/, 'is not a kind, such as ADV-01')
  .optional();

const state = z
  .enum(['open', 'all'])
  .default('open')
  .meta({ description: '`all` lists those that are dismissed, too.' });

const id = recommendationId;

const maxNote = 500;

export const getRecommendations = operation({
  method: 'GET',
  path: '/api/advisor/recommendations',
  summary: 'What could be changed in the workflow files of a repository, with the evidence; CSV: one row for each',
  access: feature('ciAdvisor'),
  input: z.object({ ...repository, workflow, kind, state, days }),
  output: Recommendations,
  failures: ['advisor_off'],
  rows: (answer) => [...answer.recommendations.map(toRow), ...answer.not_offered.map(toRow)],
  dependsOn: dependOnAdvice,
  run: whereOn(recommendations),
});

export const getRecommendation = operation({
  method: 'GET',
  path: '/api/advisor/recommendation',
  summary: 'One recommendation with the runs that it rests on; CSV: those runs',
  access: feature('ciAdvisor'),
  input: z.object({
    ...repository,
    id,
  }),
  output: RecommendationDetail,
  failures: ['advisor_off'],
  rows: ({ evidence }) => evidence.runs,
  dependsOn: dependOnAdvice,
  run: whereOn(recommendation),
});

export const getPlan = operation({
  method: 'GET',
  path: '/api/advisor/plan',
  summary: 'What the recommendations of a repository or an organization save together, and what each adds',
  access: feature('ciAdvisor'),
  input: z.object({
    ...advisorScope,
    repository: repo.optional().meta({ description: 'Rows of this repository of the organization alone.' }),
    kind,
    state: z.enum(planStates).optional(),
    limit: clamped(1, 100, 50),
    page: bounded(1, 1000, 1),
  }),
  output: Plan,
  failures: ['advisor_off'],
  rows: ({ rows }) => rows.map(toPlanRow),
  skip: (answer, count) => ({ ...answer, rows: answer.rows.slice(count) }),
  dependsOn: dependOnAdvisorScope,
  run: whereOn(plan),
});

const path = '/api/advisor/dismissals';
const writes = perMinute('advisor-dismissals', 60, { per: 'account', counts: 'after' });

export const dismissRecommendation = operation({
  method: 'POST',
  path,
  summary: 'Dismiss a recommendation for everybody who sees the repository',
  access: feature('ciAdvisor'),
  limit: writes,
  failures: ['advisor_off', 'not_found', 'db_not_configured'],
  input: z.object({
    ...repository,
    id,
    reason: z.enum(dismissalReasons),
    note: plainText
      .transform((text) => text.trim())
      .refine((text) => [...text].length <= maxNote, `is longer than ${maxNote} characters`)
      .optional()
      .meta({ description: 'For those who read it later.', override: { type: 'string', maxLength: maxNote } }),
    until: z.iso
      .date()
      .optional()
      .meta({ description: 'The last day in UTC, at most 365 days ahead; `later` requires it.' }),
  }),
  output: DismissalChange,
  run: whereOn(dismiss),
});

export const restoreRecommendation = operation({
  method: 'DELETE',
  path,
  summary: 'Show a dismissed recommendation among the others again',
  access: feature('ciAdvisor'),
  limit: writes,
  failures: ['advisor_off', 'not_found', 'db_not_configured'],
  input: z.object({ ...repository, id }),
  output: DismissalChange,
  run: whereOn(restore),
});

const chosenIds = z
  .array(id)
  .min(1)
  .max(20)
  .transform((ids) => [...new Set(ids)]);

/** Counts its limit itself: what was opened before, or is refused before anything is written, does not count. */
export const openRecommendedPullRequest = operation({
  method: 'POST',
  path: '/api/advisor/pull-request',
  summary: 'Open a pull request with recommended changes in the caller’s name; exactly once with an Idempotency-Key',
  access: feature('ciAdvisorPullRequest'),
  failures: [
    'advisor_off',
    'idempotency_conflict',
    'in_progress',
    'file_changed',
    'patch_refused',
    'archived',
    'branch_refused',
    'missing_permission',
    'upstream_rejected',
  ],
  headers: ['Idempotent-Replay', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'],
  input: z.object({
    ...repository,
    ids: chosenIds.meta({
      description: 'Recommendations, 1 to 20.',
      override: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
    }),
    base_blobs: baseBlobs,
    resulting_blobs: resultingBlobs,
    title: pullRequestTitle,
    note: pullRequestNote,
    draft: z.boolean().optional().meta({ description: 'As the setting `draft_default` says when not given.' }),
    idempotency_key: idempotencyKey
      .optional()
      .meta({ description: 'For forms; scripts send the header Idempotency-Key, which wins.' }),
  }),
  output: OpenedPullRequest,
  successes: {
    201: 'Opened, also when this is reported again for the same Idempotency-Key',
    200: 'Deduplicated: it was open before',
  },
  run: whereOn(openPullRequest),
});

export const getRecommendedPatch = operation({
  method: 'GET',
  path: '/api/advisor/patch',
  summary: 'The changes of workflow files that recommendations come to, verified',
  access: feature('ciAdvisor'),
  input: z.object({
    ...repository,
    ids: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(id).min(1).max(20))
      .transform((ids) => [...new Set(ids)])
      .meta({ description: 'Ids of recommendations, 1 to 20, separated by commas.', override: { type: 'string' } }),
  }),
  output: RecommendedPatch,
  diff: {
    text: ({ patch }) => patch,
    fileName: (query) => `${query.get('repo')?.replace(/[^A-Za-z0-9._-]/g, '')}-advisor`,
  },
  failures: ['advisor_off', 'patch_refused'],
  dependsOn: dependOnAdvice,
  run: whereOn(recommendedPatch),
});
