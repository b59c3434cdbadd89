import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, org } from '../../api/parameters.ts';
import { ScorecardReport, scorecard } from './report.ts';

export const getOrgHealthScorecard = operation({
  method: 'GET',
  path: '/api/codehost/org-health-scorecard',
  summary: 'A health score for each live repository of an organization, the lowest first; as a table the repositories',
  access: feature('healthScorecard'),
  input: z.object({ org, limit: clamped(1, 20, 10) }),
  output: ScorecardReport,
  rows: ({ repos }) => repos,
  run: scorecard,
});
