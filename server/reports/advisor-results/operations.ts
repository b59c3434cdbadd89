import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { verdictStates } from '../../advisor/verdict/verdict.ts';
import { operation } from '../../api/operation.ts';
import { repository } from '../../api/parameters.ts';
import { dependOnAdvice, dependOnAdvisorScope } from '../advisor/dependencies.ts';
import { whereOn } from '../advisor/in-effect.ts';
import { advisorScope, recommendationId } from '../advisor/scope.ts';
import { results } from './results.ts';
import { Results, VerdictDetail } from './schema.ts';
import { verdictDetail } from './verdict-detail.ts';

const toRow = ({
  pull_request: pullRequest,
  commit,
  promise,
  measured,
  reason,
  together_with: togetherWith,
  ...row
}: z.output<typeof Results>['rows'][number]) => ({
  ...row,
  pull_request_url: pullRequest?.html_url ?? null,
  commit_url: commit?.html_url ?? null,
  promise_low_pct: promise?.low ?? null,
  promise_high_pct: promise?.high ?? null,
  measured_pct: measured?.mid ?? null,
  measured_low_pct: measured?.low ?? null,
  measured_high_pct: measured?.high ?? null,
  reason: reason?.code ?? null,
  together_with: togetherWith.join(' '),
});

export const getResults = operation({
  method: 'GET',
  path: '/api/advisor/results',
  summary: 'What came of the recommended changes that were merged, beside what was predicted',
  access: feature('ciAdvisor'),
  failures: ['advisor_off', 'db_not_configured'],
  input: z.object({
    ...advisorScope,
    state: z
      .enum(['all', ...verdictStates])
      .default('all')
      .meta({ description: 'Rows in this state alone; the summary is of all.' }),
  }),
  output: Results,
  rows: ({ rows }) => rows.map(toRow),
  dependsOn: dependOnAdvisorScope,
  run: whereOn(results),
});

export const getVerdict = operation({
  method: 'GET',
  path: '/api/advisor/verdict',
  summary: 'How one merged change was judged, with the runs that were counted; CSV: those runs',
  access: feature('ciAdvisor'),
  failures: ['advisor_off', 'not_found', 'db_not_configured'],
  input: z.object({ ...repository, id: recommendationId }),
  output: VerdictDetail,
  rows: ({ runs }) => runs,
  dependsOn: dependOnAdvice,
  run: whereOn(verdictDetail),
});
