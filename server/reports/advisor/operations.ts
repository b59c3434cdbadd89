import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { RecommendedPatch, recommendedPatch } from './patch.ts';
import { recommendation, recommendations, usualDays } from './report.ts';
import { RecommendationDetail, Recommendations } from './schema.ts';

const days = clamped(28, usualDays, usualDays).meta({
  description: 'Days of history, 28 to 90; what is above is taken as 90.',
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

type Item = z.output<typeof Recommendations>['recommendations'][number];

const toRow = (item: Item) => ({
  id: item.id,
  kind: item.kind,
  title: item.title,
  workflow_path: item.workflow_path,
  line: item.line,
  state: item.state,
  certainty: item.certainty,
  finding: item.finding.text,
  sample: item.finding.sample,
  reason: item.reasons.map(({ code }) => code).join(' '),
});

const id = z.string().regex(/^[0-9a-f]{16}$/, 'is not the id of a recommendation');

export const getRecommendations = operation({
  method: 'GET',
  path: '/api/advisor/recommendations',
  summary: 'What could be changed in the workflow files of a repository, with the evidence; CSV: one row for each',
  access: feature('ciAdvisor'),
  input: z.object({ ...repository, workflow, kind, days }),
  output: Recommendations,
  rows: (answer) => [...answer.recommendations.map(toRow), ...answer.not_offered.map(toRow)],
  dependsOn: dependOnReadings,
  run: recommendations,
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
  rows: ({ evidence }) => evidence.runs,
  dependsOn: dependOnReadings,
  run: recommendation,
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
      .meta({ description: 'Ids of recommendations, 1 to 20, separated by commas.', override: { type: 'string' } }),
  }),
  output: RecommendedPatch,
  diff: ({ patch }) => patch,
  dependsOn: dependOnReadings,
  run: recommendedPatch,
});
