import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { issuesReport } from '../reports/issues.ts';
import { IssuesReport } from '../reports/issues-schema.ts';
import { openPullRequestsReport } from '../reports/open-pull-requests.ts';
import { OpenPullRequestsReport } from '../reports/open-pull-requests-schema.ts';
import { operation } from './operation.ts';
import { fitted, repository } from './parameters.ts';

export const getOpenPullRequests = operation({
  method: 'GET',
  path: '/api/codehost/open-pr-health',
  summary: 'Open pull requests and whom each waits for, beside 90 days of ended ones; as a table the open ones',
  access: feature('prLifecycle'),
  input: z.object(repository),
  output: OpenPullRequestsReport,
  rows: ({ open_prs }) => open_prs,
  run: openPullRequestsReport,
});

export const getIssues = operation({
  method: 'GET',
  path: '/api/codehost/issues',
  summary: 'How the backlog of issues moves and which wait, pull requests excluded; as a table the neglected ones',
  access: feature('issueHealth'),
  input: z.object({
    ...repository,
    days: fitted(7, 90, 30).meta({ description: 'Days back from now, 7 to 90; what is beyond is taken as the end.' }),
  }),
  output: IssuesReport,
  rows: ({ neglected }) => neglected,
  run: issuesReport,
});
