import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bots, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { openPullRequestsReport } from './report.ts';
import { OpenPullRequestsReport } from './schema.ts';

export const getOpenPullRequests = operation({
  method: 'GET',
  path: '/api/codehost/open-pr-health',
  summary: 'Open pull requests and whom each waits for, beside 90 days of ended ones; as a table the open ones',
  access: feature('prLifecycle'),
  input: z.object({ ...repository, bots }),
  output: OpenPullRequestsReport,
  rows: ({ open_prs }) => open_prs,
  dependsOn: dependOnReadings,
  run: openPullRequestsReport,
});
